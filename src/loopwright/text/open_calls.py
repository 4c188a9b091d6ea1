"""Tool calls of any agent, and their results -> events, each result joined to its call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import elapsed
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, data, field, first_field, forget_oldest
from loopwright.text.told import error


@dataclass(frozen=True)
class Call:
    """What is known of a call while its result is waited for."""

    tool: str | None = None
    command: str | None = None
    path: str | None = None
    began: float | None = None


class OpenCalls:
    """The calls of one stream that wait for their result."""

    def __init__(self) -> None:
        self._open: dict[str, Call] = {}

    def opened(self, call_id: object, call: Call, given: object, at: str = "", parent: str | None = None) -> Event:
        """Take a call, with its arguments, and when it was and within which other call where that is known."""
        name = field(call_id, 200)
        if name:
            self._open[name] = call
        forget_oldest(self._open)
        return event_of(EventKind.TOOL_CALL, call, name, parent_call_id=parent, data={"input": data(given)}, at=at)

    def closed(
        self,
        call_id: object,
        text: str,
        *,
        is_error: bool,
        exit_code: int | None = None,
        ended: float | None = None,
        at: str = "",
        parent: str | None = None,
    ) -> Event:
        """Take the result of a call."""
        name = field(call_id, 200)
        call = self._open.pop(name, Call())
        return event_of(
            EventKind.TOOL_RESULT,
            call,
            name,
            parent_call_id=parent,
            text=bounded(text, TEXT_LIMIT),
            exit_code=exit_code,
            duration_s=elapsed(call.began, ended),
            data=cut(text, TEXT_LIMIT),
            at=at,
            **error(is_error, text),
        )

    def denied(self, call_id: object, why: str) -> Event:
        """Take the word that a call is not allowed; its result still comes."""
        name = field(call_id, 200)
        return event_of(EventKind.DENIAL, self.of(name), name, text=bounded(why))

    def of(self, call_id: object) -> Call:
        """Give what is known of a call."""
        return self._open.get(field(call_id, 200), Call())


def refusal(kind: EventKind, result: Event) -> Event:
    """Tell of a result that says no, beside the result itself: it is no error of the agent's."""
    return replace(result, kind=kind, is_error=False, error_kind=None, fingerprint=None)


def called(tool: str, given: Mapping[str, Any], shells: frozenset[str], paths: tuple[str, ...], at: object) -> Call:
    """Read a call: the command where the tool is a shell, else the path by one of its names."""
    command = field(given.get("command")) if tool in shells else ""
    path = "" if command else first_field(given, paths)
    return Call(tool or None, command or None, path or None, at if isinstance(at, float) else None)


def event_of(kind: EventKind, call: Call, name: str | None, **told: Any) -> Event:
    """Tell something of a call."""
    return Event(kind, tool=call.tool, call_id=name or None, command=call.command, path=call.path, **told)
