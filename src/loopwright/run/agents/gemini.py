"""Gemini CLI as an agent: how it is started, how its stream becomes events, how its end is judged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopwright.ports import Account, Availability, Briefing, Launch, Outcome, Stream
from loopwright.process.programs import find_program, host_of, is_too_old, program_to_start, version_of
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.json_stream import JsonStream
from loopwright.text.amounts import count, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, data, field, mapping
from loopwright.text.open_calls import OpenCalls, called
from loopwright.text.prices import priced
from loopwright.text.told import error, message, usage_event

OLDEST = "0.61.0"
SETTINGS = ".gemini/settings.json"
RULES = ".gemini/loopwright.md"
_HOSTS = (
    *("generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "aiplatform.googleapis.com"),
    *("oauth2.googleapis.com", "www.googleapis.com"),
)
_LOGIN = (".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json", ".gemini/.env")
_INSTALL = "npm install --global @google/gemini-cli"
_LOG_IN = "start `gemini` once and log in, or set GEMINI_API_KEY"
_KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS")
_RESTRICTED = (
    *("read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"),
    *("write_file", "replace", "run_shell_command", "write_todos"),
)
_OWN_TOOLS = frozenset({*_RESTRICTED, "web_fetch", "google_web_search", "invoke_agent", "activate_skill"})
_SHELL = frozenset({"run_shell_command"})
_PATHS = ("file_path", "absolute_path", "dir_path", "path")
_EXIT = re.compile(r"Command exited with code: (\d{1,9})\s*\Z")
_TROUBLE = re.compile(r"^(?:Attempt \d+ failed with status (\d{3})|Error when talking to Gemini API).*$", re.MULTILINE)
_NO_LOGIN, _TOO_MANY_TURNS = 41, 53
_STATUSES = {status % 256: status for status in (400, 401, 403, 404, 408, 429, 500, 502, 503, 504, 529)}
"""Its exit code is the status of HTTP, of which a process can only give the last eight bits."""


class Gemini:
    """The agent `gemini`. Option: `program`, where it lies."""

    automatic = True
    honours = frozenset({"model", "system_prompt", "temperature", "max_turns", "tools", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("gemini", options, ("program",))
        self._program = field(options.get("program")) or "gemini"

    def available(self) -> Availability:
        if find_program(self._program):
            return Availability(installed=True, hint=_LOG_IN, logged_in=_logged_in(Path.home()))
        return Availability(installed=False, hint=f"install it: {_INSTALL}")

    def account(self) -> Account:
        version, _ = version_of(self._program)
        if is_too_old(version, OLDEST):
            hint = f"Gemini CLI {OLDEST} or newer is needed: {_INSTALL}"
            return Account(version, usable=False, hint=hint)
        how, logged_in = _login(Path.home()), _logged_in(Path.home())
        return Account(version, logged_in, how, "" if how else _LOG_IN)

    def launch(self, briefing: Briefing) -> Launch:
        profile = briefing.profile
        # In full: the project's own programs come first on the agent's PATH.
        program = program_to_start(self._program, briefing.workspace)
        model = ("--model", profile.model) if profile.model else ()
        resume = ("--resume", briefing.conversation) if briefing.conversation else ()
        extensions = ("--extensions", "none") if profile.tools == "restricted" else ()
        base = host_of(os.environ.get("GOOGLE_GEMINI_BASE_URL", ""))
        return Launch(
            # Without yolo there is no tool to edit with and none to run commands.
            argv=(
                *(program, "--output-format", "stream-json", "--approval-mode", "yolo"),
                *(*model, *resume, *extensions),
            ),
            environment={"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_TELEMETRY_ENABLED": "false"},
            stdin=briefing.prompt_file,
            files=_files(profile, briefing.workspace),
            hosts=(base,) if base else _HOSTS,
            variables=("GEMINI_*", "GOOGLE_*"),
            login=(*_LOGIN, ".config/gcloud/application_default_credentials.json"),
        )

    def stream(self, briefing: Briefing) -> Stream:
        return GeminiStream()


def _logged_in(home: Path) -> bool | None:
    """Say whether it is logged in. It can be by other means; only who has never started it surely is not."""
    known = (home / ".gemini").exists() or any(name.startswith(("GOOGLE_", "GEMINI_")) for name in os.environ)
    return True if _login(home) else None if known else False


def _login(home: Path) -> str:
    for name in _KEYS:
        if os.environ.get(name):
            return name
    if (home / ".gemini" / "oauth_creds.json").is_file():
        return "logged in with Google"
    return "a key in ~/.gemini/.env" if (home / ".gemini" / ".env").is_file() else ""


def _files(profile: Profile, workspace: Path) -> dict[str, str]:
    """Put our settings in the place of those that the repository brings: they could start servers and hooks."""
    files = {SETTINGS: json.dumps(_settings(profile), indent=2)}
    if profile.system_prompt:
        files[RULES] = profile.system_prompt
    if (workspace / ".gemini" / ".env").exists():
        files[".gemini/.env"] = ""
    return files


def _settings(profile: Profile) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "general": {"enableAutoUpdate": False, "maxAttempts": 3},
        "privacy": {"usageStatisticsEnabled": False},
        "advanced": {"ignoreLocalEnv": True},
    }
    if os.environ.get("GEMINI_API_KEY") and os.environ.get("GOOGLE_GEMINI_BASE_URL"):
        # With a base URL it would take itself for a gateway, and refuse that without a terminal.
        settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
    if profile.system_prompt:
        settings["context"] = {"fileName": ["GEMINI.md", RULES]}
    if profile.max_turns is not None:
        settings["model"] = {"maxSessionTurns": profile.max_turns}
    if profile.temperature is not None:
        config = {"generateContentConfig": {"temperature": profile.temperature}}
        settings["modelConfigs"] = {"customOverrides": [{"match": {"overrideScope": "core"}, "modelConfig": config}]}
    if profile.tools == "restricted":
        settings["tools"] = {"core": list(_RESTRICTED)}
        settings["mcp"] = {"allowed": ["none"]}
        settings["experimental"] = {"enableAgents": False}
    return settings


class GeminiStream(JsonStream):
    """One attempt's output. Words come in pieces, and are told when something else follows."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = OpenCalls()
        self._pieces: list[str] = []

    def read(self, line: Line) -> list[Event] | None:
        kind = line.get("type")
        if kind == "message":
            return self._heard(line)
        said, self._pieces = "".join(self._pieces), []
        told = self._told(kind, line)
        if told is None:
            self._pieces = [said] if said else []
            return None
        return [message(said), *told] if said else told

    def _heard(self, line: Line) -> list[Event] | None:
        if line.get("role") not in ("user", "assistant") or not isinstance(line.get("content"), str):
            return None
        if line["role"] == "assistant":
            before = self.last_message if self._pieces else ""
            self._pieces.append(line["content"])
            self.last_message = bounded((before + line["content"])[-TEXT_LIMIT:], TEXT_LIMIT)
        return []

    def _told(self, kind: object, line: Line) -> list[Event] | None:
        match kind:
            case "init":
                self.model, self.conversation = field(line.get("model")), field(line.get("session_id"))
                return [message(self.model, EventKind.SYSTEM, subtype="init", session_id=self.conversation)]
            case "tool_use" if isinstance(line.get("tool_name"), str):
                given = mapping(line.get("parameters"))
                call = called(field(line["tool_name"]), given, _SHELL, _PATHS, moment(line.get("timestamp")))
                return [self._calls.opened(line.get("tool_id"), call, given)]
            case "tool_result" if line.get("status") in ("success", "error"):
                return self._returned(line)
            case "error" if isinstance(line.get("message"), str):
                return [self._warned(line["message"], line.get("severity") == "error")]
            case "result" if line.get("status") in ("success", "error"):
                return self._result(line)
        return None

    def _returned(self, line: Line) -> list[Event]:
        call_id, error = line.get("tool_id"), mapping(line.get("error"))
        call, kind = self._calls.of(call_id), error.get("type")
        text = field(error.get("message"), TEXT_LIMIT) or field(line.get("output"), TEXT_LIMIT)
        is_error = line["status"] == "error"
        missing = kind == "tool_not_registered" and call.tool in _OWN_TOOLS
        denied = [self._calls.denied(call_id, text)] if missing or kind == "policy_violation" else []
        self.denied += [call.tool or "?"] * len(denied)
        # What a failing command printed is a success to it; the code is only told where there was nothing else.
        told = _EXIT.search(text) if call.command else None
        ended = moment(line.get("timestamp"))
        exit_code = int(told.group(1)) if told else None
        return [*denied, self._calls.closed(call_id, text, is_error=is_error, exit_code=exit_code, ended=ended)]

    def _warned(self, words: str, is_error: bool) -> Event:
        if words.startswith("Maximum session turns"):
            self.ending, self.failure = Ending.MAX_TURNS, field(words)
        elif is_error or words.startswith("Loop detected"):
            self.failure = field(words)
        return message(words, EventKind.ERROR if is_error else EventKind.SYSTEM, subtype="error")

    def _result(self, line: Line) -> list[Event]:
        self.finished = True
        stats, error = mapping(line.get("stats")), mapping(line.get("error"))
        if line["status"] == "error":
            self.failure = field(error.get("message")) or self.failure or "it says that it failed, and not why"
        if field(error.get("type")) == "FatalTurnLimitedError":
            self.ending = Ending.MAX_TURNS
        spent = [(field(name), _usage_of(used)) for name, used in mapping(stats.get("models")).items()]
        self.tokens = sum((usage for _, usage in spent), Usage()) if spent else _usage_of(stats)
        self.cost_usd, notes = priced(spent or [(self.model, self.tokens)])
        closing = self._closing(count(stats.get("duration_ms")), stats)
        return [usage_event(self.tokens, self.cost_usd), *notes, closing]

    def _closing(self, took_ms: int, stats: Line) -> Event:
        text = self.failure or self.last_message
        return Event(
            EventKind.RESULT,
            bounded(text, TEXT_LIMIT),
            duration_s=took_ms / 1000,
            data={"stats": data(stats)},
            **error(bool(self.failure), text),
        )

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        """Judge the end: by its result, its exit code, and what it said of its troubles with the server."""
        if not self.finished and not self.failure and (found := list(_TROUBLE.finditer(stderr))):
            self.failure = bounded(found[-1].group())
            self.status = int(found[-1].group(1)) if found[-1].group(1) else None
        if exit_code == _TOO_MANY_TURNS:
            self.ending = Ending.MAX_TURNS
        elif exit_code == _NO_LOGIN:
            self.ending = Ending.NO_ACCESS
        elif exit_code and self.status is None:
            self.status = _STATUSES.get(exit_code)
        return super().outcome(exit_code, stderr)


def _usage_of(stats: object) -> Usage:
    told = mapping(stats)
    cached, sent = count(told.get("cached")), count(told.get("input_tokens"))
    # What it thought is in the total alone.
    output = max(count(told.get("output_tokens")), count(told.get("total_tokens")) - sent)
    return Usage(input=max(0, sent - cached), output=output, cache_read=min(cached, sent))
