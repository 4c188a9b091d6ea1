"""Cursor's command line as an agent, by its documentation: it was never run by us."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.process.programs import find_program, program_to_start, version_of
from loopwright.records.event import Event, EventKind
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.json_stream import JsonStream
from loopwright.text.amounts import count, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, field
from loopwright.text.cursor_lines import result_of, said_in, tool_of, usage_of
from loopwright.text.open_calls import OpenCalls, called
from loopwright.text.prices import priced
from loopwright.text.told import error, message, usage_event

RULES = "AGENTS.md"
_NAMES = ("cursor-agent", "agent")
_DATED = re.compile(r"20\d\d\.\d\d\.\d\d")
_INSTALL = "curl https://cursor.com/install -fsS | bash"
_HOSTS = (
    "api2.cursor.sh",
    "api3.cursor.sh",
    "api5.cursor.sh",
    "repo42.cursor.sh",
    "cursor.com",
    "authenticator.cursor.sh",
)
_LOGIN = (".config/cursor/auth.json", ".cursor/cli-config.json")
_OURS = re.compile(r"\A<!-- loopwright -->\n.*?\n<!-- /loopwright -->\n\n?", re.DOTALL)
_EMPTY = {
    ".cursor/mcp.json": '{"mcpServers": {}}',
    ".cursor/hooks.json": '{"version": 1, "hooks": {}}',
    ".cursor/cli.json": '{"permissions": {"allow": [], "deny": []}}',
}
"""What a repository may bring that starts servers, runs commands or changes permissions."""
_LONGEST_ARGUMENT = 100_000
_SHELL = frozenset({"shell"})
_PATHS = ("path", "filePath", "targetFile")
_PREFIX = "stdout:"


class Cursor:
    """The agent `cursor`. Option: `program`, where it lies."""

    automatic = True
    honours = frozenset({"model", "system_prompt", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("cursor", options, ("program",))
        self._program = field(options.get("program"))

    def available(self) -> Availability:
        if self._found():
            return Availability(installed=True, logged_in=True if _login() else None)
        stranger = shutil.which("agent")
        hint = f"; the `agent` at `{stranger}` does not look like Cursor's: name it with the option `program`"
        return Availability(
            installed=False, hint=f"install it: {_INSTALL}" + (hint if stranger and not self._program else "")
        )

    def account(self) -> Account:
        version, _ = version_of(self._found() or self._program or _NAMES[0])
        if not _DATED.match(version):
            hint = f"this does not look like Cursor's own, whose version is a date: {_INSTALL}"
            return Account(version, usable=False, hint=hint)
        if how := _login():
            return Account(version, logged_in=True, detail=how)
        # Where a login is kept differs from system to system, so that none was found proves nothing.
        return Account(version, hint="set CURSOR_API_KEY, or: cursor-agent login")

    def launch(self, briefing: Briefing) -> Launch:
        profile = briefing.profile
        model = ("--model", profile.model) if profile.model else ()
        resume = ("--resume", briefing.conversation) if briefing.conversation else ()
        sandbox = ("--sandbox", "disabled") if briefing.confined else ()
        rules = {RULES: _rules(profile.system_prompt, briefing.workspace)} if profile.system_prompt else {}
        return Launch(
            argv=(
                *(
                    self._found(briefing.workspace) or program_to_start(self._program or _NAMES[0], briefing.workspace),
                    "-p",
                    "--output-format",
                    "stream-json",
                ),
                *("--force", "--trust", "--workspace", str(briefing.workspace)),
                *(*model, *resume, *sandbox, _prompt(briefing)),
            ),
            files={**_disarmed(briefing.workspace), **rules},
            hosts=_HOSTS,
            variables=("CURSOR_*",),
            login=_LOGIN,
        )

    def stream(self, briefing: Briefing) -> Stream:
        return CursorStream()

    def _found(self, workspace: Path | None = None) -> str:
        """Give the program; `agent` may be anybody's, and only counts where it lies among Cursor's own files."""
        if self._program:
            return find_program(self._program, workspace)
        return next((path for name in _NAMES if (path := find_program(name, workspace)) and _is_cursors(path)), "")


def _login() -> str:
    if os.environ.get("CURSOR_API_KEY"):
        return "CURSOR_API_KEY"
    return "logged in" if (Path.home() / _LOGIN[0]).is_file() else ""


def _is_cursors(path: str) -> bool:
    parts = Path(os.path.realpath(path)).parts
    # There is a package of that name in npm's registry which is somebody else's.
    return "cursor-agent" in parts and "node_modules" not in parts


def _prompt(briefing: Briefing) -> str:
    """Give the prompt, or where it is: an argument can't be of any length."""
    if len(briefing.prompt.encode(errors="replace")) <= _LONGEST_ARGUMENT:
        return briefing.prompt
    return f"Read the file `{briefing.prompt_file}`: it holds your task. Do what it says."


