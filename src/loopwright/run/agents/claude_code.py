"""Claude Code as an agent: `claude -p`, which speaks stream-json (text/stream_json.py)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.errors import AgentError
from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.process.programs import find_program, host_of, is_too_old, program_to_start, version_of
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.agent_stream import AgentStream
from loopwright.text.bounded import mapping

OLDEST = "2.1.197"
"""The first version whose stream and flags are known to be as they are read and used here."""
INSTALL = "npm install --global @anthropic-ai/claude-code@latest"
LOG_IN = "log in: `claude`, then /login; or set CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token`) or ANTHROPIC_API_KEY"
_RETRIES = "3"
"""Short ones, for a hiccup. Longer troubles are waited for by the loop, which says so and costs no iteration."""

_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",  # what one run has noted would be told to the next
    "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1",
}
_RESTRICTED = "Bash,Edit,Glob,Grep,Read,Write"
_WITHOUT_ASKING = "Bash,BashOutput,KillShell,Monitor,NotebookEdit,WebFetch,WebSearch,Agent,Task,Skill,Workflow"
"""Edits in the workspace are accepted by the mode; to name Edit or Write here would accept them anywhere."""
_NEVER = "EnterWorktree,ExitWorktree,CronCreate,CronDelete,ScheduleWakeup,AskUserQuestion"
"""Work would be left where nobody looks, or nobody would be there to wait for it."""

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_CLOUDS: Mapping[str, Sequence[str]] = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_*",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_*", "CLOUD_ML_*", "VERTEX_*"),
    "CLAUDE_CODE_USE_FOUNDRY": ("AZURE_*",),
}
_HOSTS = ("api.anthropic.com", "platform.claude.com")
_LOGIN = (".claude/.credentials.json", ".claude/settings.json")
_MANAGED = Path("/etc/claude-code")
_OUTSIDE = "in the sandbox that does not work: set ANTHROPIC_API_KEY, or run without: --sandbox off"


class ClaudeCode:
    """The agent `claude_code`. Option: `arguments`, a list of more flags for `claude`."""

    automatic = True
    honours = frozenset({"model", "system_prompt", "max_turns", "tools", "conversation"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("claude_code", options, ("arguments",))
        arguments = options.get("arguments", ())
        if not isinstance(arguments, list | tuple) or not all(isinstance(word, str) for word in arguments):
            hint = 'write them as a list: arguments = ["--effort", "high"]'
            raise AgentError(f"`{arguments!r}` is no list of arguments for `claude`", hint)
        self._more = list(arguments)

    def available(self) -> Availability:
        if find_program("claude"):
            logged_in = _login()[0]
            unsure = logged_in is False and self._more  # its arguments may name other settings
            return Availability(installed=True, hint=LOG_IN, logged_in=None if unsure else logged_in)
        return Availability(installed=False, hint=f"install it: {INSTALL}")

    def account(self) -> Account:
        version, trouble = version_of("claude")
        if trouble:
            return Account(hint=f"`claude --version` {trouble}: {INSTALL}", usable=False)
        if is_too_old(version, OLDEST):
            hint = f"Claude Code {version} is too old, {OLDEST} is needed: {INSTALL}"
            return Account(version, hint=hint, usable=False)
        return _logged_in(version)

    # How it is started.

    def launch(self, briefing: Briefing) -> Launch:
        # In full: the project's own programs come first on the agent's PATH.
        program = program_to_start("claude", briefing.workspace)
        argv = [program, "-p", "--output-format", "stream-json", "--verbose"]
        return Launch(
            [*argv, *_apart(briefing.workspace), *_permissions(briefing), *_told(briefing), *self._more],
            environment={**_QUIET, **_own(briefing)},
            stdin=briefing.prompt_file,
            hosts=_hosts(),
            variables=("ANTHROPIC_*", "CLAUDE_CODE_*", *_cloud_variables()),
            login=_LOGIN,
            login_places={name: _folder() / Path(name).name for name in _LOGIN},
        )

    # How its stream becomes events and how its end is judged: other programs speak it, too.

    def stream(self, briefing: Briefing) -> Stream:
        return AgentStream()


def _apart(workspace: Path) -> Iterator[str]:
    """Leave out what the repository brings: settings, hooks, servers, agents, skills. Its CLAUDE.md is read."""
    yield from ("--setting-sources", "user", "--strict-mcp-config", "--add-dir", str(workspace))


def _permissions(briefing: Briefing) -> Iterator[str]:
    yield from ("--permission-mode", "bypassPermissions" if briefing.confined else "acceptEdits")
    if briefing.profile.tools == "restricted":
        yield from ("--tools", _RESTRICTED)
    if not briefing.confined:
        yield from ("--allowedTools", "Bash" if briefing.profile.tools == "restricted" else _WITHOUT_ASKING)
    yield from ("--disallowedTools", _NEVER)


def _told(briefing: Briefing) -> Iterator[str]:
    profile = briefing.profile
    if profile.model:
        yield from ("--model", profile.model)
    if profile.system_prompt:
        yield from ("--append-system-prompt", profile.system_prompt)
    if profile.max_turns is not None:
        yield from ("--max-turns", str(profile.max_turns))
    if briefing.conversation:
        yield from ("--resume", briefing.conversation)


def _own(briefing: Briefing) -> dict[str, str]:
    """Give what depends on where it runs. As root, it lets go of its permissions only where it is told of a sandbox."""
    retries = {"CLAUDE_CODE_MAX_RETRIES": os.environ.get("CLAUDE_CODE_MAX_RETRIES", _RETRIES)}
    return {**retries, "IS_SANDBOX": "1"} if briefing.confined else retries


def _hosts() -> Sequence[str]:
    own = host_of(os.environ.get("ANTHROPIC_BASE_URL", ""))
    return (own,) if own else _HOSTS


def _cloud_variables() -> Iterator[str]:
    for switch, patterns in _CLOUDS.items():
        if os.environ.get(switch):
            yield from patterns


# How it is logged in.


def _logged_in(version: str) -> Account:
    logged_in, detail, hint = _login()
    if logged_in or detail:
        return Account(version, logged_in, detail, hint)
    if logged_in is None:
        return Account(version, hint="if it is not logged in: `claude`, then /login")
    return Account(version, logged_in=False, hint=LOG_IN)


def _login() -> tuple[bool | None, str, str]:
    """Look how it is logged in, and what to know of that; nothing is started."""
    if found := next((name for name in (*_KEYS, *_CLOUDS) if os.environ.get(name)), ""):
        return True, f"by {found}", ""
    credentials, settings = (_folder() / Path(name).name for name in _LOGIN)
    content = _read(settings)
    if any(name in mapping(content.get("env")) for name in (*_KEYS, *_CLOUDS)):
        return True, f"by {settings}", ""
    if "apiKeyHelper" in content:  # asked before the credentials; what it reads is not there in a sandbox
        return None, f"by the apiKeyHelper of {settings}", _OUTSIDE
    if credentials.is_file():
        return True, f"by {credentials}", ""
    if "primaryApiKey" in _read(_state()):  # of an account of Anthropic's console; the file is not in a sandbox
        return None, f"by {_state()}", _OUTSIDE
    # A Mac's keychain is not looked into unasked; an administrator or a server of one's own may have another way.
    unsure = sys.platform == "darwin" or _MANAGED.exists() or os.environ.get("ANTHROPIC_BASE_URL")
    return None if unsure else False, "", ""


def _folder() -> Path:
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")


def _state() -> Path:
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home()) / ".claude.json"


def _read(settings: Path) -> Mapping[str, Any]:
    try:
        return mapping(json.loads(settings.read_text("utf-8")))
    except (OSError, ValueError):
        return {}
