"""The real CLIs at work in a real repository, with a model that is a script: `make e2e`."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.anthropic import Script, Server, says
from e2e.clis import CLAUDE, Cli, NotInstalled, folder_of
from world import Called, Loopwright, Repo

collect_ignore_glob = [] if os.environ.get("E2E") else ["test_*.py"]

GOAL = "Make the answer 42"
TEST = ("--test", "sh test.sh")
_SANDBOX = os.environ.get("E2E_SANDBOX", "auto")
"""Read before a test has an environment of its own."""
_KEPT = ("PATH", "HOME", "LANG", "NO_COLOR", "COLUMNS", "XDG_CACHE_HOME", "PYTEST_", "COVERAGE_")


@pytest.fixture
def sandbox() -> Sequence[str]:
    """Give the flags of the sandbox that every agent here works in: E2E_SANDBOX=required|auto|off."""
    return "--sandbox", _SANDBOX


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, own_home: Path, tmp_path: Path) -> Path:
    """Take away the machine's variables, and with them every login and every proxy; give the folder for temporaries."""
    for name in [name for name in os.environ if not name.startswith(_KEPT)]:
        monkeypatch.delenv(name)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    return temporary


Install = Callable[[Cli], None]


@pytest.fixture
def install(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Give what puts a real CLI on the PATH; where it can't be had, the test is skipped and says so."""

    def put(cli: Cli) -> None:
        found = _found(cli)
        if isinstance(found, NotInstalled):
            pytest.skip(str(found))
        monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")

    return put


@functools.cache
def _found(cli: Cli) -> Path | NotInstalled:
    """Look once: an installation that fails takes its time."""
    try:
        return folder_of(cli)
    except NotInstalled as missing:
        return missing


@dataclass(frozen=True)
class Claude:
    """A user with Claude Code, whose model does what a script says."""

    repo: Repo
    server: Server
    loopwright: Loopwright
    words: Callable[..., list[str]]
    """All that follows `loopwright` on the command line, for flags that a test adds."""

    def run(self, script: Script, *flags: object) -> Called:
        """Let it work on the goal until the run has ended."""
        self.server.script = script
        return self.loopwright(*self.words(*flags))

    def set(self, section: str, **values: Any) -> None:
        """Add a section to the settings of the repository."""
        path = self.repo.root / "loopwright.toml"
        lines = [f"[{section}]", *(f"{name} = {_toml(value)}" for name, value in values.items()), ""]
        path.write_text("\n".join([path.read_text() if path.exists() else "", *lines]))

    def profile(self, **values: Any) -> Sequence[str]:
        """Write a profile, and give the flags that name it."""
        self.set("profiles.own", **values)
        return "--profile", "own"

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Give the events of a kind, of all runs, in order."""
        columns = ("text", "tool", "call_id", "parent_call_id", "is_error", "exit_code", "command")
        rows = self.repo.query(f"SELECT {', '.join(columns)} FROM events WHERE kind = '{kind}' ORDER BY run_id, seq")
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def endings(self) -> list[str]:
        """Give how the attempts ended, in order."""
        return [row[0] for row in self.repo.query("SELECT ending FROM attempts ORDER BY number")]


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {_toml(inner)}' for name, inner in value.items())}}}"
    return json.dumps(value)


@pytest.fixture
def claude(
    install: Install,
    repo: Repo,
    loopwright: Loopwright,
    sandbox: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Claude]:
    """Give the real Claude Code, with a dummy key and a server of the test's own."""

    def words(*flags: object) -> list[str]:
        return ["run", GOAL, *TEST, "--agent", "claude_code", "--json", "--timeout", "60s", *sandbox, *map(str, flags)]

    install(CLAUDE)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    monkeypatch.setenv("CLAUDE_CODE_MAX_RETRIES", "1")
    with Server(lambda _: says("nothing was scripted")).running() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield Claude(repo, server, loopwright, words)