def _rules(system_prompt: str, workspace: Path) -> str:
    """Put the system prompt on top of the rules that the repository has; once, also when it is there already."""
    own, theirs = f"<!-- loopwright -->\n{system_prompt}\n<!-- /loopwright -->\n", ""
    path = workspace / RULES
    if path.is_file() and not path.is_symlink():
        theirs = _OURS.sub("", path.read_text(encoding="utf-8", errors="replace"))
    return f"{own}\n{theirs}" if theirs else own


def _disarmed(workspace: Path) -> dict[str, str]:
    return {name: content for name, content in _EMPTY.items() if (workspace / name).exists()}


class CursorStream(JsonStream):
    """One attempt's output. With partial output, words come in pieces and then once or twice as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = OpenCalls()
        self._pieces: list[str] = []
        self._thoughts: list[str] = []
        self._segment = ""

    def knows(self, line: bytes) -> bool:
        return super().knows(_bare(line.decode(errors="replace")[:100]).encode())

    def feed(self, line: str) -> Iterable[Event]:
        return super().feed(_bare(line))

    def read(self, line: Line) -> list[Event] | None:
        match line.get("type"), line.get("subtype"):
            case "system", "init":
                self.model, self.conversation = field(line.get("model")), field(line.get("session_id"))
                return [message(self.model, EventKind.SYSTEM, subtype="init", session_id=self.conversation)]
            case "user", _:
                return []
            case "assistant", _:
                return self._heard(line)
            case "thinking", _:
                return self._thought(line)
            case "tool_call", "started" | "completed":
                return self._used(line)
            case "result", _ if isinstance(line.get("is_error"), bool):
                return [*self._rest(), *self._result(line)]
        return None

    def _heard(self, line: Line) -> list[Event] | None:
        text = said_in(line)
        if text is None:
            return None
        if "timestamp_ms" in line and "model_call_id" not in line:
            self._pieces.append(text)
            return []
        self._pieces = []
        if not text.strip() or text == self._segment:
            return []
        self._segment = text
        return [self._say(text)]

    def _say(self, text: str) -> Event:
        self.last_message = bounded(text[-TEXT_LIMIT:], TEXT_LIMIT)
        return message(text)

    def _rest(self) -> list[Event]:
        """Tell the pieces that no whole came after."""
        text, self._pieces = "".join(self._pieces), []
        return [self._say(text)] if text.strip() and text != self._segment else []

    def _thought(self, line: Line) -> list[Event] | None:
        if line.get("subtype") not in ("delta", "completed"):
            return None
        self._thoughts.append(field(line.get("text"), TEXT_LIMIT))
        if line["subtype"] == "delta":
            return []
        text, self._thoughts = "".join(self._thoughts), []
        return [message(text, EventKind.THINKING)] if text else []

    def _used(self, line: Line) -> list[Event] | None:
        found = tool_of(line)
        if found is None:
            return None
        tool, given, result = found
        call_id, at = line.get("call_id"), moment(line.get("timestamp_ms"))
        rest = self._rest()
        self._segment = ""
        if line["subtype"] == "started":
            return [*rest, self._calls.opened(call_id, called(tool, given, _SHELL, _PATHS, at), given)]
        state, text, exit_code = result_of(result)
        denied = [self._calls.denied(call_id, text)] if state == "denied" else []
        self.denied += [tool] * len(denied)
        closed = self._calls.closed(call_id, text, is_error=state != "ok", exit_code=exit_code, ended=at)
        return [*rest, *denied, closed]

    def _result(self, line: Line) -> list[Event]:
        self.finished = True
        text = field(line.get("result"), TEXT_LIMIT)
        failed = line["is_error"] is True or line.get("subtype") != "success"
        self.failure = (text or field(line.get("error")) or "it says that it failed, and not why") if failed else ""
        self.last_message = self.last_message if failed else text[-TEXT_LIMIT:] or self.last_message
        self.conversation = field(line.get("session_id")) or self.conversation
        self.tokens = usage_of(line.get("usage"))
        self.cost_usd, notes = priced([(self.model, self.tokens)])
        closing = Event(
            EventKind.RESULT,
            text or self.failure,
            duration_s=count(line.get("duration_ms")) / 1000,
            data={"subtype": field(line.get("subtype")), "request_id": field(line.get("request_id"), 200)},
            **error(failed, self.failure),
        )
        return [usage_event(self.tokens, self.cost_usd), *notes, closing]


def _bare(line: str) -> str:
    """Take off what some versions put before every line."""
    text = line.lstrip()
    return text.removeprefix(_PREFIX).lstrip() if text.startswith(_PREFIX) else line
