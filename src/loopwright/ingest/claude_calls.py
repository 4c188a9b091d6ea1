"""The tool calls of Claude Code's transcripts, and their results -> events, each counted once."""

from __future__ import annotations

from typing import NamedTuple

from loopwright.ingest.claude_lines import Block, Line, ran
from loopwright.ingest.reading import LONGEST_RESULT, ends_of
from loopwright.ingest.seen import Seen
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import elapsed, moment
from loopwright.text.bounded import cut, data, field, forget_oldest
from loopwright.text.told import error
from loopwright.text.tool_calls import EXIT_CODE, FILES, SHELLS, bare, content_of

_SUBAGENTS = frozenset({"Task", "Agent"})


class Open(NamedTuple):
    """What is known of a call while its result is waited for: not its arguments, which may be megabytes."""

    tool: str | None = None
    command: str | None = None
    path: str | None = None
    at: str = ""
    in_background: bool = False


_NO_CALL = Open()


class Calls:
    """The calls of one session."""

    def __init__(self) -> None:
        self._started: dict[int, str] = {}
        """What subagents were told -> the calls that started them."""
        self._calls, self._results = Seen(), Seen()
        self._open: dict[str, Open] = {}

    def called(self, block: Block, parent: str | None, at: str) -> Event | None:
        """Take a call; None where it was told before."""
        name, tool = block.id, block.name or ""
        if name and not self._calls.is_new(name):
            return None
        given = block.input if isinstance(block.input, dict) else {}
        command = field(given.get("command")) if tool in SHELLS else ""
        path = field(given.get("file_path")) or field(given.get("notebook_path")) if tool in FILES else ""
        event = Event(
            EventKind.TOOL_CALL,
            tool=tool,
            call_id=name,
            parent_call_id=parent,
            command=command or None,
            path=path or None,
            data={"input": data(given)},
            at=at,
        )
        if name:
            in_background = given.get("run_in_background") is True
            self._open[name] = Open(tool, event.command, event.path, at, in_background)
            forget_oldest(self._open)
            if tool in _SUBAGENTS:
                self._started[hash(field(given.get("prompt")))] = name
        return event

    def that_started(self, told: str) -> str | None:
        """Give the call that started the subagent that was told this."""
        return self._started.get(hash(told))

    def returned(self, block: Block, line: Line, parent: str | None, at: str) -> Event | None:
        """Take a result; None where it was told before."""
        name = block.tool_use_id
        if name and not self._results.is_new(name):
            return None
        call = self._open.pop(name or "", _NO_CALL)
        text, failed = content_of(block.content), block.is_error is True
        return Event(
            EventKind.TOOL_RESULT,
            ends_of(text),
            call.tool,
            name,
            parent,
            call.command,
            _exit_code(call, text, failed, line),
            call.path,
            duration_s=elapsed(moment(call.at), moment(at)),
            data=cut(text, LONGEST_RESULT),
            at=at,
            **error(failed, bare(text) if failed else ""),
        )


def rejection(result: Event) -> Event:
    """Tell that a human did not want a call, as its result says."""
    return Event(
        EventKind.REJECTION,
        result.text,
        result.tool,
        result.call_id,
        result.parent_call_id,
        result.command,
        path=result.path,
        at=result.at,
    )


def _exit_code(call: Open, text: str, failed: bool, line: Line) -> int | None:
    if call.tool not in SHELLS:
        return None
    if failed:
        found = EXIT_CODE.match(text)
        return int(found.group(1)) if found else None
    told = ran(line.tool_use_result)
    # A command that still runs has none; one that is interpreted ("No matches found") was not 0.
    unknown = told.background_task_id or told.interrupted or told.return_code_interpretation
    return None if unknown or call.in_background else 0
