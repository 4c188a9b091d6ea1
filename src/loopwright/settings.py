"""loopwright.toml, [tool.loopwright] in pyproject.toml and the environment -> settings. Flags come on top."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loopwright.errors import SettingError
from loopwright.records.profile import Profile
from loopwright.records.shape import ShapeError, record

FILE = "loopwright.toml"


@dataclass(frozen=True)
class RunSettings:
    """The defaults of a run: `[run]`."""

    agent: str = ""
    """Who works; empty: the first agent that is installed."""
    agent_command: str = ""
    """The program that the agent `command` starts."""
    model: str = ""
    """Empty: the agent's own default."""
    max_iterations: int = 12
    """How often the agent may try."""
    max_cost: float | None = None
    """US dollars for one run; no limit where it is not set."""
    max_tokens: int | None = None
    """Tokens for one run; no limit where it is not set."""
    timeout_s: float = 7200.0
    """Wall time of one run."""
    idle_timeout_s: float = 600.0
    """An agent that says nothing for this long is ended."""
    escalate: bool = True
    """Put unmet runs into the queue; false: they end as failed."""
    sandbox: str = "auto"
    """required, auto or off."""
    revert_when: str = ""
    """A command; where it fails after an attempt, the files go back to the last commit at which it passed."""
    protect: tuple[str, ...] = ()
    """More paths that the agent may not change (globs)."""
    allow: tuple[str, ...] = ()
    """Paths that would be protected and may be changed after all (globs)."""


@dataclass(frozen=True)
class StoreSettings:
    """Where the record is: `[store]`."""

    url: str = ""
    """A database; empty: `store.sqlite` in the home folder."""


@dataclass(frozen=True)
class Settings:
    """All of them."""

    run: RunSettings = RunSettings()
    store: StoreSettings = StoreSettings()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    """`[profiles.NAME]`, each with agent, model, instructions."""


def load_settings(root: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of a repository; the environment wins over the file."""
    data, source = _file(root)
    sections = {"run": RunSettings, "store": StoreSettings}
    for name in data:
        if name not in (*sections, "profiles"):
            raise _error(source, ShapeError(f"there is no section `[{name}]`", hint="known: run, store, profiles"))
    try:
        return Settings(
            run=record(RunSettings, {**data.get("run", {}), **_from_environment("RUN", RunSettings, environment)}),
            store=record(StoreSettings, {**data.get("store", {}), **_store_url(environment)}),
            profiles={name: record(Profile, {**body, "name": name}) for name, body in data.get("profiles", {}).items()},
        )
    except ShapeError as error:
        raise _error(source, error) from None


def home_folder(root: Path, given: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the state lives: `.loopwright` at the repository's root unless told otherwise."""
    named = given or environment.get("LOOPWRIGHT_HOME")
    return Path(named).expanduser().resolve() if named else root / ".loopwright"


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where clones live: the user's cache folder."""
    named = environment.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "loopwright"


def _file(root: Path) -> tuple[dict[str, Any], str]:
    for name, path in ((FILE, ()), ("pyproject.toml", ("tool", "loopwright"))):
        if not (root / name).is_file():
            continue
        try:
            data: Any = tomllib.loads((root / name).read_text())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            if name != FILE:  # a broken pyproject.toml is the project's business
                continue
            raise SettingError(f"`{name}` can't be read: {error}") from None
        for key in path:
            data = data.get(key, {})
        if data:
            return data, name
    return {}, FILE


def _from_environment(section: str, cls: type, environment: Mapping[str, str]) -> dict[str, Any]:
    """LOOPWRIGHT_RUN_MODEL and the like, for the settings that are one value."""
    found: dict[str, Any] = {}
    for spec in dataclasses.fields(cls):
        name = spec.name.removesuffix("_s")
        value = environment.get(f"LOOPWRIGHT_{section}_{name.upper()}")
        if value is None:
            continue
        if spec.type.startswith("int"):
            found[name] = int(value) if value.isdigit() else value
        elif spec.type == "bool":
            found[name] = {"1": True, "true": True, "0": False, "false": False}.get(value.lower(), value)
        elif spec.type.startswith("tuple"):
            found[name] = value.split(os.pathsep)
        elif spec.type == "float | None":
            found[name] = float(value) if value.replace(".", "", 1).isdigit() else value
        else:
            found[name] = value
    return found


def _store_url(environment: Mapping[str, str]) -> dict[str, str]:
    url = environment.get("LOOPWRIGHT_STORE")
    return {"url": url} if url else {}


def _error(source: str, error: ShapeError) -> SettingError:
    where = ".".join(str(part) for part in error.path)
    return SettingError(f"`{source}`{f', {where}' if where else ''}: {error.message}", error.hint)
