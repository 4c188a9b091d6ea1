"""OpenCode as an agent: how it is started, how its stream becomes events, how its end is judged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.process.programs import find_program, host_of, is_too_old, program_to_start, version_of
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.json_stream import JsonStream
from loopwright.text.amounts import amount, count, exit_code, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, field, forget_oldest, mapping
from loopwright.text.open_calls import OpenCalls, called
from loopwright.text.told import message, usage_event

OLDEST = "1.18.0"
_INSTALL = "npm install --global opencode-ai"
RULES = ".opencode/loopwright.md"
_PROVIDERS = {
    "anthropic": ("api.anthropic.com", "ANTHROPIC_*"),
    "openai": ("api.openai.com", "OPENAI_*"),
    "google": ("generativelanguage.googleapis.com", "GOOGLE_*"),
    "openrouter": ("openrouter.ai", "OPENROUTER_*"),
    "opencode": ("opencode.ai", "OPENCODE_API_KEY"),
    "github-copilot": ("api.githubcopilot.com", "GITHUB_TOKEN"),
    "groq": ("api.groq.com", "GROQ_*"),
    "mistral": ("api.mistral.ai", "MISTRAL_*"),
    "deepseek": ("api.deepseek.com", "DEEPSEEK_*"),
    "xai": ("api.x.ai", "XAI_*"),
}
_CONFIG = (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", ".config/opencode/config.json")
_AUTH = ".local/share/opencode/auth.json"
_BASE_URL = re.compile(r'"baseURL"\s*:\s*"([^"]+)"')
_RESTRICTED = ("read", "edit", "glob", "grep", "list", "bash", "todowrite", "todoread", "lsp")
_SHELL = frozenset({"bash"})
_PATHS = ("filePath", "path")
_DENIED = re.compile(
    r"specified a rule which prevents you|rejected permission|permission.{0,40}(?:denied|rejected)", re.I
)
_MEANINGS = {
    "ProviderAuthError": "authentication failed: ",
    "ContextOverflowError": "the context window is exceeded: ",
    "MessageOutputLengthError": "the answer is too long: ",
}


class Opencode:
    """The agent `opencode`. Option: `program`, where it lies."""

    automatic = True
    honours = frozenset({"model", "system_prompt", "temperature", "max_turns", "tools", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("opencode", options, ("program",))
        self._program = field(options.get("program")) or "opencode"

    def available(self) -> Availability:
        if find_program(self._program):
            return Availability(installed=True, logged_in=True if _login(Path.home()) else None)
        return Availability(installed=False, hint=f"install it: {_INSTALL}")

    def account(self) -> Account:
        version, _ = version_of(self._program)
        if is_too_old(version, OLDEST):
            hint = f"OpenCode {OLDEST} or newer is needed: {_INSTALL}"
            return Account(version, usable=False, hint=hint)
        if how := _login(Path.home()):
            return Account(version, logged_in=True, detail=how)
        # It has models of its own that need no login, and servers at home need none either.
        return Account(version, hint="opencode auth login, or a provider in ~/.config/opencode/opencode.json")

    def launch(self, briefing: Briefing) -> Launch:
        profile = briefing.profile
        # In full: the project's own programs come first on the agent's PATH.
        program = program_to_start(self._program, briefing.workspace)
        model = ("--model", profile.model) if profile.model else ()
        session = ("--session", briefing.conversation) if briefing.conversation else ()
        rules = {RULES: profile.system_prompt} if profile.system_prompt else {}
        return Launch(
            # A title of ours: for one of its own it would ask the model once more, and not tell what that cost.
            argv=(
                program,
                "run",
                "--format",
                "json",
                "--pure",
                "--auto",
                "--title",
                "loopwright",
                *model,
                *session,
            ),
            environment={
                "OPENCODE_CONFIG_CONTENT": _written(_config(briefing)),
                "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            },
            stdin=briefing.prompt_file,
            files={**_disarmed(briefing.workspace), **rules},
            hosts=_hosts(profile.model, Path.home()),
            variables=("OPENCODE_*", *(pattern for _, pattern in _PROVIDERS.values())),
            login=(_AUTH, *_CONFIG),
        )

    def stream(self, briefing: Briefing) -> Stream:
        return OpencodeStream(briefing.profile)


def _config(briefing: Briefing) -> dict[str, Any]:
    """Give what stands above the user's own configuration; the repository's is not read."""
    profile, agent = briefing.profile, {}
    if profile.temperature is not None:
        agent["temperature"] = profile.temperature
    if profile.max_turns is not None:
        agent["steps"] = profile.max_turns
    rules = [RULES] if profile.system_prompt else []
    found = [name for name in ("AGENTS.md", "CLAUDE.md") if (briefing.workspace / name).is_file()][:1]
    return {
        "share": "disabled",
        "autoupdate": False,
        "snapshot": False,
        "instructions": [str(briefing.workspace / name) for name in (*rules, *found)],
        "agent": {"build": agent},
        "permission": _permission(profile, briefing.confined),
    }


def _permission(profile: Profile, confined: bool) -> dict[str, str]:
    outside = {"external_directory": "allow" if confined else "deny"}
    if profile.tools == "restricted":
        return {"*": "deny", **dict.fromkeys(_RESTRICTED, "allow"), **outside}
    return {"*": "allow", **outside}


def _written(config: Mapping[str, Any]) -> str:
    """Write a configuration; `{env:…}` and `{file:…}` in it would be filled in by OpenCode."""
    return re.sub(r"\{(?=env:|file:)", r"\\u007b", json.dumps(config))


def _disarmed(workspace: Path) -> dict[str, str]:
    """Empty what a repository brings that would run as a part of OpenCode: it loads that whatever it is told."""
    folder = workspace / ".opencode"
    plugins = [path for kind in ("plugin", "plugins") for path in (folder / kind).glob("*.[jt]s")]
    configs = [place / f"opencode.{end}" for place in (workspace, folder) for end in ("json", "jsonc")]
    empty = {path: "{}" for path in configs if path.exists()} | dict.fromkeys(plugins, "")
    return {path.relative_to(workspace).as_posix(): content for path, content in empty.items()}


def _login(home: Path) -> str:
    for name in (pattern.replace("*", "API_KEY") for _, pattern in _PROVIDERS.values()):
        if os.environ.get(name):
            return name
    return "opencode auth" if (home / _AUTH).is_file() else ""


def _hosts(model: str, home: Path) -> Sequence[str]:
    """Name the model's provider, else all that are known, and whatever the user's configuration names."""
    provider = _PROVIDERS.get(model.partition("/")[0])
    known = [provider[0]] if provider else [host for host, _ in _PROVIDERS.values()]
    own = []
    for name in _CONFIG:
        try:
            own += _BASE_URL.findall((home / name).read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
    return tuple(dict.fromkeys(filter(None, [*map(host_of, own), *known, "models.dev"])))


class OpencodeStream(JsonStream):
    """One attempt's output. There is no last line: the last step that ended tells."""

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self.model, self._most_steps = profile.model, profile.max_turns
        self._calls = OpenCalls()
        self._counted: dict[str, None] = {}
        self._steps = 0

    def read(self, line: Line) -> list[Event] | None:
        part = mapping(line.get("part"))
        self.conversation = field(line.get("sessionID"), 200) or self.conversation
        match line.get("type"):
            case "step_start":
                self.finished = False
                return []
            case "text" if isinstance(part.get("text"), str):
                self.last_message = field(part["text"], TEXT_LIMIT) or self.last_message
                return [message(part["text"])]
            case "reasoning" if isinstance(part.get("text"), str):
                return [message(part["text"], EventKind.THINKING)]
            case "tool_use" if isinstance(part.get("tool"), str):
                return self._used(part)
            case "step_finish" if part:
                return self._stepped(part)
            case "error" if isinstance(line.get("error"), Mapping):
                return [self._failed(line["error"])]
        return None

    def _used(self, part: Line) -> list[Event]:
        state, call_id = mapping(part.get("state")), part.get("callID")
        given, times = mapping(state.get("input")), mapping(state.get("time"))
        call = called(field(part["tool"]), given, _SHELL, _PATHS, moment(times.get("start")))
        opened = self._calls.opened(call_id, call, given)
        if state.get("status") not in ("completed", "error"):
            return [opened]
        code = exit_code(mapping(state.get("metadata")).get("exit")) if call.command else None
        is_error = state["status"] == "error"
        text = field(state.get("error" if is_error else "output"), TEXT_LIMIT)
        denied = [self._calls.denied(call_id, text)] if is_error and _DENIED.search(text[:500]) else []
        self.denied += [call.tool or "?"] * len(denied)
        # A command that fails is "completed" to it.
        failed = is_error or bool(code)
        ended = moment(times.get("end"))
        return [opened, *denied, self._calls.closed(call_id, text, is_error=failed, exit_code=code, ended=ended)]

    def _stepped(self, part: Line) -> list[Event]:
        reason = part.get("reason")
        self.finished = reason not in ("tool-calls", "error", "unknown")
        if reason == "stop":
            self.failure, self.status = "", None
        elif reason == "content-filter":
            self.ending, self.failure = Ending.REFUSED, "the model's provider filtered the answer"
        elif reason == "length":
            self.failure = "the answer reached its longest length"
        return self._count(part)

    def _count(self, part: Line) -> list[Event]:
        name = field(part.get("id"), 200)
        if name in self._counted:
            return []
        if name:
            self._counted[name] = None
        forget_oldest(self._counted)
        self._steps += 1
        if self._most_steps is not None and self._steps >= self._most_steps:
            self.ending, self.failure = Ending.MAX_TURNS, f"its {self._most_steps} steps are used up"
        tokens, cost = _usage_of(part.get("tokens")), amount(part.get("cost"))
        self.tokens, self.cost_usd = self.tokens + tokens, self.cost_usd + cost
        return [usage_event(tokens, cost)]

    def _failed(self, error: Line) -> Event:
        told, name = mapping(error.get("data")), field(error.get("name"), 200)
        status = told.get("statusCode")
        self.status = status if isinstance(status, int) and 100 <= status < 600 else None
        headers = mapping(told.get("responseHeaders"))
        wait = field(headers.get("retry-after"), 20)
        words = field(told.get("message")) or name or "it says that it failed, and not why"
        self.failure = _MEANINGS.get(name, "") + words + (f" (retry-after: {wait})" if wait else "")
        return message(self.failure, EventKind.ERROR, name=name, status=self.status)


def _usage_of(tokens: object) -> Usage:
    told = mapping(tokens)
    cache = mapping(told.get("cache"))
    output = count(told.get("output")) + count(told.get("reasoning"))
    return Usage(count(told.get("input")), output, count(cache.get("read")), count(cache.get("write")))
