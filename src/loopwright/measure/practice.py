"""The events of one session -> how the agent went about it: what failed, and what it did before it tried again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from loopwright.records.event import Event, EventKind
from loopwright.records.practice import Failing, Practice, Recovery, Remedy
from loopwright.text.agent_habits import Watching
from loopwright.text.bounded import bounded, forget_oldest, mapping
from loopwright.text.commands import WITHHELD, actions_of, like
from loopwright.text.touching import SEARCHING, is_edit, reads_files

_MOST = 200
"""So many kinds of errors, remedies and open failures are kept of one session."""
_OPEN = 50
_MESSAGE = 300
_TOPIC = 60
_QUESTIONS = frozenset({"askuserquestion", "ask_user", "ask_followup_question", "request_user_input", "question"})
_Did = tuple[Remedy, str]


@dataclass
class Practising:
    """Looks on at one session."""

    run_id: str
    _errors: dict[str, Failing] = field(default_factory=dict)
    _open: dict[str, set[_Did]] = field(default_factory=dict)
    """What failed last time it was tried -> what was done since."""
    _counts: dict[_Did, tuple[int, int]] = field(default_factory=dict)
    _habits: Watching = field(default_factory=Watching)

    def see(self, events: Iterable[Event]) -> None:
        """Take the next events."""
        for event in events:
            self._habits.see(event)
            if event.kind is EventKind.TOOL_CALL:
                self._did(event)
            elif event.kind is EventKind.TOOL_RESULT and event.command not in (None, "", WITHHELD):
                self._tried(like(event.command or ""), event.is_error)
            elif event.kind is EventKind.VERDICT and not event.data.get("advisory"):
                self._tried(str(event.data.get("criterion_hash", "")), event.is_error)
            if event.fingerprint and event.error_kind and event.text.strip():  # an error without words says nothing
                self._failed(event)

    def practice(self) -> Practice:
        """Give what it came to."""
        counts = self._habits.counts
        return Practice(
            self.run_id,
            list(self._errors.values()),
            [Recovery(*did, *counted) for did, counted in sorted(self._counts.items())],
            reads_before_edit=counts["reads_before_edit"],
            edits=counts["edits"],
            retries=counts["retries"],
        )

    def _failed(self, event: Event) -> None:
        mark = event.fingerprint or ""
        before = self._errors.get(mark)
        if before:
            self._errors[mark] = Failing(mark, before.tool, before.count + 1, before.message)
        elif len(self._errors) < _MOST:
            self._errors[mark] = Failing(mark, event.tool or "", 1, bounded(event.text.strip(), _MESSAGE))

    def _did(self, call: Event) -> None:
        """Note an action for all that has failed, but for what is tried again with it."""
        if not self._open or (call.command and like(call.command) in self._open):
            return
        if did := _remedy(call):
            for since in self._open.values():
                since.add(did)

    def _tried(self, action: str, failed: bool) -> None:
        since = self._open.pop(action, None)
        if since is not None:
            for did in since or {("retry", "")}:
                if did in self._counts or len(self._counts) < _MOST:
                    tries, passes = self._counts.get(did, (0, 0))
                    self._counts[did] = (tries + 1, passes + (not failed))
        if failed:
            self._open[action] = set()
            forget_oldest(self._open, _OPEN)


def _remedy(call: Event) -> _Did | None:
    tool = (call.tool or "").lower()
    if tool in SEARCHING:
        return "search", _topic(mapping(call.data.get("input")))
    if tool in _QUESTIONS:
        return "question", ""
    if is_edit(call):
        return "edit", ""
    if reads_files(call):
        return "reading", ""
    return ("diagnostic", _program(call.command)) if call.command else None


def _topic(given: Mapping[str, Any]) -> str:
    """Say what was searched for: the words, or the host."""
    query = next((given[name] for name in ("query", "q", "search_query") if isinstance(given.get(name), str)), "")
    if query:
        return bounded(" ".join(query.lower().split()), _TOPIC)
    url = given.get("url")
    try:
        return bounded(urlsplit(url).hostname or "", _TOPIC) if isinstance(url, str) else ""
    except ValueError:
        return ""


def _program(command: str) -> str:
    actions = actions_of(command)
    return bounded(actions[0].program, 30) if actions else ""
