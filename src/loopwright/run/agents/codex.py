"""OpenAI's Codex as an agent: `codex exec --json`, https://developers.openai.com/codex."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from loopwright.errors import AgentError
from loopwright.ports import Account, Availability, Briefing, Launch, Outcome, Stream
from loopwright.process.programs import find_program, is_too_old, program_to_start, version_of
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.codex_rollout import Rollout
from loopwright.run.codex_setup import (
    KEYS,
    handed_key,
    home_in,
    hosts,
    login,
    login_files,
    moved,
    own_variables,
    user_config,
)
from loopwright.run.json_stream import JsonStream
from loopwright.text.bounded import Line, field, mapping
from loopwright.text.codex_lines import PATCH, Items, retry, usage_of, words
from loopwright.text.prices import priced
from loopwright.text.told import error, message, usage_event

OLDEST = "0.120.0"
"""The oldest version that was tried."""
INSTALL = "npm install --global @openai/codex"
LOG_IN = "log in: codex login; or set OPENAI_API_KEY or CODEX_API_KEY"

_ALWAYS = {
    "approval_policy": "never",
    "analytics.enabled": False,
    # They ask hosts that nobody needs for the work.
    **{f"features.{name}": False for name in ("plugins", "apps", "remote_plugin", "plugin_discovery_prefetch")},
    # It would try again without end while there is no network, and never be idle.
    "features.unbounded_connection_retries": False,
    "features.hooks": False,
}
_UNCONFINED = {
    "sandbox_mode": "workspace-write",
    "sandbox_workspace_write.exclude_slash_tmp": True,
    "sandbox_workspace_write.exclude_tmpdir_env_var": True,
}
_RESTRICTED = {
    "web_search": "disabled",
    "skills.include_instructions": False,
    **{
        f"features.{name}": False
        for name in ("multi_agent", "goals", "image_generation", "tool_suggest", "skill_search", "memories")
    },
    **{f"features.{name}": False for name in ("browser_use", "in_app_browser", "computer_use")},
}
_PROVIDER = "loopwright"
_NOISE = re.compile(
    r"^(?:Reading (?:additional input|prompt) from stdin.*|WARNING: proceeding, even though.*)\n?", re.M
)
_REFUSED = re.compile(r"content_filter|content was flagged|for safety reasons|violat\w+ .{0,40}polic", re.I)


class Codex:
    """The agent `codex`. Option: `config`, more of its own settings, such as `{"model_reasoning_effort": "high"}`."""

    automatic = True
    honours = frozenset({"model", "system_prompt", "tools", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("codex", options, ("config",))
        config = options.get("config", {})
        simple = isinstance(config, Mapping) and all(isinstance(v, str | int | float) for v in config.values())
        if not simple:
            hint = 'write it so: config = { model_reasoning_effort = "high" }'
            raise AgentError(f"the option `config` of the agent `codex` is no table of simple values: `{config}`", hint)
        self._config: Mapping[str, Any] = config

    def available(self) -> Availability:
        if find_program("codex"):
            logged_in = login()[0]
            unsure = logged_in is False and self._config  # which may name another provider
            return Availability(installed=True, hint=LOG_IN, logged_in=None if unsure else logged_in)
        return Availability(installed=False, hint=f"install it: {INSTALL}")

    def account(self) -> Account:
        version, trouble = version_of("codex")
        if trouble:
            return Account(hint=f"`codex --version` {trouble}; install it again: {INSTALL}", usable=False)
        if is_too_old(version, OLDEST):
            hint = f"Codex {version} is too old, {OLDEST} is the oldest that is known to work: {INSTALL}"
            return Account(version, hint=hint, usable=False)
        logged_in, detail = login()
        hint = LOG_IN if logged_in is False else ""
        return Account(version, logged_in, detail, hint, usable=logged_in is not False)

    # How it is started.

    def launch(self, briefing: Briefing) -> Launch:
        profile, base_url = briefing.profile, os.environ.get("OPENAI_BASE_URL", "")
        # In full: the project's own programs come first on the agent's PATH.
        argv = [program_to_start("codex", briefing.workspace), "exec", *(["resume"] if briefing.conversation else [])]
        argv += ["--json", "--skip-git-repo-check", *(["--model", profile.model] if profile.model else [])]
        for key, value in self._settings(briefing, base_url).items():
            argv += ["-c", f"{key}={_toml(value)}"]
        argv += [briefing.conversation] if briefing.conversation else []
        return Launch(
            argv=[*argv, "-"],
            environment=handed_key() | moved(briefing),
            stdin=briefing.prompt_file,
            hosts=hosts(base_url),
            variables=("OPENAI_*", "CODEX_API_KEY", *own_variables()),
            login=login_files(),
        )

    def _settings(self, briefing: Briefing, base_url: str) -> dict[str, Any]:
        profile = briefing.profile
        settings: dict[str, Any] = dict(_ALWAYS)
        settings |= {"sandbox_mode": "danger-full-access"} if briefing.confined else _UNCONFINED
        # Else it trusts the folder, starts what `.codex/` there names, and writes so into the user's settings.
        places = {str(briefing.workspace), str(briefing.workspace.resolve())}
        settings["projects"] = {place: {"trust_level": "untrusted"} for place in sorted(places)}
        if profile.tools == "restricted":
            settings |= _RESTRICTED
            settings["mcp_servers"] = {name: {"enabled": False} for name in mapping(user_config().get("mcp_servers"))}
        if profile.system_prompt:
            settings["developer_instructions"] = profile.system_prompt
        return settings | _provider(base_url) | dict(self._config)

    def stream(self, briefing: Briefing) -> Stream:
        model = briefing.profile.model or field(user_config().get("model"))
        return CodexStream(Rollout(home_in(briefing)), briefing.used, model)


class CodexStream(JsonStream):
    """How its stream becomes events, and how its end is judged."""

    def __init__(self, rollout: Rollout, used: Usage = Usage(), model: str = "") -> None:
        super().__init__()
        self.model = model
        self._rollout, self._used = rollout, used
        self._items, self._total = Items(), Usage()
        self._trouble = ""
        """With the model's server, while it lasts."""
        self._said_unknown = False

    def read(self, line: Line) -> list[Event] | None:
        events = self._told(line)
        return None if events is None else [*events, *self._count()]

    def _told(self, line: Line) -> list[Event] | None:
        match line.get("type"):
            case "thread.started" if field(line.get("thread_id"), 200):
                self.conversation = field(line["thread_id"], 200)
                told = {"subtype": "init", "thread_id": self.conversation}
                return [Event(EventKind.SYSTEM, f"codex {self.conversation}", data=told)]
            case "turn.started":
                return []
            case "item.started" | "item.updated" | "item.completed" as when:
                return self._item(when, mapping(line.get("item")))
            case "error":
                return [self._error(field(line.get("message")))]
            case "turn.completed":
                return self._completed(line)
            case "turn.failed":
                return [self._failed(words(mapping(line.get("error")).get("message")))]
        return None

    def _item(self, when: str, item: Line) -> list[Event] | None:
        self._trouble = ""
        if when == "item.updated":
            return self._items.completed(item) if item.get("type") == "todo_list" else []
        events = self._items.started(item) if when == "item.started" else self._items.completed(item)
        self.last_message, self.denied = self._items.last_message, self._items.denied
        return events

    def _error(self, said: str) -> Event:
        if event := retry(said):
            self._trouble = event.data["error"]
            return event
        self._trouble = words(said)
        return message(self._trouble, EventKind.ERROR)

    def _completed(self, line: Line) -> list[Event]:
        self.finished, self.failure, self._trouble = True, "", ""
        self._see(usage_of(line.get("usage")))
        self._price()
        used = usage_event(self.tokens, None if self._unpriced else self.cost_usd)
        return [used, message(self.last_message, EventKind.RESULT)]

    def _failed(self, said: str) -> Event:
        self.failure = said or "the turn failed"
        if _REFUSED.search(self.failure):
            self.ending = Ending.REFUSED
        return Event(EventKind.RESULT, self.failure, **error(True, self.failure))

    # Tokens: the conversation's own count, less what earlier attempts have used of it.

    def _count(self) -> list[Event]:
        self._price()
        notes = [] if self._said_unknown else self._unpriced
        self._said_unknown = self._said_unknown or bool(notes)
        return notes

    def _price(self) -> None:
        self._rollout.look(self.conversation)
        self.model, self.version = self._rollout.model or self.model, self._rollout.version
        self._see(self._rollout.used)
        self.tokens = self._total - self._used
        self.cost_usd, self._unpriced = priced([(self.model, self.tokens)])

    def _see(self, total: Usage) -> None:
        if total.total > self._total.total:
            self._total = total

    # How its end is judged.

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        self._price()
        if not self.finished:
            self.failure = self.failure or self._trouble
        # A patch that is refused gives no event.
        self.denied = [*self.denied, *[PATCH] * stderr.count("patch rejected:")]
        return super().outcome(exit_code, _NOISE.sub("", stderr))


def _provider(base_url: str) -> dict[str, Any]:
    if not base_url:
        return {}
    own = {"name": _PROVIDER, "base_url": base_url, "wire_api": "responses"}
    key = {"env_key": "CODEX_API_KEY"} if any(os.environ.get(name) for name in KEYS) else {}
    return {"model_provider": _PROVIDER, f"model_providers.{_PROVIDER}": own | key}


def _toml(value: object) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_toml(str(key))}={_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
