"""What a session shows of files of tests -> what a file that is written anew had in it before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from loopwright.records.event import Event
from loopwright.text.bounded import FIELD_LIMIT, forget_oldest
from loopwright.text.changes import Change
from loopwright.text.test_edits import is_test_file
from loopwright.text.touching import spans_of

_NUMBER = re.compile(r"^[ \t]*\d{1,7}(?:→|\t|[:|] ?)", re.MULTILINE)
"""Readers put the number of each line before it."""
_MOST = 50


@dataclass
class Shown:
    """The newest files of tests that were read or written, each cut where it is long."""

    _texts: dict[str, str] = field(default_factory=dict)

    def as_edit(self, change: Change) -> Change:
        """Put to a file that is written anew what it had before, where that was seen and the new text is whole."""
        old = self._texts.get(change.path, "")
        if not change.is_whole or not old or not change.new or len(change.new) >= FIELD_LIMIT:
            return change
        return replace(change, old=old)

    def see(self, call: Event, text: str, changes: Iterable[Change]) -> None:
        """Remember what a call shows of a test, or puts there."""
        spans = spans_of(call)
        if len(spans) == 1 and is_test_file(spans[0].path):
            self._keep(spans[0].path, _NUMBER.sub("", text[:FIELD_LIMIT]))
        for change in changes:
            if change.is_whole and change.new and is_test_file(change.path):
                self._keep(change.path, change.new)
            elif change.path in self._texts and change.old:
                self._keep(change.path, self._texts[change.path].replace(change.old, change.new, 1))

    def _keep(self, path: str, text: str) -> None:
        self._texts[path] = text[:FIELD_LIMIT]
        forget_oldest(self._texts, _MOST)
