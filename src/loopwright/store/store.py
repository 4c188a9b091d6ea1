"""The store as the rest of Loopwright sees it: records in, records out. Satisfies ports.RunStore."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from sqlalchemy import Connection

from loopwright.records.check import Check
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.lease import Lease
from loopwright.records.run import Acceptance, Attempt, Comment, Run, Status, Step
from loopwright.records.shape import Kinds
from loopwright.records.signal import Signal
from loopwright.records.trace import Trace
from loopwright.store import attempts as _attempts
from loopwright.store import checks as _checks
from loopwright.store import comments as _comments
from loopwright.store import evaluations as _evaluations
from loopwright.store import events as _events
from loopwright.store import leases as _leases
from loopwright.store import measured as _measured
from loopwright.store import outcomes as _outcomes
from loopwright.store import retention as _retention
from loopwright.store import rollups as _rollups
from loopwright.store import runs as _runs
from loopwright.store.choices import Choices
from loopwright.store.database import Database, Taken
from loopwright.store.experiments import Experiments
from loopwright.store.failures import Failures
from loopwright.store.finding import find
from loopwright.store.findings import Findings
from loopwright.store.graph import KnowledgeGraph
from loopwright.store.measured import Measured
from loopwright.store.observed import ObservedStore
from loopwright.store.outcomes import Outcomes
from loopwright.store.patches import Patches
from loopwright.store.patience import Patience, patient
from loopwright.store.recorded import Recorded
from loopwright.store.retention import Removed, Told
from loopwright.store.reviews import Reviews
from loopwright.store.sent import Sent
from loopwright.store.versions import Versions
from loopwright.store.viewing import rows_of
from loopwright.store.watches import Watches
from loopwright.store.windows import Windows


class Store:
    """Runs and all that belongs to them in a database. Any thread may use it at any time."""

    def __init__(self, database: Database, kinds: Kinds, lease: Lease | None = None) -> None:
        self._database, self._kinds, self._lease = database, kinds, lease
        self.observed, self.sent = ObservedStore(database), Sent(database)
        self.measured, self.outcomes = Measured(database), Outcomes(database)
        self.versions, self.experiments, self.watches = Versions(database), Experiments(database), Watches(database)
        self.choices, self.reviews = Choices(database), Reviews(database)
        self.findings, self.windows, self.patches = Findings(database), Windows(database), Patches(database)
        self.failures, self.graph = Failures(database), KnowledgeGraph(database)

    @property
    def patience(self) -> Patience:
        return self._database.patience

    @property
    def recorded(self) -> Recorded:
        """Give what is read of runs to show them."""
        return Recorded(self._database, self._kinds)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def heed(self, stop: threading.Event) -> None:
        """Let a wait for room on the disk end when this is set."""
        self._database.patience = dataclasses.replace(self.patience, stop=stop)

    def under(self, lease: Lease) -> Store:
        """Give the same store for who holds a lease: every write checks it, and is refused once somebody else has."""
        return Store(self._database, self._kinds, lease)

    @patient
    def add_run(self, run: Run, step: Step, holder: str = "") -> Lease:
        """Write a new run and its step, and give it to its first holder."""
        with self._write() as connection:
            if _attempts.has_step(connection, step):
                return _leases.get(connection, run.id)
            _runs.add(connection, run)
            _attempts.add_step(connection, step)
            _outcomes.refresh(connection, [run.id])
            return _leases.add(connection, run.id, holder)

    @patient
    def save_run(self, run: Run) -> None:
        """Write what a run is now over what it was."""
        with self._write() as connection:
            _runs.save(connection, run)
            _outcomes.refresh(connection, [run.id])
            if run.ended_at:
                _outcomes.note_end(connection, run.id)

    @patient
    def save_attempt(self, attempt: Attempt) -> None:
        """Write an attempt: once when it starts and once when it has ended."""
        with self._write() as connection:
            _attempts.save(connection, attempt)

    @patient
    def append_events(self, run_id: str, events: Sequence[Event]) -> None:
        """Write events, numbered by the caller; all of them or, when one number is taken, none."""
        if not events:
            return
        rows, counted = _events.rows(run_id, events), _rollups.prepare(run_id, events)  # nobody waits for us meanwhile
        try:
            with self._write() as connection:
                _events.append(connection, rows, counted)
        except Taken:
            with self._database.read() as connection:
                if not _events.is_there(connection, run_id, events):
                    raise

    @patient
    def add_signals(self, found: Sequence[Signal]) -> None:
        """Write signals, over what was there of them."""
        if found:
            with self._write() as connection:
                _measured.write(connection, found)

    @patient
    def add_checks(self, checks: Sequence[Check]) -> None:
        """Write checks, after those that are there."""
        if checks:
            with self._write() as connection:
                _checks.add(connection, checks)
                _outcomes.note_checks(connection, checks)

    @patient
    def add_comment(self, comment: Comment) -> None:
        """Write a human's word."""
        with self._write() as connection:
            _comments.add(connection, comment)
            _outcomes.refresh(connection, [comment.run_id])

    @patient
    def add_acceptance(self, acceptance: Acceptance) -> None:
        """Write a human's word on tampering."""
        with self._write() as connection:
            _comments.accept(connection, acceptance)

    @patient
    def add_evaluation(self, evaluation: Evaluation) -> None:
        """Write what a critic thinks of a run, over what it thought of the same before."""
        with self._write() as connection:
            _evaluations.save(connection, evaluation)

    @patient
    def evaluations(self, run_id: str) -> Sequence[Evaluation]:
        """Give what was thought of a run, the oldest first."""
        with self._database.read() as connection:
            return _evaluations.of(connection, run_id)

    @patient
    def lease(self, run_id: str) -> Lease:
        """Give who holds a run."""
        with self._database.read() as connection:
            return _leases.get(connection, run_id)

    @patient
    def take(self, seen: Lease, holder: str) -> Lease | None:
        """Take a run over; None where its lease is not any more what was seen."""
        with self._database.write() as connection:
            return _leases.take(connection, seen, holder)

    @patient
    def renew(self, lease: Lease) -> bool:
        """Show that a holder is alive; False where it was taken over."""
        with self._database.write() as connection:
            return _leases.renew(connection, lease)

    @patient
    def release(self, lease: Lease) -> None:
        """Leave a run to others."""
        with self._database.write() as connection:
            _leases.release(connection, lease)

    @patient
    def acceptances(self, run_id: str) -> Sequence[Acceptance]:
        """Give what a human has accepted in a run, the oldest first."""
        with self._database.read() as connection:
            return _comments.accepted(connection, run_id)

    @patient
    def run(self, run_id: str) -> Run:
        """Give a run by its full id; see `find` for what people type."""
        with self._database.read() as connection:
            return _runs.get(connection, run_id, self._kinds)

    @patient
    def step(self, run_id: str) -> Step:
        """Give a run's first step."""
        with self._database.read() as connection:
            return _attempts.step_of(connection, run_id)

    @patient
    def attempts(self, run_id: str) -> Sequence[Attempt]:
        """Give a run's attempts, the first one first."""
        with self._database.read() as connection:
            return _attempts.of(connection, run_id)

    @patient
    def checks(self, run_id: str) -> Sequence[Check]:
        """Give a run's checks in the order in which they were added."""
        with self._database.read() as connection:
            return _checks.of(connection, run_id)

    @patient
    def comments(self, run_id: str) -> Sequence[Comment]:
        """Give a run's comments, the oldest first."""
        with self._database.read() as connection:
            return _comments.of(connection, run_id)

    @patient
    def last_seq(self, run_id: str) -> int:
        """Give the number of the newest event; 0 where there is none."""
        with self._database.read() as connection:
            return _events.last_seq(connection, run_id)

    @patient
    def events(
        self, run_id: str, after: int = 0, limit: int | None = None, kind: EventKind | None = None
    ) -> Sequence[Event]:
        """Give a run's events with numbers above `after`, in order; all, or those of a kind."""
        with self._database.read() as connection:
            return _events.of(connection, run_id, after, limit, kind)

    @patient
    def runs(self, limit: int | None = None, status: Status | None = None) -> Sequence[Run]:
        """Give the runs, the newest first."""
        with self._database.read() as connection:
            return _runs.newest(connection, self._kinds, limit, status)

    @patient
    def queue(self) -> Sequence[Run]:
        """Give the runs that wait for a human, the newest first."""
        with self._database.read() as connection:
            return _runs.waiting(connection, self._kinds)

    @patient
    def spent_since(self, moment: str) -> float:
        """Give the US dollars that all attempts cost that began at a moment or later."""
        with self._database.read() as connection:
            return _attempts.spent_since(connection, moment)

    @patient
    def find(self, name: str) -> str:
        """Give the id of the run that a person means: its id, a part of it, or `last`."""
        with self._database.read() as connection:
            return find(connection, name)

    @patient
    def traces(self) -> Sequence[Trace]:
        """Give what each run may have left on disk, without reading the runs themselves."""
        with self._database.read() as connection:
            return _retention.traces(connection)

    @patient
    def remove_events(self, before: str, told: Told = lambda done, of: None, *, dry_run: bool = False) -> Removed:
        """Remove the events of runs that ended before a moment and wait for nobody; a note stays in their place."""
        if not dry_run:
            self.sent.remove_spans(before)
        return _retention.remove(self._database, before, told, dry_run=dry_run)

    @patient
    def view(self, name: str, run_id: str | None = None) -> Sequence[dict[str, Any]]:
        """Give the rows of a view for people who write SQL, of one run or of all."""
        with self._database.read() as connection:
            return rows_of(connection, name, run_id)

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._database.write() as connection:
            if self._lease is not None:
                _leases.check(connection, self._lease)
            yield connection
