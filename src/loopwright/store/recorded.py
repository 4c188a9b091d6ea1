"""What is read of runs to show, compare and export them, and how an exported one comes back in."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, literal_column, select

from loopwright.errors import UsageError
from loopwright.records.bundle import Bundle, ErrorGroup, Rollup
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import short
from loopwright.records.run import Run, Status, Step
from loopwright.records.session import DailyUsage, Session
from loopwright.records.shape import Kinds
from loopwright.store import attempts as _attempts
from loopwright.store import checks as _checks
from loopwright.store import comments as _comments
from loopwright.store import evaluations as _evaluations
from loopwright.store import events as _events
from loopwright.store import outcomes as _outcomes
from loopwright.store import runs as _runs
from loopwright.store import schema, schema_failures, schema_measured
from loopwright.store import sessions as _sessions
from loopwright.store.batches import batches
from loopwright.store.database import Database, OnDatabase
from loopwright.store.inserting import is_there
from loopwright.store.patience import patient
from loopwright.store.schema_sent import evaluations
from loopwright.store.tokens import to_usage

_MESSAGE = 2000
_BELONGING = (
    *schema_measured.BELONGING,
    *schema_failures.FOUND,
    *(schema.events, schema.rollups, schema.daily_usage, schema.session_marks, schema.session_news),
    *(schema.session_portions, schema.sessions, schema.leases),
    *(evaluations, schema.acceptances, schema.comments, schema.checks, schema.attempts, schema.steps),
)
"""The tables of what belongs to a run, in an order in which it can be removed."""
_ACTIONS = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.RETRY)


class Recorded(OnDatabase):
    """The record of a store, run by run."""

    def __init__(self, database: Database, kinds: Kinds) -> None:
        super().__init__(database)
        self._kinds = kinds

    @patient
    def newest(self, limit: int | None = None, source: str | None = None) -> tuple[Sequence[Run], int]:
        """Give the newest runs, all or those of one source, and how many there are in all."""
        with self._database.read() as connection:
            found = _runs.newest(connection, self._kinds, limit, None, source)
            if limit is None or len(found) < limit:
                return found, len(found)
            counted = select(func.count()).select_from(schema.runs)
            if source is not None:
                counted = counted.where(schema.runs.c.source == source)
            return found, int(connection.execute(counted).scalar_one())

    @patient
    def sources(self) -> Sequence[str]:
        """Name where runs came from; an empty name stands for those that were run here."""
        with self._database.read() as connection:
            return sorted(connection.execute(select(schema.runs.c.source).distinct()).scalars())

    @patient
    def bundle(self, run_id: str, *, events: bool = True) -> Bundle:
        """Give a run with all that belongs to it, as it was at one moment."""
        with self._database.read() as connection:
            return Bundle(
                run=_runs.get(connection, run_id, self._kinds),
                steps=[Step(**row) for row in connection.execute(_of(schema.steps, run_id, "number")).mappings()],
                attempts=_attempts.of(connection, run_id),
                checks=_checks.of(connection, run_id),
                comments=_comments.of(connection, run_id),
                acceptances=_comments.accepted(connection, run_id),
                rollups=_rollups(connection, run_id),
                session=_session(connection, run_id),
                events=_events.of(connection, run_id, 0, None) if events else (),
                evaluations=_evaluations.of(connection, run_id),
            )

    @patient
    def errors(self, run_id: str) -> Sequence[ErrorGroup]:
        """Give a run's errors, like ones together, the most frequent first."""
        with self._database.read() as connection:
            return _errors(connection, run_id)

    @patient
    def actions(self, run_id: str) -> Sequence[Event]:
        """Give a run's calls, results and retries, without what was said in them."""
        names = ("kind", "tool", "call_id", "command", "path", "is_error", "attempt_id", "seq")
        columns = [schema.events.c[name] for name in names]
        chosen = select(*columns).where(schema.events.c.run_id == run_id, schema.events.c.kind.in_(_ACTIONS))
        with self._database.read() as connection:
            rows = connection.execute(chosen.order_by(schema.events.c.seq))
            return [Event(**dict(zip(names, row, strict=True))) for row in rows]

    @patient
    def bring(self, bundle: Bundle, *, replace: bool = False) -> bool:
        """Write an exported run as a whole; where it is there, over that or not at all. Say whether it was there."""
        run_id = bundle.run.id
        with self._database.write() as connection:
            was_there = is_there(connection, schema.runs, run_id)
            if was_there and not replace:
                raise UsageError(f"run `{short(run_id)}` is there already", "--force puts the file in its place")
            if was_there:
                _refuse_at_work(connection, run_id)
            _refuse_copy(connection, bundle.session)
            for table in _BELONGING if was_there else ():
                connection.execute(delete(table).where(table.c.run_id == run_id))
            if was_there:
                connection.execute(delete(schema.runs).where(schema.runs.c.id == run_id))
            _write(connection, bundle)
        return was_there


