"""A file with traces in OTLP's JSON, one document or one in each line -> the sessions in it, and the spans of each.

Of a large file only is remembered which lines a session needs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loopwright.ingest.lines import BOM, is_dense
from loopwright.ingest.otlp_json import Sent, spans_in
from loopwright.ingest.plain import weight_of
from loopwright.ingest.reading import document_of, parsed
from loopwright.ingest.span import Span, conversation_of, kind_of, span_of
from loopwright.ingest.span_sessions import Tie, sessions_of

_LONGEST = 64_000_000
_MOST_TIES = 200_000
"""Of more spans, those that name no conversation belong to the first one of their trace."""


class SpanFile:
    """One file, looked through once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_document = False
        self._document: list[Sent | None] | None = None
        self._lines: dict[str, array[int]] = {}
        """Trace -> where the lines begin in which it is."""
        self._lost: list[int] = []
        self._first: dict[str, str] = {}
        self._apart: dict[tuple[str, str], str] = {}
        """The spans that belong to another session than the rest of their trace."""
        self._agents: set[str] = set()
        """Traces in which an agent is at work."""
        self._traces: dict[str, list[str]] = {}
        """Session -> the traces in which it is."""
        self._look()

    def sessions(self) -> list[str]:
        """Give the ids of the sessions in it."""
        return list(self._traces)

    def spans(self, session_id: str) -> Iterator[tuple[Span, int]]:
        """Give the spans of a session, and about how many characters each has."""
        for sent in self._sent(session_id):
            if sent is not None and self._session(sent) == session_id and sent.trace in self._agents:
                yield span_of(sent), weight_of(sent.attributes)

    def lost(self, session_id: str) -> Iterator[bytes]:
        """Give what could not be read; it is told of with the first session."""
        if session_id == next(iter(self._traces), None):
            for _, line in self._read(array("q", self._lost)):
                yield line

    def forget(self) -> None:
        """Let go of what can be read again."""
        self._document = None

    def _look(self) -> None:
        ties: list[Tie] = []
        for place, line in self._all_lines():
            found = _parsed(line)
            if found is None and place == 0:
                self._is_document = True
                self._note(self._whole(), 0, ties)
                break
            spans = list(spans_in(found))
            if not spans or None in spans:
                self._lost.append(place)
            self._note(spans, place, ties)
        for key, session in sessions_of(ties).items():
            if session != self._first.get(key[0], key[0]):
                self._apart[key] = session
        named = {(trace, self._first.get(trace, trace)): None for trace in self._lines if trace in self._agents}
        named |= {(trace, name): None for (trace, _), name in self._apart.items() if trace in self._agents}
        for trace, name in named:
            self._traces.setdefault(name, []).append(trace)

    def _note(self, spans: list[Sent | None], place: int, ties: list[Tie]) -> None:
        for sent in spans:
            if sent is None:
                continue
            lines = self._lines.setdefault(sent.trace, array("q"))
            if not lines or lines[-1] != place:
                lines.append(place)
            named = conversation_of(sent.attributes)
            if named:
                self._first.setdefault(sent.trace, named)
            if sent.trace not in self._agents and kind_of(sent.attributes) != "other":
                self._agents.add(sent.trace)
            if len(ties) < _MOST_TIES:
                ties.append(Tie(sent.trace, sent.id, sent.parent, named, sent.began))

    def _session(self, sent: Sent) -> str:
        key = sent.trace, sent.id
        return self._apart.get(key) or conversation_of(sent.attributes) or self._first.get(sent.trace, sent.trace)

    def _sent(self, session_id: str) -> Iterator[Sent | None]:
        if self._is_document:
            yield from self._whole()
            return
        places = {place for trace in self._traces.get(session_id, ()) for place in self._lines[trace]}
        for _, line in self._read(array("q", sorted(places))):
            yield from spans_in(_parsed(line))

    def _whole(self) -> list[Sent | None]:
        if self._document is None:
            self._document = list(spans_in(document_of(self._path)))
        return self._document

    def _all_lines(self) -> Iterator[tuple[int, bytes]]:
        """Give each line and where it begins; what is longer than anybody holds is cut, and so lost."""
        with self._path.open("rb") as file:
            place = 0
            while line := file.readline(_LONGEST):
                if line.strip():
                    yield place, line
                while line and not line.endswith(b"\n"):
                    line = file.readline(_LONGEST)
                place = file.tell()

    def _read(self, places: array[int]) -> Iterator[tuple[int, bytes]]:
        with self._path.open("rb") as file:
            for place in places:
                file.seek(place)
                yield place, file.readline(_LONGEST)


def _parsed(line: bytes) -> Any:
    return None if is_dense(line) else parsed(line.removeprefix(BOM))
