"""Any agent that speaks the Agent Client Protocol, driven by a real subprocess of ours (run/acp_client.py)."""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.errors import AgentError
from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.process.programs import find_program, program_to_start
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.json_stream import JsonStream
from loopwright.text.acp_lines import AcpLines, model, usage_of
from loopwright.text.bounded import Line, bounded, field, mapping
from loopwright.text.prices import priced
from loopwright.text.told import error, message, usage_event

_HINT = 'in loopwright.toml: [profiles.NAME] agent = "acp", agent_options = { command = "gemini --acp" }'
_OPTIONS = ("command", "hosts", "variables", "login")
_COUNTING_ON = ("OpenCode ",)
"""Whose cost is that of the whole session, also when it is loaded again. All others were seen to begin at nothing."""
_SO_FAR = " $"
"""Stands in a conversation's name before what it has cost so far, where that counts on."""
_STOPS = {
    "max_tokens": (None, "its answer was cut: it is longer than the model may write"),
    "max_turn_requests": (Ending.MAX_TURNS, "it reached its maximum number of requests"),
    "refusal": (Ending.REFUSED, "the model refused to go on"),
    "cancelled": (None, "it was cancelled"),
}


class Acp:
    """The agent `acp`. Options: `command`; `hosts`, `variables` and `login`: what it needs in a sandbox."""

    automatic = False
    honours = frozenset({"model", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("acp", options, _OPTIONS)
        self._command = _split(options.get("command"))
        self._needs = [_names(name, options.get(name, ())) for name in _OPTIONS[1:]]

    def available(self) -> Availability:
        if not importlib.util.find_spec("acp"):
            return Availability(installed=False, hint="it needs a library: pip install agent-client-protocol")
        if not find_program(self._command[0]):
            hint = f"`{self._command[0]}` was not found: install it, or write its full path"
            return Availability(installed=False, hint=hint)
        return Availability(installed=True)

    def account(self) -> Account:
        return Account(detail=f"`{shlex.join(self._command)}` tells it only at work")

    # How it is started.

    def launch(self, briefing: Briefing) -> Launch:
        told = {
            "model": briefing.profile.model,
            "conversation": briefing.conversation.partition(_SO_FAR)[0],
            "confined": briefing.confined,
        }
        # -P keeps the workspace, where it runs, from shadowing modules; -I would also leave out a user's own site.
        argv = [sys.executable, "-P", "-m", "loopwright.run.acp_client", json.dumps(told)]
        # By its full name, a sandbox sees what has to be there.
        argv += [program_to_start(self._command[0], briefing.workspace), *self._command[1:]]
        hosts, variables, login = self._needs
        return Launch(argv, stdin=briefing.prompt_file, hosts=hosts, variables=variables, login=login)

    def stream(self, briefing: Briefing) -> Stream:
        return AcpStream(briefing.conversation)


class AcpStream(JsonStream):
    """How the client's lines become events, and how the end is judged."""

    def __init__(self, conversation: str = "") -> None:
        """`conversation`: the one that is gone on with, as an outcome has named it."""
        super().__init__()
        self._lines, self._earlier = AcpLines(), _number(conversation.partition(_SO_FAR)[2])

    def read(self, line: Line) -> list[Event] | None:
        told = mapping(line.get("d"))
        match line.get("k"):
            case "init":
                return [self._meet(told)]
            case "session":
                return self._begin(told)
            case "update":
                return self._update(told)
            case "PERMISSION":
                return self._ask(told)
            case "PROMPT_RESPONSE":
                return self._finish(told)
            case "error":
                return self._fail(told)
            case "note":
                return [message(field(told.get("text")), EventKind.SYSTEM)]
            case "extn" | "replay":
                return []
        return None

    def _meet(self, told: Line) -> Event:
        who = mapping(told.get("agentInfo"))
        self.version = f"{field(who.get('name'), 200)} {field(who.get('version'), 200)}".strip()
        return message(self.version, EventKind.SYSTEM, subtype="init")

    def _begin(self, told: Line) -> list[Event]:
        self.model = model(told) or self.model
        self.conversation = field(told.get("sessionId"), 200) if told.get("resumable", True) else ""
        if not told.get("resumed"):
            self._earlier = 0.0
        return []

    def _update(self, told: Line) -> list[Event] | None:
        events = self._lines.update(told)
        self.last_message = self._lines.last_message or self.last_message
        self.cost_usd = max(0.0, self._lines.cost_usd - self._earlier)
        return events

    def _ask(self, told: Line) -> list[Event]:
        tool, denied = mapping(told.get("tool")), field(told.get("denied"))
        events = self._lines.asked(tool, denied)
        if denied:
            self.denied.append(events[-1].tool or field(tool.get("title"), 200) or "?")
        return events

    def _finish(self, told: Line) -> list[Event] | None:
        reason = told.get("stopReason")
        if not isinstance(reason, str):
            return None
        self.model = model(told) or self.model
        self.finished, self.tokens = True, usage_of(told)
        unpriced: list[Event] = []
        if not self._lines.cost_usd:  # it does not say what its tokens cost
            self.cost_usd, unpriced = priced([(self.model, self.tokens)])
        if self.conversation and self.version.startswith(_COUNTING_ON):
            self.conversation += f"{_SO_FAR}{self._lines.cost_usd:.9f}"
        self.ending, self.failure = _STOPS.get(reason, (None, "" if reason == "end_turn" else f"it stopped: {reason}"))
        used = usage_event(self.tokens, self.cost_usd)
        return [*self._lines.end(), *unpriced, used, self._result(field(reason, 200))]

    def _fail(self, told: Line) -> list[Event]:
        self.failure = field(told.get("message")) or "it failed"
        return [*self._lines.end(), self._result("error")]

    def _result(self, reason: str) -> Event:
        text, failed = bounded(self.failure or self.last_message), bool(self.failure)
        return Event(EventKind.RESULT, text, data={"stop_reason": reason}, **error(failed, text))


def _number(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def _split(command: object) -> list[str]:
    try:
        argv = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise AgentError(f"the command `{command}` can't be split: {error}", _HINT) from None
    if not isinstance(argv, list | tuple) or not argv or not all(isinstance(word, str) and word for word in argv):
        raise AgentError("the agent `acp` has no command", _HINT)
    return list(argv)


def _names(name: str, value: object) -> Sequence[str]:
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return list(value)
    raise AgentError(f"`{name}` of the agent `acp` is `{value}`", f'write a list: {name} = ["…"]')
