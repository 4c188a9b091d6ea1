"""Sessions that ran elsewhere, as ingest sees them: records in, records out. Satisfies ingest.ports.SessionStore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.records.session import Observation, Source
from loopwright.records.summary import Summary
from loopwright.store import events as _events
from loopwright.store import sessions as _sessions
from loopwright.store import summaries as _summaries
from loopwright.store.database import Database
from loopwright.store.patience import Patience, patient


class ObservedStore:
    """The sessions of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def patience(self) -> Patience:
        return self._database.patience

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
    def session_heads(self) -> Mapping[str, Sequence[str]]:
        """Give the ids of the first messages of all sessions, with the runs that have them."""
        with self._database.read() as connection:
            return _sessions.all_heads(connection)

    @patient
    def event_names(self, run_ids: Sequence[str]) -> frozenset[str]:
        """Give by what one knows the events of runs again in a copy."""
        with self._database.read() as connection:
            return _events.names(connection, run_ids)

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
