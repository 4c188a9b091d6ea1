"""The real CLIs, of the versions that the tests were written for: installed once from npm into a folder that stays."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_ENVIRONMENT = dict(os.environ)
"""As it was before a test has put its own in place."""
_LIMIT_S = 600


@dataclass(frozen=True)
class Cli:
    """One program and where it comes from."""

    program: str
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.program} {self.version}"


CLAUDE = Cli("claude", "@anthropic-ai/claude-code", "2.1.325")
CODEX = Cli("codex", "@openai/codex", "0.166.0")
GEMINI = Cli("gemini", "@google/gemini-cli", "0.61.0")
OPENCODE = Cli("opencode", "opencode-ai", "1.18.33")


class NotInstalled(Exception):
    """It can't be had here, and why."""


def folder_of(cli: Cli) -> Path:
    """Give the folder that has the program in it, installing it where that was not done before."""
    cache = _cache()
    cache.mkdir(parents=True, exist_ok=True)
    place = cache / f"{cli.program}-{cli.version}"
    with (cache / f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers that run beside each other install it once
        if not place.exists():
            new = place.with_name(f"{place.name}.new")
            _install(cli, new)
            new.rename(place)
    return place / "node_modules" / ".bin"


def _cache() -> Path:
    general = Path(_ENVIRONMENT.get("XDG_CACHE_HOME") or Path(_ENVIRONMENT["HOME"]) / ".cache")
    return Path(_ENVIRONMENT.get("LOOPWRIGHT_E2E_CACHE") or general / "loopwright-e2e")


def _install(cli: Cli, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    flags = ["--no-audit", "--no-fund", "--fetch-retries=1", "--prefix", str(place)]
    try:
        _run(cli, ["npm", "install", *flags, f"{cli.package}@{cli.version}"])
        said = _run(cli, [str(place / "node_modules" / ".bin" / cli.program), "--version"])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{cli} can't be installed: {error}") from None
    if cli.version not in said:
        raise NotInstalled(f"{cli} can't be installed: what came says that it is `{said.strip()}`")


def _run(cli: Cli, words: list[str]) -> str:
    done = subprocess.run(
        words, env=_ENVIRONMENT, capture_output=True, text=True, timeout=_LIMIT_S, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise NotInstalled(f"{cli} can't be installed: {' '.join(done.stderr.split())[-300:]}")
    return done.stdout