def _of(table: Any, run_id: str, order: str) -> Select[Any]:
    return select(table).where(table.c.run_id == run_id).order_by(table.c[order])


def _rollups(connection: Connection, run_id: str) -> list[Rollup]:
    rows = connection.execute(_of(schema.rollups, run_id, "tool")).mappings()
    return [Rollup(**{name: value for name, value in row.items() if name != "run_id"}) for row in rows]


def _session(connection: Connection, run_id: str) -> Session | None:
    row = connection.execute(select(schema.sessions).where(schema.sessions.c.run_id == run_id)).mappings().first()
    if row is None:
        return None
    usage = connection.execute(_of(schema.daily_usage, run_id, "day")).mappings()
    return Session(
        **row,
        usage=[DailyUsage(used["day"], used["model"], to_usage(used), used["cost_usd"]) for used in usage],
    )


def _errors(connection: Connection, run_id: str) -> list[ErrorGroup]:
    table = schema.events
    mark = func.coalesce(table.c.fingerprint, literal_column("''"))
    groups = (
        select(mark, table.c.error_kind, func.count(), func.min(table.c.seq), func.max(table.c.seq))
        .where(table.c.run_id == run_id, table.c.error_kind.is_not(None))
        .group_by(mark, table.c.error_kind)
    )
    found = connection.execute(groups).all()
    told = _told(connection, run_id, [seq for group in found for seq in group[3:5]])
    listed = [_group(*tuple(group), told=told) for group in found]
    return sorted(listed, key=lambda group: (-group.count, group.first_seq))


def _group(mark: str, kind: str, count: int, first: int, last: int, *, told: dict[int, Any]) -> ErrorGroup:
    began = told[first]
    return ErrorGroup(mark, kind, count, began.tool or "", began.message, first, began.at, told[last].at)


def _told(connection: Connection, run_id: str, numbers: Sequence[int]) -> dict[int, Any]:
    """Read when events were and, cut, what they say."""
    columns = (schema.events.c.seq, schema.events.c.at, func.substr(schema.events.c.text, 1, _MESSAGE).label("message"))
    found: dict[int, Any] = {}
    for some in batches(numbers):
        wanted = schema.events.c.seq.in_(some)
        chosen = select(*columns, schema.events.c.tool).where(schema.events.c.run_id == run_id, wanted)
        found.update((row.seq, row) for row in connection.execute(chosen))
    return found


def _refuse_at_work(connection: Connection, run_id: str) -> None:
    found = select(schema.runs.c.status, schema.runs.c.source).where(schema.runs.c.id == run_id)
    status, source = connection.execute(found).one()
    if status in (Status.RUNNING, Status.QUEUED) and not source:
        raise UsageError(f"run `{short(run_id)}` is {status} here", "wait for its end, or close it")


def _refuse_copy(connection: Connection, session: Session | None) -> None:
    """A session is one run, whichever way it came in."""
    if session is None:
        return
    same = (schema.sessions.c.format == session.format, schema.sessions.c.session_id == session.session_id)
    other = connection.execute(select(schema.sessions.c.run_id).where(*same)).scalar()
    if other not in (None, session.run_id):
        raise UsageError(f"the session `{session.session_id}` is there already", f"it is run `{short(str(other))}`")


def _write(connection: Connection, bundle: Bundle) -> None:
    run_id = bundle.run.id
    _runs.add(connection, bundle.run)
    for step in bundle.steps:
        _attempts.add_step(connection, step)
    for attempt in bundle.attempts:
        _attempts.save(connection, attempt)
    _checks.add(connection, bundle.checks)
    for comment in bundle.comments:
        _comments.add(connection, comment)
    for acceptance in bundle.acceptances:
        _comments.accept(connection, acceptance)
    if bundle.session:
        _sessions.save_session(connection, bundle.session, bundle.events)
    for evaluation in bundle.evaluations:
        _evaluations.save(connection, evaluation)
    if bundle.events:
        _events.write(connection, _events.rows(run_id, bundle.events))
    if bundle.rollups:
        rows = [{"run_id": run_id, **dataclasses.asdict(rollup)} for rollup in bundle.rollups]
        connection.execute(insert(schema.rollups), rows)
    _outcomes.refresh(connection, [run_id])
    if bundle.run.source:
        _outcomes.note_events(connection, run_id, bundle.events)
    else:
        _outcomes.note_end(connection, run_id)
        _outcomes.note_checks(connection, bundle.checks)
