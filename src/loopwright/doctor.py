"""What works here and what is missing, each with the way to mend it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from loopwright.choosing import choose_profile, make_agent
from loopwright.errors import AgentError, LoopwrightError
from loopwright.ports import Agent
from loopwright.process.sandbox import obstacle
from loopwright.process.tool import call
from loopwright.registry import AGENTS, load, names
from loopwright.run.confinement import OWN_PROGRAMS
from loopwright.run.dependencies import dependency_folders
from loopwright.run.git import Repository
from loopwright.run.landing import WHO_YOU_ARE, is_anonymous
from loopwright.run.place import cannot_mount
from loopwright.settings import FILE, load_settings
from loopwright.store.database import shown
from loopwright.store.health import Health
from loopwright.store.health import examine as health_of
from loopwright.variables import cache_folder
from loopwright.wire import find_store

_OLDEST_GIT = (2, 31)
_LEAST_FREE = 1_000_000_000
_RELOCATED = 'if tests do not find what they need there: [checks] setup = "uv sync", or bring = ["folder"]'


@dataclass(frozen=True)
class Symptom:
    """One thing that was looked at."""

    name: str
    state: Literal["ok", "note", "missing"]
    """`missing` is what a run needs; `note` is what it can do without."""
    detail: str
    hint: str = ""


def examine(folder: Path, home: str | None = None) -> Iterator[Symptom]:
    """Look at everything a run needs; nothing is changed."""
    agents = {symptom.name: symptom for symptom in _agents()}
    yield Symptom("python", "ok", f"{platform.python_version()} ({sys.executable})")
    yield _git()
    repository, symptom = _repository(folder)
    yield symptom
    if repository is not None:
        if is_anonymous(repository):
            yield Symptom("git identity", "note", "none, and `land` makes a commit", WHO_YOU_ARE)
        settings = _settings(repository, agents)
        yield settings
        if settings.state != "missing":  # they say where the store is
            yield _store(repository, home)
        found = [name for name in dependency_folders(repository.root) if (repository.root / name).is_dir()]
        copied = f"{', '.join(found)}: copied into every clone" if found else "no .venv or node_modules to copy"
        yield Symptom("dependencies", "ok", copied)
        yield _checks(repository)
    yield _cache()
    yield from agents.values()
    yield _sandbox()


def _git() -> Symptom:
    program = shutil.which("git")
    if program is None:
        return Symptom("git", "missing", "not installed", f"install git {_OLDEST_GIT[0]}.{_OLDEST_GIT[1]} or newer")
    words = call([program, "--version"], environment=os.environ, limit_s=20).stdout.decode(errors="replace").split()
    version = words[2] if len(words) > 2 else "unknown"
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < _OLDEST_GIT:
        return Symptom("git", "missing", version, "install a newer one: 2.31 at least")
    return Symptom("git", "ok", version)


def _repository(folder: Path) -> tuple[Repository | None, Symptom]:
    try:
        repository = Repository.find(folder)
        commit = repository.commit("HEAD")
    except LoopwrightError as error:
        return None, Symptom("repository", "missing", error.message, error.hint)
    left = repository.uncommitted(but=FILE)  # which is read as it lies there
    detail = f"{repository.root}, at {commit[:12]}"
    if left:
        detail = f"{detail}, {left} uncommitted change{'s' if left > 1 else ''}"
        return repository, Symptom("repository", "note", detail, "runs start from a commit: commit what they need")
    return repository, Symptom("repository", "ok", detail)


def _settings(repository: Repository, agents: Mapping[str, Symptom]) -> Symptom:
    try:
        settings = load_settings(repository.root)
    except LoopwrightError as error:
        return Symptom("settings", "missing", error.message, error.hint)
    try:
        profile = choose_profile(settings)
        others = [part for part in (profile.part("planner"), profile.part("reviewer")) if part.agent != profile.agent]
        for part in (profile, *others):
            make_agent(part)
    except LoopwrightError as error:
        return Symptom("settings", "note", error.message, error.hint)
    name = f"agent {profile.agent}"
    picked = agents.get(name, Symptom(name, "ok", ""))
    if picked.state == "ok":
        return Symptom("settings", "ok", name)
    return Symptom("settings", picked.state, f"{name}: {picked.detail}", picked.hint)


def _store(repository: Repository, home: str | None) -> Symptom:
    try:
        place = find_store(repository.root, home)
        health = health_of(place)
    except LoopwrightError as error:
        return Symptom("store", "missing", error.message, error.hint)
    if health.version is None:
        return Symptom("store", "ok", f"{shown(place)} (made by the first run)")
    hints = []
    if health.outdated:
        hints.append("it will be migrated by the next command, with a backup first")
    if health.free is not None and health.free < _LEAST_FREE:
        hints.append("loopwright gc")
    detail = f"{shown(place)}, {health.database}, version {health.version}: {_contents(health)}"
    return Symptom("store", "note" if hints else "ok", detail, "; ".join(hints))


def _contents(health: Health) -> str:
    room = "" if health.free is None else f", {health.free / 1e9:.0f} GB free"
    sound = "sound" if health.checked else "too large to be looked at as a whole"
    counts = f"{health.runs:,} runs, {health.running:,} running, {health.waiting:,} in the queue"
    return f"{counts}; {sound}, {health.size / 1e6:.1f} MB{room}"


def _checks(repository: Repository) -> Symptom:
    with tempfile.TemporaryDirectory() as folder:
        trouble = cannot_mount(repository.root, Path(folder, "scratch"), dependency_folders(repository.root))
    if not trouble:
        return Symptom("checks", "ok", "can be run at the repository's own path (same-path)")
    return Symptom("checks", "note", f"are run in a copy (relocate): {trouble}", _RELOCATED)


def _cache() -> Symptom:
    folder = cache_folder()
    above = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not os.access(above, os.W_OK):
        return Symptom("clones", "missing", f"{folder} can't be written", "set XDG_CACHE_HOME to a folder of yours")
    free = shutil.disk_usage(above).free / 1e9
    state: Literal["ok", "note"] = "ok" if free > 2 else "note"
    return Symptom("clones", state, f"{folder}, {free:.0f} GB free", "" if free > 2 else "loopwright gc")


def _agents() -> Iterator[Symptom]:
    others = [name for name in names(AGENTS) if name not in OWN_PROGRAMS]
    others.sort(key=lambda name: not load(AGENTS, name).automatic)
    with ThreadPoolExecutor(len(others)) as beside:  # each is started to be asked for its version
        yield from beside.map(_agent, others)
    yield Symptom("agent command", "ok", 'any program: --agent-command "…"')


def _agent(name: str) -> Symptom:
    try:
        agent: Agent = load(AGENTS, name)({})
    except AgentError as error:  # it needs an option, which a profile has
        return Symptom(f"agent {name}", "note", error.message, error.hint)
    found = agent.available()
    if not found.installed:
        return Symptom(f"agent {name}", "note", "not installed", found.hint)
    account = agent.account()
    login = {True: "logged in", False: "not logged in", None: ""}[account.logged_in]
    detail = ", ".join(filter(None, (account.version or "installed", login, account.detail)))
    ready = account.usable and account.logged_in is not False
    return Symptom(f"agent {name}", "ok" if ready else "note", detail, account.hint)


def _sandbox() -> Symptom:
    if not (trouble := obstacle()):
        words = "works (bubblewrap); a program of your own (`command`) is confined only with --sandbox required"
        return Symptom("sandbox", "ok", words)
    return Symptom("sandbox", "note", f"agents run unconfined: {trouble.words}", trouble.hint)
