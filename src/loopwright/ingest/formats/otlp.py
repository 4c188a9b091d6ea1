"""Traces of OpenTelemetry in files, as the collector's file exporter writes them; what is posted is in traces.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from loopwright.ingest.span import Span
from loopwright.ingest.span_file import SpanFile
from loopwright.ingest.span_story import Story
from loopwright.text.bounded import forget_oldest

_BEGINS = re.compile(rb'\s*\{\s*"resourceSpans"\s*:')
_MOST = 100
"""So many files are remembered."""
_SPANS = 10_000
_HEAVY = 30_000_000
"""So many spans are told of together, or so many characters of them."""


class Otlp:
    """The format `otlp`."""

    def __init__(self) -> None:
        self._files: dict[Path, SpanFile] = {}

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name no place: whoever writes traces says where."""
        return []

    def recognises(self, head: bytes) -> bool:
        """Look for how a request to export begins."""
        return _BEGINS.match(head) is not None

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the conversations in a file, and the traces of agents that name none."""
        self._files.pop(path, None)  # it may have grown
        return self._file(path).sessions()

    def read(self, session_id: str, paths: Sequence[Path]) -> Story:
        """Begin to read a session from all the files in which spans of it are."""
        files = [self._file(path) for path in paths]
        lost = chain.from_iterable(file.lost(session_id) for file in files)
        return Story(_chapters(session_id, files), lost)

    def _file(self, path: Path) -> SpanFile:
        for other, file in self._files.items():
            if other != path:
                file.forget()
        if path not in self._files:
            self._files[path] = SpanFile(path)
            forget_oldest(self._files, _MOST)
        return self._files[path]


def _chapters(session_id: str, files: Sequence[SpanFile]) -> Iterator[list[Span]]:
    """Put what several files have of a session together, as far as it is not much."""
    chapter: list[Span] = []
    weight = 0
    for span, characters in chain.from_iterable(file.spans(session_id) for file in files):
        chapter.append(span)
        weight += characters
        if len(chapter) >= _SPANS or weight >= _HEAVY:
            yield chapter
            chapter, weight = [], 0
    yield chapter
