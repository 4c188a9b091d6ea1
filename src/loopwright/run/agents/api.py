"""A model as an agent, without a CLI: asked directly, with tools of ours, by a real subprocess (run/api_agent.py)."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from loopwright.endpoint import BASES, INSTALL, KEYS, PACKAGES, URLS, Endpoint, Kind
from loopwright.errors import AgentError, UnknownName
from loopwright.ports import GOAL_ALONE, Account, Availability, Briefing, Launch, Stream
from loopwright.process.programs import host_of, is_too_old
from loopwright.records.budget import Usage
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.agent_stream import AgentStream
from loopwright.run.api_settings import MAX_TURNS, ApiSettings
from loopwright.text.prices import dollars

_OLDEST = "2.0"
_OPTIONS = ("answer", "api", "base_url", "key", "retries")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONVERSATION = re.compile(r"[0-9a-f]{32}")


class Api:
    """The agent `api`. Options: `api` (openai, anthropic), `base_url`, `key` (a variable), `retries`, `answer`."""

    automatic = False
    honours = frozenset({"model", "system_prompt", "temperature", "max_turns", "tools", "conversation"})
    needs = frozenset({"model"})

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("api", options, _OPTIONS)
        self._base_url, self._key = _url(options.get("base_url", "")), _variable(options.get("key", ""))
        self._api, self._retries = _kind(options.get("api", "")), _count(options.get("retries", 2))
        self._answer = _file(options.get("answer", ""))
        if self._answer:
            self.honours = self.honours | {GOAL_ALONE}

    def available(self) -> Availability:
        missing = [name for name in PACKAGES if not importlib.util.find_spec(name)]
        if missing:
            return Availability(installed=False, hint=f"it needs pydantic-ai: {INSTALL}")
        return Availability(installed=True, hint=self._hint, logged_in=self._logged_in)

    def account(self) -> Account:
        found = version("pydantic-ai-slim")
        if is_too_old(found, _OLDEST):
            hint = f"pydantic-ai {found} is too old, {_OLDEST} is needed: {INSTALL}"
            return Account(found, self._logged_in, hint=hint, usable=False)
        held, usable = ", ".join(self._held), self._logged_in is not False
        return Account(found, self._logged_in, held, "" if held else self._hint, usable)

    @property
    def _keys(self) -> list[str]:
        return [self._key] if self._key else [KEYS[self._api]] if self._api else list(KEYS.values())

    @property
    def _held(self) -> list[str]:
        return [name for name in self._keys if os.environ.get(name)]

    @property
    def _logged_in(self) -> bool | None:
        # A server of one's own may ask for no key.
        free = self._base_url or any(os.environ.get(name) for name in BASES.values())
        return True if self._held else None if free else False

    @property
    def _hint(self) -> str:
        first, *others = self._keys
        return f"set {first}{f' ({others[0]} for a model of Anthropic)' if others else ''} to your key"

    # How it is started.

    def launch(self, briefing: Briefing) -> Launch:
        settings = self._settings(briefing)
        # -P keeps the workspace, where it runs, from shadowing modules; -I would also leave out a user's own site.
        argv = [sys.executable, "-P", "-m", "loopwright.run.api_agent", settings.dump()]
        hosts = [host] if (host := host_of(settings.base_url)) else []
        return Launch(argv=argv, stdin=briefing.prompt_file, hosts=hosts, variables=[settings.key])

    def _settings(self, briefing: Briefing) -> ApiSettings:
        profile = briefing.profile
        if not profile.model:
            raise AgentError("the agent `api` has no model", "name one: --model NAME, or `model` in the profile")
        endpoint = Endpoint.of(profile.model, self._api, self._base_url)
        known = _CONVERSATION.fullmatch(briefing.conversation)
        return ApiSettings(
            model=profile.model,
            api=endpoint.api,
            base_url=endpoint.base_url,
            key=self._key or KEYS[endpoint.api],
            # In a sandbox there is no writing beside the prompt, and the home is kept for as long as the run.
            conversations="" if briefing.confined else str(briefing.prompt_file.parent.absolute()),
            conversation=briefing.conversation if known else "",
            system_prompt=profile.system_prompt,
            temperature=profile.temperature,
            max_turns=MAX_TURNS if profile.max_turns is None else profile.max_turns,
            retries=self._retries,
            answer=self._answer if briefing.role == "worker" else "",
        )

    # How its stream becomes events, and its end is judged.

    def stream(self, briefing: Briefing) -> Stream:
        return ApiStream(briefing.profile.model)


class ApiStream(AgentStream):
    """Claude Code's stream-json, with the cost of what was used so far before a result says it."""

    def __init__(self, model: str) -> None:
        super().__init__()
        self._asked, self._priced = model, (Usage(), 0.0)

    def usage(self) -> tuple[Usage, float]:
        tokens, cost = super().usage()
        if not cost and tokens != self._priced[0]:
            self._priced = tokens, dollars(self._asked, tokens) or 0.0
        return tokens, cost or self._priced[1]


def _kind(value: object) -> Kind | None:
    if value == "openai" or value == "anthropic":
        return value
    if value:
        raise UnknownName("api", str(value), list(URLS))
    return None


def _url(value: object) -> str:
    text = value if isinstance(value, str) else ""
    try:
        url = urlsplit(text)
        sound = not value or (url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0)
    except ValueError:
        sound = False
    if not sound:
        raise AgentError(f"`{value}` is no base URL", "write it like `http://localhost:11434/v1`")
    return text


def _variable(value: object) -> str:
    if not value:
        return ""
    if isinstance(value, str) and _VARIABLE.fullmatch(value):
        return value
    # It may be the key itself: it is not said again.
    raise AgentError("the option `key` is not the name of a variable", 'name the one that holds it: key = "MY_API_KEY"')


def _file(value: object) -> str:
    path = PurePosixPath(value) if isinstance(value, str) else PurePosixPath("..")
    if not value or not (path.is_absolute() or ".." in path.parts):
        return str(value or "")
    raise AgentError(f"`{value}` is no file of the repository", 'write it like `answer = "answer.txt"`')


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10:
        return value
    raise AgentError(f"`retries` is `{value}`", "write a number from 0 to 10")
