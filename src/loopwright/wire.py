"""Settings -> live objects: the only file that picks implementations."""

from __future__ import annotations

import dataclasses
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.choosing import choose_profile, fixed_by, idle, make_agent, not_told
from loopwright.cycle.diagnosing import Diagnosing
from loopwright.cycle.gathering import Gathering, told_beside
from loopwright.cycle.guarding import Guarding
from loopwright.cycle.proving import Proving
from loopwright.cycle.running import Cycle
from loopwright.detecting import delights, detector_maker, make_detectors
from loopwright.diagnose.adding import Adding
from loopwright.equipping import notice_edits, tell
from loopwright.errors import AgentError, RepositoryError, SettingError, SetupError
from loopwright.guard.redact import Masker
from loopwright.measure.critiquing import Critiquing
from loopwright.measure.measuring import Measuring
from loopwright.measure.overview import Overview
from loopwright.measure.watch import Watch
from loopwright.ports import Watcher
from loopwright.records.experiment import Trial
from loopwright.records.feedback import Feedback
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile, RoleProfile
from loopwright.records.registry import RegistrySettings
from loopwright.records.run import Run
from loopwright.records.task import Task
from loopwright.registry import REGISTRIES, kinds, load
from loopwright.release.elsewhere import Elsewhere
from loopwright.release.equipment import Equipment, equipment
from loopwright.release.learned import Library
from loopwright.release.versions import Versions
from loopwright.routing import choose_arm, count_choice
from loopwright.run.bench import Bench
from loopwright.run.git import Repository
from loopwright.settings import Settings, load_settings
from loopwright.store.opening import open_store
from loopwright.store.patience import Patience
from loopwright.store.store import Store
from loopwright.text.bounded import bounded
from loopwright.text.task_type import task_type
from loopwright.thinking import make_critic, make_failing, make_model
from loopwright.variables import cache_folder, data_folder, home_folder
from loopwright.verify.bank import unit_of
from loopwright.watching import Nobody

_LATELY_S = 7 * 86_400.0
"""Runs that ended since then are looked after, if somebody died over them."""


@dataclass(frozen=True)
class Record:
    """A store, opened, and the folder around it."""

    settings: Settings
    home: Path
    store: Store

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def up_to_date(self, runs: list[Run]) -> list[Run]:
        """Give runs as they are now: whose process is gone is called cancelled."""
        return runs

    def critic(self, root: Path | None = None) -> Critiquing:
        """Give who judges runs by rubrics; files of the settings are named from a root."""
        answers = self.store.measured
        place = root or self.home
        return make_critic(self.settings, self.home, place, self.store.recorded, answers, make_versions(self))


