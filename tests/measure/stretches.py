"""Stretches of sessions, written in short, and what a detector finds in them."""

from __future__ import annotations

from typing import Any

from loopwright.measure.detector import Detector
from loopwright.measure.watch import Watch
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.signal import Signal
from loopwright.text.told import error

_BEGAN = 1_790_000_000.0


class Stretch:
    """Events in their order, ten seconds apart."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, kind: EventKind, text: str = "", **told: Any) -> Stretch:
        """Add any event."""
        number = len(self.events) + 1
        self.events.append(Event(kind, text, seq=number, at=timestamp(_BEGAN + 10 * number), **told))
        return self

    def prompt(self, text: str) -> Stretch:
        """Let the human say something."""
        return self.add(EventKind.PROMPT, text)

    def says(self, text: str) -> Stretch:
        """Let the agent say something."""
        return self.add(EventKind.MESSAGE, text)

    def call(self, tool: str, **given: Any) -> Stretch:
        """Let the agent call a tool; `command` and `file_path` are put where a reader puts them."""
        command, path = given.get("command"), given.get("file_path")
        parent = given.pop("parent", None)
        name = f"call-{len(self.events) + 1}"
        told = {"command": command, "path": path, "call_id": name, "parent_call_id": parent}
        return self.add(EventKind.TOOL_CALL, tool=tool, data={"input": given}, **told)

    def result(self, text: str = "", *, failed: bool = False, exit_code: int | None = None) -> Stretch:
        """Give the result of the newest call that has none, with what a reader would say of it."""
        done = {event.call_id for event in self.events if event.kind is EventKind.TOOL_RESULT}
        calls = [event for event in self.events if event.kind is EventKind.TOOL_CALL and event.call_id not in done]
        call = calls[-1]
        told = {"tool": call.tool, "command": call.command, "path": call.path, "parent_call_id": call.parent_call_id}
        told |= {"call_id": call.call_id, "exit_code": exit_code, **error(failed, text)}
        return self.add(EventKind.TOOL_RESULT, text, **told)

    def ran(self, command: str, text: str = "", *, exit_code: int = 0, failed: bool | None = None) -> Stretch:
        """Let a command run to its end."""
        wrong = exit_code != 0 if failed is None else failed
        return self.call("Bash", command=command).result(text, failed=wrong, exit_code=exit_code)

    def read(self, path: str, text: str = "…", **given: Any) -> Stretch:
        """Let a file be read, or a range of it (offset, limit)."""
        return self.call("Read", file_path=path, **given).result(text)

    def edit(self, path: str, old: str = "a", new: str = "b") -> Stretch:
        """Let a file be edited."""
        return self.call("Edit", file_path=path, old_string=old, new_string=new).result("edited")

    def found(self, detector: Detector, name: str = "it") -> list[Signal]:
        """Give what a detector finds, each signal as it was given last."""
        watch = Watch("run", {name: detector})
        found = {signal.id: signal for signal in watch.see(self.events)}
        found.update((signal.id, signal) for signal in watch.end())
        return list(found.values())
