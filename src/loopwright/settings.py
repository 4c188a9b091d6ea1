"""loopwright.toml, [tool.loopwright] in pyproject.toml and the environment -> settings. Flags come on top."""

from __future__ import annotations

import dataclasses
import difflib
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeVar

from loopwright.errors import SettingError
from loopwright.records.alert import AlertsSettings
from loopwright.records.experiment import ExperimentsSettings
from loopwright.records.host import HINT, Host
from loopwright.records.library import LibrarySettings
from loopwright.records.model import ModelsSettings
from loopwright.records.patch import PatchesSettings
from loopwright.records.profile import Profile
from loopwright.records.qa_failure import FailuresSettings
from loopwright.records.registry import RegistrySettings
from loopwright.records.shape import ShapeError, Size, record
from loopwright.variables import from_environment, refuse_unknown

FILE = "loopwright.toml"
_SECTIONS = (
    *("run", "checks", "limits", "store", "profiles", "signals", "alerts", "models", "rubrics", "experiments"),
    *("registry", "failures", "library", "patches"),
)
_HOTTEST = 2
Section = TypeVar("Section")


def _more_than_zero(settings: object, *names: str) -> None:
    for name in names:
        value = getattr(settings, name)
        if value is not None and not value > 0:
            raise ShapeError(f"{value:g} is not possible here: it must be more than 0", (name.removesuffix("_s"),))


