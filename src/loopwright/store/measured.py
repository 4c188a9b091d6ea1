"""What is measured, in and out of its tables: signals, and what humans say of them and of runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, func, select

from loopwright.errors import UnknownName, UsageError
from loopwright.records.event import Event, EventKind
from loopwright.records.feedback import Feedback
from loopwright.records.identity import timestamp
from loopwright.records.insight import Cell, Gap, Remedied
from loopwright.records.practice import Practice
from loopwright.records.signal import Precision, Signal, SignalSource
from loopwright.store import events as _events
from loopwright.store import outcomes as _outcomes
from loopwright.store import practices as _practices
from loopwright.store import sessions as _sessions
from loopwright.store.batches import batches
from loopwright.store.database import OnDatabase
from loopwright.store.finding import MIN_PART
from loopwright.store.patience import patient
from loopwright.store.schema import runs
from loopwright.store.schema_measured import answers, feedback, judged, measured, signal_marks, signals

_EVENTS = 5000
"""So many are held in memory at a time."""
_SHOWN = 10
_FIELDS = tuple(column.name for column in signals.c)


class Measured(OnDatabase):
    """The part of the store that measure reads and writes. Satisfies measure.measuring.MeasureStore."""

    @patient
    def unmeasured(self, detectors: str, run_ids: Sequence[str] | None = None) -> Sequence[str]:
        """Give the runs, of all or of some, that these detectors have not looked at as they are now."""
        seen = select(measured.c.run_id).where(measured.c.detectors == detectors)
        with self._database.read() as connection:
            known = set(connection.execute(seen).scalars())
            wanted = run_ids if run_ids is not None else connection.execute(select(runs.c.id)).scalars()
            return [run_id for run_id in wanted if run_id not in known]

    def events(self, run_id: str, kinds: Sequence[EventKind]) -> Iterator[Sequence[Event]]:
        """Give a run's events of some kinds in order, in parts."""
        after = 0
        while part := self._part(run_id, after, kinds):
            yield part
            after = part[-1].seq

    @patient
    def _part(self, run_id: str, after: int, kinds: Sequence[EventKind]) -> Sequence[Event]:
        with self._database.read() as connection:
            return _events.of_kinds(connection, run_id, after, _EVENTS, kinds)

    @patient
    def save(self, found: Sequence[Signal], practice: Practice, detectors: str) -> None:
        """Write what rules found in a run, in place of what they had found before."""
        run_id = practice.run_id
        with self._database.write() as connection:
            connection.execute(delete(signals).where(signals.c.run_id == run_id, signals.c.source == "rule"))
            _sessions.upsert(connection, signals, [_row(signal) for signal in found])
            _practices.save(connection, practice)
            _sessions.upsert(connection, measured, [{"run_id": run_id, "detectors": detectors}])

    @patient
    def save_judged(self, run_id: str, found: Sequence[Signal], spent_usd: float) -> None:
        """Write what a model found in a run, in place of what it had found before, and what all looks have cost."""
        with self._database.write() as connection:
            mine = (signals.c.run_id == run_id, signals.c.source == "judge")
            connection.execute(delete(signals).where(*mine))
            _sessions.upsert(connection, signals, [_row(signal) for signal in found])
            _sessions.upsert(connection, judged, [{"run_id": run_id, "cost_usd": spent_usd}])

    @patient
    def spent_judging(self, run_id: str) -> float:
        """Give what looks of a model at a run have cost so far."""
        with self._database.read() as connection:
            spent = connection.execute(select(judged.c.cost_usd).where(judged.c.run_id == run_id))
            return float(spent.scalar_one_or_none() or 0.0)

    @patient
    def add(self, found: Sequence[Signal]) -> None:
        """Write signals, over what was there of them."""
        with self._database.write() as connection:
            write(connection, found)

    @patient
    def signals(
        self,
        run_ids: Sequence[str] | None = None,
        type_name: str = "",
        source: SignalSource | None = None,
    ) -> Sequence[Signal]:
        """Give signals of runs, or of all, with what a human said of them, the oldest first."""
        with self._database.read() as connection:
            found: list[Signal] = []
            for part in _parts(run_ids):
                rows = connection.execute(_chosen(part, type_name, source)).mappings()
                found += [_signal(row) for row in rows]
            return found

    @patient
    def newest(self, run_id: str | None, type_name: str, since: str, limit: int | None) -> tuple[Sequence[Signal], int]:
        """Give the newest signals since a moment, of one run or of all, the oldest first, and how many there are."""
        chosen = _chosen([run_id] if run_id else None, type_name, None).where(signals.c.at >= since)
        backwards = chosen.order_by(None).order_by(signals.c.at.desc(), signals.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            found = [_signal(row) for row in connection.execute(backwards).mappings()]
            total = connection.execute(select(func.count()).select_from(chosen.order_by(None).subquery())).scalar_one()
        return found[::-1], total

    @patient
    def find(self, name: str) -> Signal:
        """Give the signal that a person means by its id, or by the beginning of it."""
        wanted = name.strip().lower()
        if len(wanted) < MIN_PART:
            raise UsageError(f"`{name}` is too short for a signal", f"give {MIN_PART} characters of its id or more")
        begins = signals.c.id.startswith(wanted, autoescape=True)
        with self._database.read() as connection:
            rows = connection.execute(_chosen(None, "", None).where(begins).limit(_SHOWN)).mappings().all()
        if not rows:
            raise UnknownName("signal", name, (), "see: loopwright signals")
        if len(rows) > 1:
            listed = "\n".join(f"  {row['id']}  {row['type']}" for row in rows)
            raise UsageError(f"`{name}` is more than one signal", f"say more of the id:\n{listed}")
        return _signal(rows[0])

    @patient
    def mark(self, signal: Signal, *, wrong: bool, reason: str = "") -> None:
        """Write that a human called a signal wrong, or right."""
        row = {"signal_id": signal.id, "run_id": signal.run_id, "type": signal.type}
        with self._database.write() as connection:
            words = {"is_wrong": wrong, "at": timestamp(), "reason": reason}
            _sessions.upsert(connection, signal_marks, [row | words])

    @patient
    def wrong(self, type_name: str) -> Collection[str]:
        """Give the ids of the signals of a type that a human called wrong."""
        chosen = select(signal_marks.c.signal_id).where(signal_marks.c.type == type_name, signal_marks.c.is_wrong)
        with self._database.read() as connection:
            return set(connection.execute(chosen).scalars())

    @patient
    def precision(self) -> Sequence[Precision]:
        """Give how often each detector fired, and what humans said of that."""
        counted = select(signals.c.type, func.count()).group_by(signals.c.type)
        marked = select(signal_marks.c.type, signal_marks.c.is_wrong, func.count())
        with self._database.read() as connection:
            fired: dict[str, int] = {row[0]: row[1] for row in connection.execute(counted)}
            said = {
                (name, wrong): count
                for name, wrong, count in connection.execute(
                    marked.group_by(signal_marks.c.type, signal_marks.c.is_wrong)
                )
            }
        names = sorted({*fired, *(name for name, _ in said)})
        return [
            Precision(name, fired.get(name, 0), said.get((name, False), 0), said.get((name, True), 0)) for name in names
        ]

    @patient
    def gaps(self, fewest_runs: int, limit: int) -> Sequence[Gap]:
        """Give the errors that come in so many runs or more, those of the most runs first."""
        with self._database.read() as connection:
            return _practices.gaps(connection, fewest_runs, limit)

    @patient
    def remedied(self) -> Sequence[Remedied]:
        """Give how often each remedy was tried after a failure, and went well."""
        with self._database.read() as connection:
            return _practices.remedied(connection)

    @patient
    def cells(self) -> Sequence[Cell]:
        """Give all runs, as far as they are compared."""
        with self._database.read() as connection:
            return _practices.cells(connection)

    @patient
    def calls(self, run_ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Give the calls of each tool, by run."""
        with self._database.read() as connection:
            return _practices.calls(connection, run_ids)

    @patient
    def counts(self, since: str = "") -> Mapping[str, int]:
        """Give how many signals of each type there are since a moment, without those that a human called wrong."""
        found = select(signals.c.type, func.count()).where(signals.c.at >= since).group_by(signals.c.type)
        marked = select(signal_marks.c.signal_id).where(signal_marks.c.is_wrong)
        with self._database.read() as connection:
            wrong = {row[0]: row[1] for row in connection.execute(found.where(signals.c.id.in_(marked)))}
            counted = {row[0]: row[1] - wrong.get(row[0], 0) for row in connection.execute(found)}
        return {name: count for name, count in counted.items() if count}

    @patient
    def add_feedback(self, given: Feedback) -> None:
        """Write what a human thinks of a run; who looks for signals looks at it again."""
        with self._database.write() as connection:
            _sessions.upsert(connection, feedback, [vars(given)])
            connection.execute(delete(measured).where(measured.c.run_id == given.run_id))
            _outcomes.refresh(connection, [given.run_id])

    @patient
    def feedback(self, run_id: str | None = None) -> Sequence[Feedback]:
        """Give what humans said of a run, or of all, the oldest first."""
        chosen = select(feedback).order_by(feedback.c.at, feedback.c.id)
        with self._database.read() as connection:
            rows = connection.execute(chosen if run_id is None else chosen.where(feedback.c.run_id == run_id))
            return [Feedback(**row) for row in rows.mappings()]

    @patient
    def answer(self, key: str) -> Mapping[str, Any] | None:
        """Give what a model answered to a question; None where it was not asked."""
        with self._database.read() as connection:
            found = connection.execute(select(answers.c.answer).where(answers.c.key == key)).scalar_one_or_none()
            return found if isinstance(found, dict) else None

    @patient
    def keep_answer(self, key: str, model: str, answer: Mapping[str, Any], cost_usd: float | None) -> None:
        """Write what a model answered."""
        row = {"key": key, "model": model, "at": timestamp(), "answer": answer, "cost_usd": cost_usd}
        with self._database.write() as connection:
            _sessions.upsert(connection, answers, [row])


def write(connection: Connection, found: Sequence[Signal]) -> None:
    """Write signals, over what was there of them."""
    _sessions.upsert(connection, signals, [_row(signal) for signal in found])


def _chosen(run_ids: Sequence[str] | None, type_name: str, source: SignalSource | None) -> Select[tuple[object, ...]]:
    joined = signals.outerjoin(signal_marks, signal_marks.c.signal_id == signals.c.id)
    chosen = select(signals, signal_marks.c.is_wrong).select_from(joined).order_by(signals.c.at, signals.c.id)
    if run_ids is not None:
        chosen = chosen.where(signals.c.run_id.in_(run_ids))
    if type_name:
        chosen = chosen.where(signals.c.type == type_name)
    return chosen.where(signals.c.source == source) if source else chosen


def _parts(names: Sequence[str] | None) -> Iterator[Sequence[str] | None]:
    if names is None:
        yield None
        return
    yield from batches(names)


def _signal(row: RowMapping) -> Signal:
    return Signal(**{**row, "events": tuple(row["events"])})


def _row(signal: Signal) -> dict[str, object]:
    return {name: value for name, value in vars(signal).items() if name in _FIELDS} | {"events": list(signal.events)}