@dataclass(frozen=True)
class Project(Record):
    """A repository, its settings and its store, opened."""

    repository: Repository

    def up_to_date(self, runs: list[Run]) -> list[Run]:
        return self.cycle().notice_died(runs)

    def profile(
        self,
        task: Task,
        name: str = "",
        agent: str = "",
        options: Mapping[str, Any] | None = None,
        model: str = "",
        roles: Mapping[str, RoleProfile] | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> Profile:
        """Say who works on a task, and what they are told and set to; it may be a trial of an experiment.

        `say` hears why it is none, where nobody is to be had who could say so.
        """
        kind, proving = task.task_type or task_type(task.goal), make_proving(self)

        def told(found: Equipment, name: str = name) -> Profile:
            chosen = choose_profile(self.settings, name, agent, options, model, found.parameters, roles)
            return found.told(chosen, lambda titles: tell(library, titles, say))

        library = make_library(self, proving.versions)
        notice_edits(library, self.home, say)
        found = equipment(proving.versions, kind)
        fixed = fixed_by({"agent": agent or options, "model": model, "roles": roles})
        if name:
            return told(found)
        with suppress(RepositoryError):  # who runs it says what is wrong with its base
            unit = unit_of(task, self.repository.commit(task.base))
            try:
                usual = told(found)
                if trial := proving.assign(unit, kind, {*not_told(usual.agent), *idle(usual), *fixed}):
                    return told(proving.equip(trial))
            except AgentError as error:
                if proving.experiments.all("running"):
                    say(f"note: the task takes part in no experiment: {error.message}")
        choice = None if fixed else choose_arm(self.settings, self.store.choices, kind)
        return dataclasses.replace(told(found, choice.arm), choice=choice.id) if choice else told(found)

    def profile_of(self, trial: Trial) -> Profile:
        """Say who works on a trial's task, and what they are told and set to."""
        proving = make_proving(self)
        found, library = proving.equip(trial), make_library(self, proving.versions)
        chosen = choose_profile(self.settings, in_use=found.parameters)
        return found.told(chosen, lambda titles: tell(library, titles))

    def ended(self, run_id: str, watcher: Watcher) -> None:
        """Look at a run that has ended: for signals, for what it says in an experiment, and of what is in use."""
        make_measuring(self).measure_again(run_id)
        lately = timestamp(time.time() - _LATELY_S)
        for one in dict.fromkeys([*self.store.watches.unconcluded(lately), run_id]):  # who died before it did so
            self._conclude(one, watcher)

    def _conclude(self, run_id: str, watcher: Watcher) -> None:
        """Tell all who learn from a run how it ended; to be told twice changes nothing."""
        run, proving = self.store.run(run_id), make_proving(self)
        proving.deliver_live(run)
        count_choice(self.store.choices, run, self.store.attempts(run_id))
        Guarding(self.store.watches, proving.versions, lambda text: watcher.phase(run, f"release {text}")).see(run)
        make_failing(self.settings, self.store, self.repository).ended(run_id, lambda text: watcher.phase(run, text))
        if run.passed is not None:
            self.store.watches.conclude(run_id)

    def cycle(self, watcher: Watcher | None = None, cancel: threading.Event | None = None) -> Cycle:
        """Put the stages together."""
        cancel = cancel or threading.Event()
        self.store.heed(cancel)
        return Cycle(
            self.repository,
            self.home,
            cache_folder(),
            self.store,
            make_agent,
            watcher or Nobody(),
            cancel,
            self.settings.checks,
            self.settings.limits,
            make_watch=lambda run_id: Watch(run_id, make_detectors(self.settings)),
            end_error_loops=self.settings.run.end_error_loops,
            measure=lambda run_id: self.ended(run_id, watcher or Nobody()),
            critic=self.critic(self.repository.root),
            model=make_model(self.settings.models, "judge", self.store.measured),
        )


def open_project(folder: Path, home: str | None = None, say: Callable[[str], None] = lambda text: None) -> Project:
    """Open the repository that a folder belongs to, with its store; the state's folder is made where it is missing.

    `say` hears when the store can't be reached and is waited for.
    """
    repository = Repository.find(folder)
    settings = _sound(load_settings(repository.root))
    place = make_home(repository, home)
    store = open_store(settings.store.url or place / "store.sqlite", kinds, Patience(waiting=say), place)
    return Project(settings, place, store, repository)


def open_record(folder: Path, home: str | None = None, say: Callable[[str], None] = lambda text: None) -> Record:
    """Open the store of the repository that a folder belongs to; outside of any, the user's own."""
    with suppress(RepositoryError):
        return open_project(folder, home, say)
    place = Path(home or os.environ.get("LOOPWRIGHT_HOME") or data_folder()).expanduser().absolute()
    settings = load_settings(place)
    _make_folder(place)
    store = open_store(settings.store.url or place / "store.sqlite", kinds, Patience(waiting=say), place)
    return Record(settings, place, store)


def give_feedback(record: Record, name: str, *, up: bool, comment: str = "", by: str = "") -> Feedback:
    """Write down what a human thinks of a run; whoever takes it in, chat or page, calls this."""
    run_id, masker = record.store.find(name), Masker(os.environ)
    words = masker.text(bounded(comment.strip()))
    given = Feedback(new_id(), run_id, timestamp(), up, words, masker.text(bounded(by.strip(), 200)))
    record.store.measured.add_feedback(given)
    return given


def make_measuring(record: Record) -> Measuring:
    """Put together what looks for signals in runs."""
    return Measuring(record.store.measured, detector_maker(record.settings), record.store.outcomes)


def make_versions(record: Record) -> Versions:
    """Put together what keeps prompts and profiles."""
    root = record.repository.root if isinstance(record, Project) else None
    return Versions(record.store.versions, Masker(os.environ), make_elsewhere(record.settings.registry, root))


def make_elsewhere(settings: RegistrySettings, root: Path | None) -> Elsewhere | None:
    """Put together what reaches the registry of a team's prompts; nothing is asked yet."""
    if not settings.kind:
        return None
    prefix = settings.prefix or os.environ.get(f"{settings.kind.upper()}_PROMPT_PREFIX", "")
    return Elsewhere(settings.kind, load(REGISTRIES, settings.kind)(settings, root, os.environ), prefix)


def make_proving(record: Record) -> Proving:
    """Put together what runs experiments."""
    return Proving(record.store.experiments, make_versions(record), record.settings.experiments.autonomy)


def make_library(record: Record, versions: Versions | None = None) -> Library:
    """Put together what knows what was learned."""
    return Library(versions or make_versions(record), record.settings.library.tokens)


def make_diagnosing(record: Record, adding: Adding | None = None) -> Diagnosing:
    """Put together what looks for causes."""
    store, root = record.store, record.repository.root if isinstance(record, Project) else None
    parts = (store.measured, store.outcomes, store.windows, make_versions(record), delights(record.settings))
    return Diagnosing(Gathering(*parts, told_beside(root) if root else {}), store.findings, adding)


def make_overview(record: Record) -> Overview:
    """Put together what counts over many runs."""
    settings, store = record.settings, record.store
    return Overview(store.outcomes, store.measured, settings.alerts.signals_per_100, delights(settings))


def find_store(folder: Path, home: str | None = None) -> str | Path:
    """Name the store of the repository that a folder belongs to; nothing is opened or made."""
    root = Repository.find(folder).root
    return load_settings(root).store.url or home_folder(root, home) / "store.sqlite"


def open_bench(root: Path, home: str | None = None, cancel: threading.Event | None = None) -> Bench:
    """Set up a judge for a repository, without its store."""
    repository = Repository.find(root)
    settings = _sound(load_settings(repository.root))
    place, cancel = make_home(repository, home), cancel or threading.Event()
    model = make_model(settings.models, "judge")
    return Bench(repository, place, cache_folder(), settings.checks, cancel, settings.limits, model)


def _sound(settings: Settings) -> Settings:
    if settings.checks.place == "setup" and not settings.checks.setup:
        raise SettingError("[checks] place = `setup` needs a command", 'write one, such as setup = "uv sync"')
    return settings


def make_home(repository: Repository, given: str | None = None) -> Path:
    """Make the state's folder where it is missing; git does not see it where it lies in the repository."""
    place = home_folder(repository.root, given)
    _make_folder(place)
    if repository.root in place.parents:
        repository.exclude(place.relative_to(repository.root).as_posix())
    return place


def _make_folder(place: Path) -> None:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)  # what agents say is nobody else's business
    except OSError as error:
        hint = "name another with --home or LOOPWRIGHT_HOME"
        raise SetupError(f"the state can't be kept in `{place}`: {error}", hint) from error


def task_defaults(settings: Settings) -> dict[str, Any]:
    """What the settings say of every task."""
    named = {spec.name for spec in dataclasses.fields(Task)}
    return {name: value for name, value in vars(settings.run).items() if name in named}