def _most_memory() -> Size:
    return Size(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 4 // 5)


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
    escalate_on_failure: bool = True
    """Put unmet runs into the queue; false: they end as failed."""
    sandbox: Literal["required", "auto", "off"] = "auto"
    """Whether the agent is confined: it must be, where it can be, or not."""
    hosts: tuple[str, ...] = ()
    """Whom an agent may reach from the sandbox, besides those that it needs itself."""
    revert_when: str = ""
    """A command; where it fails after an attempt, the files go back to the last commit at which it passed."""
    protect: tuple[str, ...] = ()
    """More paths that the agent may not change (globs)."""
    allow: tuple[str, ...] = ()
    """Paths that would be protected and may be changed after all (globs)."""
    end_error_loops: bool = False
    """Whether an attempt is ended that fails at the same again and again: see the signal `error_loop`."""
    planner: str = ""
    verifier: str = ""
    """Who plans and who reviews, where a profile has that done; empty: who works."""
    planner_model: str = ""
    verifier_model: str = ""
    """Their models; empty: the worker's, where it is the same agent."""

    def __post_init__(self) -> None:
        _more_than_zero(self, "max_iterations", "max_cost", "max_tokens", "timeout_s", "idle_timeout_s")
        for host in self.hosts:
            try:
                Host.chosen(host)
            except ValueError as error:
                raise ShapeError(str(error), ("hosts",), HINT) from None


@dataclass(frozen=True)
class ChecksSettings:
    """How criteria are evaluated: `[checks]`."""

    place: Literal["auto", "same-path", "relocate", "setup"] = "auto"
    """Where: the tree mounted over the repository's own path, a copy elsewhere, or with an environment made for it."""
    setup: str = ""
    """A command that makes the environment in a fresh checkout; run again when a lock file changes."""
    reset: str = ""
    """A command that is run before every check, such as one that empties a database."""
    bring: tuple[str, ...] = ()
    """More folders that git ignores and the tests need, besides .venv, venv and node_modules."""
    slots: int = 1
    """How many checks may run at a time in one repository; each finds its number in LOOPWRIGHT_SLOT."""
    sabotage: bool = True
    """When all else holds, see that the runner reports a test that was made to fail."""
    self_graded: Literal["allow", "refuse"] = "allow"
    """Whether a criterion may be decided by a file that the agent is to write."""

    def __post_init__(self) -> None:
        _more_than_zero(self, "slots")
        for name in self.bring:
            if not PurePosixPath(name).parts or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                raise ShapeError(f"`{name}` is not a folder in the repository", ("bring",), "name it from its root")


@dataclass(frozen=True)
class LimitsSettings:
    """What an agent or a check may use, and what all runs together may: `[limits]`."""

    memory: Size = field(default_factory=_most_memory)
    """Resident memory of one program and all that it starts; 80 % of the machine's where it is not set."""
    processes: int = 2000
    """How many processes one program may have started at a time."""
    file_size: Size = Size(10 * 10**9)
    """How big a file may become."""
    after_result_s: float = 10.0
    """An agent that is still there this long after its final result is ended, and has finished."""
    unavailable_s: float = 1800.0
    """How long to wait for a model that is over its limit or out of order, before a human is asked."""
    output: Size = Size(10**9)
    """How much of an attempt's output is kept as it came; the rest is counted."""
    free_disk: Size = Size(200 * 10**6)
    """A run waits while there is less room than this."""
    cost_per_day: float | None = None
    """US dollars for all runs of a day; no limit where it is not set."""
    cost_per_month: float | None = None
    """US dollars for all runs of a month; no limit where it is not set."""

    def __post_init__(self) -> None:
        _more_than_zero(self, *(spec.name for spec in dataclasses.fields(self)))


@dataclass(frozen=True)
class StoreSettings:
    """Where the record is: `[store]`."""

    url: str = ""
    """A database; empty: `store.sqlite` in the home folder."""


_IN_ENVIRONMENT: tuple[tuple[str, type[Any]], ...] = (
    *(("run", RunSettings), ("checks", ChecksSettings), ("limits", LimitsSettings)),
    ("models", ModelsSettings),
    ("experiments", ExperimentsSettings),
    ("registry", RegistrySettings),
    ("failures", FailuresSettings),
    ("library", LibrarySettings),
    ("patches", PatchesSettings),
)


@dataclass(frozen=True)
class Settings:
    """All of them."""

    run: RunSettings = RunSettings()
    checks: ChecksSettings = ChecksSettings()
    limits: LimitsSettings = LimitsSettings()
    store: StoreSettings = StoreSettings()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    """`[profiles.NAME]`, each with agent, model, system_prompt."""
    signals: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """`[signals.NAME]`: what a detector is set to; `off = true` leaves it out."""
    alerts: AlertsSettings = field(default_factory=AlertsSettings)
    judge_cost: float = 0.05
    """`[signals] judge_cost`: US dollars for a model's look at one session."""
    models: ModelsSettings = ModelsSettings()
    experiments: ExperimentsSettings = field(default_factory=ExperimentsSettings)
    registry: RegistrySettings = field(default_factory=RegistrySettings)
    failures: FailuresSettings = field(default_factory=FailuresSettings)
    library: LibrarySettings = field(default_factory=LibrarySettings)
    patches: PatchesSettings = field(default_factory=PatchesSettings)
    rubrics: Mapping[str, Any] = field(default_factory=dict)
    """`[rubrics]`: task type -> the name or the file of its rubric."""


def load_settings(root: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of a repository; the environment wins over the file."""
    data, source = _file(root)
    for name in data:
        if name not in _SECTIONS:
            near = [f"did you mean `[{meant}]`? " for meant in difflib.get_close_matches(name, _SECTIONS, n=1)]
            hint = f"{''.join(near)}known: {', '.join(_SECTIONS)}"
            raise _error(f"`{source}`", ShapeError(f"there is no section `[{name}]`", hint=hint))
    refuse_unknown(_IN_ENVIRONMENT, environment)
    try:
        profiles, signals = _table(data, "profiles"), _table(data, "signals")
        return Settings(
            **{name: _section(name, kind, data, environment) for name, kind in _IN_ENVIRONMENT},
            store=_store(_under(("store",), StoreSettings, _table(data, "store")), root, environment),
            profiles={name: _profile(name, _table(profiles, name)) for name in profiles},
            alerts=_under(("alerts",), AlertsSettings, _table(data, "alerts")),
            signals={name: _table(signals, name) for name in signals if name != "judge_cost"},
            judge_cost=_money(signals.get("judge_cost", Settings.judge_cost), "signals", "judge_cost"),
            rubrics=_table(data, "rubrics"),
        )
    except ShapeError as error:
        raise _error(f"`{source}`", error) from None


def _file(root: Path) -> tuple[dict[str, Any], str]:
    for name, path in ((FILE, ()), ("pyproject.toml", ("tool", "loopwright"))):
        if not (root / name).is_file():
            continue
        try:
            data: Any = tomllib.loads((root / name).read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            if name != FILE:  # a broken pyproject.toml is the project's business
                continue
            hint = "mend it there; text stands in quotes. A new one: remove the file, then loopwright init"
            raise SettingError(f"`{name}` can't be read: {error}", hint) from None
        for key in path:
            data = data.get(key, {}) if isinstance(data, dict) else {}
        if data and not isinstance(data, dict):
            raise SettingError(f"`{name}`: `{data}` is not a table", "write [tool.loopwright.run]")
        if data:
            return data, name
    return {}, FILE


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    body = data.get(name, {})
    if not isinstance(body, Mapping):
        raise ShapeError(f"`{body}` is not a table", (name,), "write it as a section, in brackets")
    return body


def _section(name: str, cls: type[Section], data: Mapping[str, Any], environment: Mapping[str, str]) -> Section:
    given = from_environment(name, cls, environment)
    written = {key: value for key, value in _table(data, name).items() if key.removesuffix("_s") not in given}
    return _under((name,), cls, {**written, **given})


def _profile(name: str, body: Mapping[str, Any]) -> Profile:
    """Read a profile. What it may say is looked at here: one that is in the record has to be read whatever it says."""
    profile = _under(("profiles", name), Profile, {**body, "name": name})
    for one, place in ((profile, ()), (profile.planner, ("planner",)), (profile.verifier, ("verifier",))):
        try:
            _more_than_zero(one, "max_turns")
            if one.temperature is not None and not 0 <= one.temperature <= _HOTTEST:
                words = f"{one.temperature:g} is not possible here: it must be from 0 to {_HOTTEST}"
                raise ShapeError(words, ("temperature",))
        except ShapeError as error:
            raise error.under("profiles", name, *place) from None
    return dataclasses.replace(profile, said=tuple(sorted(body)))


def _money(value: object, *place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ShapeError(f"`{value}` is not possible here", place, "US dollars, 0 or more")
    return float(value)


def _under(place: tuple[str, ...], cls: type[Section], body: Mapping[str, Any]) -> Section:
    try:
        return record(cls, body)
    except ShapeError as error:
        raise error.under(*place) from None


def _store(written: StoreSettings, root: Path, environment: Mapping[str, str]) -> StoreSettings:
    """A relative path in the file starts at the repository's root, one in the environment where it is called."""
    named = environment.get("LOOPWRIGHT_STORE")
    url, folder = (named, Path.cwd()) if named else (written.url, root)
    path = url.removeprefix("sqlite:///")
    return StoreSettings(str(folder / Path(path).expanduser()) if path and "://" not in path else url)


def _error(source: str, error: ShapeError) -> SettingError:
    where = ".".join(str(part) for part in error.path)
    return SettingError(f"{source}{f', {where}' if where else ''}: {error.message}", error.hint)
