"""What each run came to, in one narrow row, kept up to date in the transaction of whatever changes it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    TextClause,
    and_,
    bindparam,
    case,
    cast,
    func,
    or_,
    select,
    text,
    true,
    update,
)

from loopwright.records.baseline import Totals
from loopwright.records.check import Check
from loopwright.records.event import Event, EventKind
from loopwright.records.outcome import BY, By, Past, Sample, Sums, Tally
from loopwright.records.pattern import Case
from loopwright.records.run import Status
from loopwright.store.batches import batches
from loopwright.store.database import OnDatabase
from loopwright.store.migrations.outcomes_0008 import fill
from loopwright.store.patience import patient
from loopwright.store.schema import events, runs
from loopwright.store.schema_measured import feedback, outcomes
from loopwright.text.coverage import coverage_in
from loopwright.text.edited_lines import counted_words, edited_lines

_ENOUGH = 10_000
"""The median of so many is within 2% of a standard deviation of that of all."""
_BANDS = ((250, 2 * _ENOUGH), (_ENOUGH // 4, _ENOUGH))
"""Groups of more runs than this, and how many runs of all such groups together are read."""
CHANGES = "files_changed"
"""The key in the data of the note at a run's end: all that it changed, in git's words."""
_COUNTED = or_(
    outcomes.c.status.in_([status.value for status in (Status.ESCALATED, Status.FAILED, Status.OBSERVED)]),
    and_(outcomes.c.status == Status.DONE.value, outcomes.c.iterations > 0),
)
"""Runs that have ended, and in which somebody worked."""
_DAY = func.substr(outcomes.c.started_at, 1, 10)
_CALL, _RESULT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT


class Outcomes(OnDatabase):
    """The part of the store that numbers over many runs are read from."""

    @patient
    def history(self, task_types: Collection[str]) -> Sequence[Past]:
        """Give what runs of some types took that have ended; of very many, as many as a median needs."""
        wanted = (_COUNTED, outcomes.c.task_type.in_(task_types))
        chosen = select(*(outcomes.c[name] for name in Past._fields)).where(*wanted)
        with self._database.read() as connection:
            counted = select(func.count()).select_from(outcomes).where(*wanted)
            count = connection.execute(counted).scalar_one()
            return [Past._make(row) for row in connection.execute(chosen.where(_some(count))).all()]

    @patient
    def cases(self, since: str = "", limit: int | None = None) -> Sequence[Case]:
        """Give the newest runs that have ended and began at a moment or later, the oldest first."""
        chosen = select(*(outcomes.c[name] for name in Case._fields)).where(_COUNTED, _since(since))
        newest = chosen.order_by(outcomes.c.started_at.desc(), outcomes.c.run_id.desc()).limit(limit)
        with self._database.read() as connection:
            return [Case._make(row) for row in reversed(connection.execute(newest).all())]

    @patient
    def totals(self, run_ids: Sequence[str]) -> Sequence[Totals]:
        """Give what some runs came to, as far as they have ended."""
        its = events.c.run_id == outcomes.c.run_id
        last = select(func.coalesce(func.max(events.c.seq), 1)).where(its).scalar_subquery().label("last_seq")
        ended = func.coalesce(runs.c.ended_at, runs.c.started_at).label("at")
        apart = {"last_seq": last, "at": ended, "disliked": _disliked()}
        fields = [apart[name] if name in apart else outcomes.c[name] for name in Totals.__dataclass_fields__]
        found: list[Totals] = []
        with self._database.read() as connection:
            for part in batches(run_ids):
                mine = outcomes.c.run_id.in_(part)
                joined = select(*fields).join_from(outcomes, runs, runs.c.id == outcomes.c.run_id)
                found += [Totals(*row) for row in connection.execute(joined.where(_COUNTED, mine))]
        return found

    @patient
    def tallies(self, by: By, since: str = "") -> Sequence[Tally]:
        """Count the runs that began at a moment or later, by group and day, the oldest day first."""
        group = _group(by)
        counts = [
            *(func.count(), func.count(outcomes.c.passed), _sum(outcomes.c.passed), func.count(outcomes.c.first_pass)),
            *(_sum(outcomes.c.first_pass), _sum(outcomes.c.rejected), _sum(outcomes.c.human)),
            *(func.sum(outcomes.c.tokens), func.sum(outcomes.c.cost_usd)),
        ]
        chosen = select(group, _DAY, *counts).where(_COUNTED, _since(since)).group_by(group, _DAY)
        with self._database.read() as connection:
            found = [_tally(*row) for row in connection.execute(chosen).all()]
        return sorted(found, key=lambda tally: (tally.day, tally.group))

    @patient
    def sums(self, kinds: Sequence[By]) -> Sequence[tuple[Sequence[str], Sums]]:
        """Add up all runs that have ended, by what several kinds say of them together: the table is read once."""
        groups = [_group(kind) for kind in kinds]
        its = outcomes.c
        numbers = [
            *(func.count(), func.count(its.passed), _sum(its.passed), _sum(its.first_pass), _sum(its.rejected)),
            *(_sum(its.human), func.sum(its.tokens), func.sum(its.cost_usd), func.sum(its.seconds)),
            *(func.sum(its.lines_added), func.count(its.coverage), func.sum(its.coverage)),
        ]
        with self._database.read() as connection:
            rows = connection.execute(select(*groups, *numbers).where(_COUNTED).group_by(*groups)).all()
        count = len(groups)
        return [(row[:count], Sums._make(float(number or 0) for number in row[count:])) for row in rows]

    @patient
    def samples(self, by: By, tallies: Sequence[Tally], since: str = "") -> Sequence[Sample]:
        """Give the numbers of each run that was counted; of groups that are large, as many as a median needs."""
        numbers = [outcomes.c[name] for name in ("seconds", "tokens", "cost_usd", "lines_added", "coverage")]
        few = _few(by, tallies)
        chosen = select(_group(by), _DAY, *numbers).where(_COUNTED, _since(since), few)
        with self._database.read() as connection:
            return [Sample(_name(group), *row) for group, *row in connection.execute(chosen).all()]

    @patient
    def newest(self, by: By, group: str, until: str) -> tuple[str, str, int] | None:
        """Give the newest run of a group that began on a day or before it, when it began, and its last event."""
        its = (_COUNTED, _group(by) == group, until >= _DAY)
        chosen = select(outcomes.c.run_id, outcomes.c.started_at).where(*its)
        with self._database.read() as connection:
            row = connection.execute(chosen.order_by(outcomes.c.started_at.desc(), outcomes.c.run_id.desc())).first()
            if row is None:
                return None
            last = select(func.coalesce(func.max(events.c.seq), 1)).where(events.c.run_id == row[0])
            return row[0], row[1], int(connection.execute(last).scalar_one())


def refresh(connection: Connection, run_ids: Sequence[str]) -> None:
    """Write the rows of runs anew, from all that the other tables say of them; lines and coverage stay."""
    for part in batches(run_ids):
        connection.execute(_refreshing(connection.dialect.name), {"ids": part})


def note_events(connection: Connection, run_id: str, batch: Sequence[Event], first: int = 1) -> None:
    """Add what events of a session tell of lines and coverage; with the first of them, what was known is forgotten."""
    added, removed = _lines(batch)
    values: dict[str, Any] = {"lines_added": added, "lines_removed": removed, "coverage": _coverage(batch)}
    if first > 1:
        its = {name: outcomes.c[name] for name in ("lines_added", "lines_removed")}
        values |= {name: func.coalesce(column, 0) + values[name] for name, column in its.items()}
        known = {"lines_added": added, "lines_removed": removed, "coverage": values["coverage"]}
        values = {name: value for name, value in values.items() if known[name] is not None}
    _note(connection, run_id, values)


def note_checks(connection: Connection, checks: Sequence[Check]) -> None:
    """Note the coverage that a check of a run's own work tells of."""
    for check in checks:
        if check.iteration and (found := coverage_in(check.evidence)) is not None:
            _note(connection, check.run_id, {"coverage": found})


