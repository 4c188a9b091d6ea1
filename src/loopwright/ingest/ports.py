"""The plug points of ingest: a format, what it gives, and the store that it goes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from loopwright.records.event import Event
from loopwright.records.session import Observation, Source
from loopwright.records.span import Placed, StoredSpan
from loopwright.records.summary import Portion


@dataclass
class About:
    """What a record says of its session as a whole; filled while it is read."""

    agent: str = ""
    """Empty: the one whose format it is."""
    agent_version: str = ""
    model: str = ""
    project: str = ""
    branch: str = ""
    commit: str = ""
    goal: str = ""
    """The first thing that a human asked for."""
    title: str = ""
    task_type: str = ""
    prompt_version: str = ""
    heads: list[str] = field(default_factory=list)
    """Ids of its first messages, which a copy of the session has as well."""
    attributes: dict[str, Any] = field(default_factory=dict)


class Reading(Protocol):
    """One session on its way to events."""

    about: About
    """Complete when all events were given."""

    def events(self) -> Iterator[Event]:
        """Give what happened, each with its time; what is not understood comes as raw. It never raises ValueError."""
        ...


class Format(Protocol):
    """One way in which agents keep a record of their sessions."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the files and folders in which an agent keeps them, unless it is told otherwise."""
        ...

    def recognises(self, head: bytes) -> bool:
        """Tell by the first bytes of a file whether it is one."""
        ...

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the ids of the sessions in a file."""
        ...

    def read(self, session_id: str, paths: Sequence[Path]) -> Reading:
        """Begin to read a session from the files in which it is."""
        ...


class SessionStore(Protocol):
    """Where sessions are written that ran elsewhere."""

    def sources(self) -> Mapping[str, Source]:
        """Give the files that were looked at before, by path."""
        ...

    def session_runs(self) -> Mapping[tuple[str, str], str]:
        """Give the runs of the sessions that are there, by format and session."""
        ...

    def save_observations(self, batch: Sequence[Observation]) -> None:
        """Write sessions, or more of them."""
        ...

    def save_sources(self, sources: Sequence[Source]) -> None: ...

    def news(self) -> Sequence[str]:
        """Give the runs of sessions that nobody has compared with the others since they were written."""
        ...

    def marks(self, run_ids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Give by what copies of sessions are known: their runs, and lines of marks."""
        ...

    def kin(self) -> Sequence[Sequence[str]]:
        """Give the runs that were found to have something in common."""
        ...

    def counted(self, run_id: str, after: int, limit: int) -> Sequence[Event]:
        """Give the events of a run after a number, without what was said in them."""
        ...

    def settle(self, portions: Mapping[str, Sequence[Portion]]) -> None:
        """Write what sessions share with others, by run; they are compared then."""
        ...


class SentStore(Protocol):
    """Where spans are written that other programs send, and found again as sessions."""

    def add_spans(self, batch: Sequence[StoredSpan]) -> None:
        """Write spans, over what was there of them."""
        ...

    def unsettled_traces(self, limit: int) -> Sequence[str]:
        """Give traces of which spans have come since their sessions were made."""
        ...

    def places(self, traces: Sequence[str]) -> Sequence[Placed]:
        """Give what decides on the sessions of all spans of traces, and which they are in."""
        ...

    def place(self, placed: Sequence[tuple[Placed, str]]) -> None:
        """Write to which sessions spans belong."""
        ...

    def settle(self, placed: Sequence[Placed]) -> None:
        """Note that the sessions of spans have been made, unless a span has come again since."""
        ...

    def session_spans(self, session_id: str) -> Sequence[dict[str, Any]]:
        """Give the spans of a session as plain data, in the order of their times."""
        ...

    def count_spans(self, session_id: str) -> int: ...

    def run_of(self, format_name: str, session_id: str) -> str | None:
        """Give the run that a session is; None where it is none yet."""
        ...

    def rename_session(self, run_id: str, session_id: str) -> None: ...

    def remove_session(self, run_id: str) -> None:
        """Remove a session of which nothing is left."""
        ...
