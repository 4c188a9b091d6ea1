"""Settings -> live objects: the only file that picks implementations."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.cycle import Cycle
from loopwright.errors import AgentError, SetupError, UnknownName
from loopwright.ports import Agent, Watcher
from loopwright.records.profile import Profile
from loopwright.registry import AGENTS, kinds, load, names
from loopwright.run.git import Repository
from loopwright.settings import Settings, cache_folder, home_folder, load_settings
from loopwright.store.opening import open_store
from loopwright.store.store import Store


@dataclass(frozen=True)
class Project:
    """A repository, its settings and its store, opened."""

    repository: Repository
    settings: Settings
    home: Path
    store: Store

    def cycle(self, watcher: Watcher, cancel: threading.Event | None = None) -> Cycle:
        """Put the stages together."""
        return Cycle(self.repository, self.home, cache_folder(), self.store, watcher, cancel or threading.Event())


def open_project(folder: Path, home: str | None = None) -> Project:
    """Open the repository that a folder belongs to, with its store; the state's folder is made where it is missing."""
    repository = Repository.find(folder)
    settings = load_settings(repository.root)
    place = make_home(repository, home)
    return Project(repository, settings, place, open_store(settings.store.url or place / "store.sqlite", kinds))


def make_home(repository: Repository, given: str | None = None) -> Path:
    """Make the state's folder where it is missing; git does not see it where it lies in the repository."""
    place = home_folder(repository.root, given)
    try:
        place.mkdir(parents=True, exist_ok=True)
        if repository.root in place.parents:
            repository.exclude(place.relative_to(repository.root).as_posix())
    except OSError as error:
        hint = "name another with --home or LOOPWRIGHT_HOME"
        raise SetupError(f"the state can't be kept in `{place}`: {error}", hint) from error
    return place


def choose_profile(settings: Settings, name: str = "", **given: Any) -> Profile:
    """Put a profile together: the named one, over it what was given, below it the defaults of `[run]`."""
    if name and name not in settings.profiles:
        raise UnknownName("profile", name, settings.profiles, "" if settings.profiles else "write one: [profiles.NAME]")
    profile = settings.profiles.get(name, Profile())
    options = given.get("agent_options") or {}
    given["agent_options"] = {**profile.agent_options, **options}
    if options.get("command"):
        given["agent"] = given.get("agent") or "command"  # it is of no use to any other
    profile = dataclasses.replace(profile, **{key: value for key, value in given.items() if value})
    defaults = settings.run
    if not profile.agent and (profile.agent_options.get("command") or defaults.agent_command) and not defaults.agent:
        profile = dataclasses.replace(profile, agent="command")
    profile = dataclasses.replace(
        profile, agent=profile.agent or defaults.agent or first_installed(), model=profile.model or defaults.model
    )
    if profile.agent == "command" and "command" not in profile.agent_options and defaults.agent_command:
        options = {**profile.agent_options, "command": defaults.agent_command}
        profile = dataclasses.replace(profile, agent_options=options)
    return profile


def make_agent(name: str, options: Mapping[str, Any]) -> Agent:
    """Make an agent that can be started, or say what is missing."""
    agent: Agent = load(AGENTS, name)(options)
    availability = agent.available()
    if not availability.installed:
        raise AgentError(f"the agent `{name}` can't be started", availability.hint)
    return agent


def first_installed() -> str:
    """Name the first agent that is installed and may be picked by itself."""
    for name in names(AGENTS):
        kind = load(AGENTS, name)
        if kind.automatic and kind({}).available().installed:
            return name
    raise AgentError(
        "no agent is named, and none is installed that could be picked",
        'name a program of yours: --agent-command "bash fix.sh"; the prompt comes on its stdin',
    )