def note_end(connection: Connection, run_id: str) -> None:
    """Note what the last event of a run of ours says of the lines that it changed."""
    newest = select(events.c.data).where(events.c.run_id == run_id).order_by(events.c.seq.desc()).limit(1)
    said = (connection.execute(newest).scalar() or {}).get(CHANGES)
    if isinstance(said, str):
        added, removed = counted_words(said) or (0, 0)
        _note(connection, run_id, {"lines_added": added, "lines_removed": removed})


def _note(connection: Connection, run_id: str, values: dict[str, Any]) -> None:
    if values:
        connection.execute(update(outcomes).where(outcomes.c.run_id == run_id).values(values))


@lru_cache(maxsize=2)
def _refreshing(dialect: str) -> TextClause:
    return text(fill(dialect, "runs.id IN :ids")).bindparams(bindparam("ids", expanding=True))


def _lines(batch: Sequence[Event]) -> tuple[int | None, int | None]:
    failed = {event.call_id for event in batch if event.is_error and event.kind is _RESULT}
    found = [
        lines
        for event in batch
        if event.kind is _CALL and event.call_id not in failed
        if isinstance(given := event.data.get("input"), dict)
        if (lines := edited_lines(event.tool or "", given, event.command or ""))
    ]
    return (sum(added for added, _ in found), sum(removed for _, removed in found)) if found else (None, None)


