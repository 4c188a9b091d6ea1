"""Codex's tool calls and their results -> events, each call once and each result joined to it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from loopwright.ingest.codex_words import Twice
from loopwright.ingest.seen import Seen
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import elapsed, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, first_field, forget_oldest, mapping
from loopwright.text.codex_lines import PATCH
from loopwright.text.codex_outputs import Output, is_aborted
from loopwright.text.open_calls import Call, event_of
from loopwright.text.tool_calls import identity

_PATHS = ("path", "file_path", "filename")
_CHANGES = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh", "powershell"})


@dataclass(frozen=True)
class Facts:
    """What another line than its result tells of the end of a call."""

    tool: str = ""
    command: object = None
    path: str | None = None
    exit_code: int | None = None
    duration_s: float | None = None
    is_error: bool = False
    text: str = ""


_NO_FACTS = Facts()
_NO_CALL = Call()


class Calls:
    """The calls of one thread."""

    def __init__(self, seen: Seen, parent_call_id: str | None) -> None:
        self.at = ""
        self.prefix = ""
        """Before the names of a thread that may have the same names as another."""
        self.searches = Twice()
        self._seen, self._parent = seen, parent_call_id
        self._open: dict[str, Call] = {}
        self._facts: dict[str, Facts] = {}

    def knows(self, call_id: str) -> bool:
        """Say whether a call was told."""
        return call_id in self._open or ("call", self.prefix + call_id) in self._seen

    def called(self, call_id: object, tool: str, given: object, facts: Facts = _NO_FACTS) -> list[Event] | None:
        """Take a call; None where it names no tool."""
        name = identity(call_id)
        if not tool:
            return None
        if name is not None and not self._seen.is_new(("call", self.prefix + name)):
            return []
        told = mapping(given)
        command, path = _words(facts.command) or _command(told), facts.path or _path(tool, told)
        call = Call(tool, command, path, moment(self.at))
        self._open[name or ""] = call
        forget_oldest(self._open)
        return [self._event(EventKind.TOOL_CALL, call, name, data={"input": data(given)})]

    def ended(self, call_id: str, facts: Facts) -> None:
        """Take what is known of the end of a call whose result is still to come."""
        if ("result", self.prefix + call_id) not in self._seen:
            self._facts[call_id] = facts
            forget_oldest(self._facts)

    def returned(self, call_id: object, output: Output, facts: Facts = _NO_FACTS) -> list[Event]:
        """Take the result of a call."""
        name = identity(call_id)
        if name is not None and not self._seen.is_new(("result", self.prefix + name)):
            return []
        call, facts = self._open.pop(name or "", _NO_CALL), self._facts.pop(name or "", facts)
        events = [self._result(name, call, facts, output)]
        if output.is_rejected or output.is_denied:
            kind = EventKind.REJECTION if output.is_rejected else EventKind.DENIAL
            events.append(self._event(kind, call, name, text=bounded(output.text)))
        return events

    def alone(self, call_id: str | None, given: object, facts: Facts) -> list[Event]:
        """Take a call of which one line tells all."""
        events = self.called(call_id, facts.tool, given, facts)
        return [*events, *self.returned(call_id, Output(facts.text, facts.text), facts)] if events else []

    def _result(self, name: str | None, call: Call, facts: Facts, output: Output) -> Event:
        code = facts.exit_code if output.exit_code is None else output.exit_code
        failed = output.is_error or facts.is_error or bool(code)
        took = output.duration_s if facts.duration_s is None else facts.duration_s
        return self._event(
            EventKind.TOOL_RESULT,
            call,
            name,
            text=bounded(output.words, TEXT_LIMIT),
            exit_code=code,
            is_error=failed,
            error_kind="PARSED_ERROR" if failed else None,
            fingerprint=output.fingerprint() if failed else None,
            duration_s=elapsed(call.began, moment(self.at)) if took is None else took,
            data=_about(output),
        )

    def _event(self, kind: EventKind, call: Call, name: str | None, **told: Any) -> Event:
        return event_of(kind, call, name, parent_call_id=self._parent, at=self.at, **told)


def _about(output: Output) -> dict[str, Any]:
    head = {"head": bounded(output.head)} if output.head else {}
    return cut(output.words, TEXT_LIMIT) | head | ({"not_run": "aborted"} if is_aborted(output) else {})


def _command(given: Line) -> str | None:
    """Find the command among the arguments of a shell: `cmd` or `command`, a text or a list of words."""
    return _words(given["cmd"] if "cmd" in given else given.get("command"))


def _words(command: object) -> str | None:
    if isinstance(command, str):
        return field(command) or None
    if not isinstance(command, list) or not command:
        return None
    words = [word for word in command if isinstance(word, str)]
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-c", "-lc"):
        return field(words[2]) or None
    return bounded(shlex.join(words)) or None


def _path(tool: str, given: Line) -> str | None:
    if tool == PATCH:
        patch = given.get("input")
        lines = patch.split("\n", 200) if isinstance(patch, str) else []
        return next((field(line.partition(": ")[2]) for line in lines if line.startswith(_CHANGES)), None)
    return first_field(given, _PATHS) or None
