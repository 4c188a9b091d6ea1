"""Calls and their results -> how an agent works: what it reads before it edits, and what it tries again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import forget_oldest
from loopwright.text.touching import is_edit, reads_files

_MOST_CALLS = 10_000


@dataclass(frozen=True)
class Habits:
    """How an agent went about it, counted."""

    reads: int = 0
    edits: int = 0
    reads_before_edit: int = 0
    """Before the first edit; all of them where nothing was edited."""
    edits_of_read: int = 0
    """Edits of a file that it had read, or written, before."""
    edits_of_known: int = 0
    """Edits whose file is known."""
    retries: int = 0
    """The same call again, after it had failed."""
    model_retries: int = 0
    """Requests to the model that were made again."""


def habits(actions: Iterable[Event]) -> Habits:
    """Count the habits in calls and results, in their order."""
    watching = Watching()
    for event in actions:
        watching.see(event)
    return Habits(**watching.counts)


class Watching:
    """Counts the habits of one session as its events go by."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(Habits.__dataclass_fields__, 0)
        self._known: set[str] = set()
        self._calls: dict[str, tuple[str | None, str | None, str | None]] = {}
        self._failed: set[tuple[str | None, str | None, str | None]] = set()

    def see(self, event: Event) -> None:
        """Take the next event."""
        if event.kind is EventKind.RETRY:
            self.counts["model_retries"] += 1
        elif event.kind is EventKind.TOOL_CALL:
            self._called(event)
        elif event.kind is EventKind.TOOL_RESULT and event.is_error:
            self._failed.add(self._calls.get(event.call_id or "", (event.tool, event.command, event.path)))

    def _called(self, event: Event) -> None:
        call = (event.tool, event.command, event.path)
        if event.call_id:
            self._calls[event.call_id] = call
            forget_oldest(self._calls, _MOST_CALLS)
        if call in self._failed and (event.command or event.path):
            self.counts["retries"] += 1
            self._failed.discard(call)
        if is_edit(event):
            self._edited(event.path)
        elif reads_files(event):
            self.counts["reads"] += 1
            self.counts["reads_before_edit"] += not self.counts["edits"]
            self._known.add(event.path or "")

    def _edited(self, path: str | None) -> None:
        self.counts["edits"] += 1
        if path:
            self.counts["edits_of_known"] += 1
            self.counts["edits_of_read"] += path in self._known
            self._known.add(path)
