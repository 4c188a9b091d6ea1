"""Sessions that ran elsewhere, as ingest sees them: records in, records out. Satisfies ingest.ports.SessionStore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.records.event import Event
from loopwright.records.session import Observation, Source
from loopwright.records.summary import Portion, Summary
from loopwright.store import copies as _copies
from loopwright.store import sessions as _sessions
from loopwright.store import summaries as _summaries
from loopwright.store.database import OnDatabase
from loopwright.store.patience import patient


class ObservedStore(OnDatabase):
    """The sessions of a store."""

    @patient
    def sources(self) -> Mapping[str, Source]:
        """Give the files in which sessions were looked for, by path."""
        with self._database.read() as connection:
            return _sessions.all_sources(connection)

    @patient
    def session_runs(self) -> Mapping[tuple[str, str], str]:
        """Give the runs of the sessions that are there, by format and session."""
        with self._database.read() as connection:
            return _sessions.run_ids(connection)

    @patient
    def news(self) -> Sequence[str]:
        """Give the runs of sessions that nobody has compared with the others since they were written."""
        with self._database.read() as connection:
            return _copies.news(connection)

    @patient
    def marks(self, run_ids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Give by what copies of sessions are known: their runs, and lines of marks."""
        with self._database.read() as connection:
            return _copies.marks(connection, run_ids)

    @patient
    def kin(self) -> Sequence[Sequence[str]]:
        """Give the runs that were found to have something in common."""
        with self._database.read() as connection:
            return _copies.kin(connection)

    @patient
    def counted(self, run_id: str, after: int, limit: int) -> Sequence[Event]:
        """Give the events of a run after a number, without what was said in them."""
        with self._database.read() as connection:
            return _copies.counted(connection, run_id, after, limit)

    @patient
    def settle(self, portions: Mapping[str, Sequence[Portion]]) -> None:
        """Write what sessions share with others, by run; they are compared then."""
        with self._database.write() as connection:
            _copies.settle(connection, portions)

    @patient
    def save_observations(self, batch: Sequence[Observation]) -> None:
        """Write sessions that ran elsewhere, or more of them."""
        with self._database.write() as connection:
            _sessions.save(connection, batch)

    @patient
    def save_sources(self, sources: Sequence[Source]) -> None:
        """Write what files were looked at."""
        with self._database.write() as connection:
            _sessions.save_sources(connection, sources)

    @patient
    def summaries(self, run_ids: Sequence[str]) -> Sequence[Summary]:
        """Give the sessions of runs in short, the newest first."""
        with self._database.read() as connection:
            return _summaries.of(connection, run_ids)