def _coverage(batch: Sequence[Event]) -> float | None:
    """Read the last one that a command told."""
    for event in reversed(batch):
        if event.kind is _RESULT and event.command and (found := coverage_in(event.text)) is not None:
            return found
    return None


def _disliked() -> ColumnElement[Any]:
    """Give why the newest feedback on a run is a thumb down; nothing where it is none."""
    why = case((feedback.c.is_up, None), else_=feedback.c.comment)
    newest = select(why).where(feedback.c.run_id == outcomes.c.run_id)
    return newest.order_by(feedback.c.at.desc(), feedback.c.id.desc()).limit(1).scalar_subquery()


def _group(by: By) -> ColumnElement[Any]:
    if by not in BY:
        raise ValueError(by)
    return func.coalesce(cast(outcomes.c.hour, Text), "") if by == "hour" else outcomes.c[by]


def _since(moment: str) -> ColumnElement[bool]:
    """Choose the runs that began at a moment or later; all of them are read in one go, without the index."""
    return outcomes.c.started_at >= moment if moment else true()


def _few(by: By, tallies: Sequence[Tally]) -> ColumnElement[bool]:
    """Choose all runs of small groups, and some of the larger ones."""
    sizes: dict[str, int] = defaultdict(int)
    for tally in tallies:
        sizes[tally.group] += tally.runs
    chosen: ColumnElement[bool] = true()
    for (least, enough), (most, _) in zip(_BANDS, [*_BANDS[1:], (math.inf, 0)], strict=True):
        band = {group: size for group, size in sizes.items() if least < size <= most}
        if (some := sum(band.values())) > enough:
            chosen = and_(chosen, or_(_group(by).not_in(band), _some(some, enough)))
    return chosen


def _some(count: int, enough: int = _ENOUGH) -> ColumnElement[bool]:
    """Choose about so many of very many runs as a median needs, by the last digits of their ids, which are random."""
    share = min(1.0, enough / count) if count else 1.0
    return func.substr(outcomes.c.run_id, 35, 2) < f"{int(256 * share):02x}" if share < 1 else true()


def _name(group: Any) -> str:
    return "" if group is None else str(group)


def _sum(column: ColumnElement[Any]) -> ColumnElement[int]:
    """Count the rows in which a column is true; Booleans can't be added up everywhere."""
    return func.sum(case((column, 1), else_=0))


def _tally(group: Any, day: str, *counts: Any) -> Tally:
    *whole, cost = counts
    return Tally._make([_name(group), day, *(int(count or 0) for count in whole), cost or 0.0])
