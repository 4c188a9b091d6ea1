"""A session whose document is too large to be read -> what there is of it, and the document's beginning as raw."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from loopwright.ingest.ports import About, Reading
from loopwright.ingest.reading import TooLarge, raw_event
from loopwright.records.event import Event
from loopwright.records.identity import timestamp

_BEGINNING = 100_000


class Kept:
    """One session (a ports.Reading), so that nothing is left out of it unnoticed."""

    def __init__(self, begin: Callable[[], Reading], note: Callable[[TooLarge], None]) -> None:
        self.about = About()
        self._begin, self._note = begin, note

    def events(self) -> Iterator[Event]:
        """Give the events of a reading, and a raw one in place of what it could not read."""
        try:
            reading = self._begin()
            self.about = reading.about
            yield from reading.events()
        except TooLarge as error:
            self._note(error)
            with error.path.open("rb") as file:
                yield raw_event(file.read(_BEGINNING), timestamp(error.path.stat().st_mtime))
