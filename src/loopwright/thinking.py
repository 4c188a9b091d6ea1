"""Settings -> what thinks: models that answer questions, rubrics, the critic, who looks for causes of failures."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Literal

from loopwright.cycle.failing import Failing
from loopwright.diagnose.adding import Adding
from loopwright.errors import SettingError, UnknownName
from loopwright.guard.redact import Masker
from loopwright.measure.critiquing import BundleStore, Critiquing
from loopwright.measure.judge import SessionJudge
from loopwright.measure.remembering import AnswerStore, Remembering
from loopwright.measure.rubric import FALLBACK, find_rubric, ready_names
from loopwright.ports import Model
from loopwright.records.model import ModelsSettings
from loopwright.records.rubric import Rubric
from loopwright.records.task import TASK_TYPES
from loopwright.registry import MODELS, kinds, load, names
from loopwright.release.equipment import critic_prompt
from loopwright.release.versions import Versions
from loopwright.run.git import Repository
from loopwright.settings import Settings
from loopwright.store.measured import Measured
from loopwright.store.store import Store

_JUDGE = 'set one in loopwright.toml: [models] judge = "api:anthropic/claude-haiku-4-5"'


def make_model(
    settings: ModelsSettings, role: Literal["judge", "critic"], answers: AnswerStore | None = None
) -> Model | None:
    """Give the model of a role; None where none is set. Whether it can be asked shows when it is."""
    given: str = getattr(settings, role)
    if not given:
        return None
    kind, colon, rest = given.partition(":")
    if not colon:
        hint = f'write it like {role} = "api:anthropic/claude-haiku-4-5"; before the colon: {", ".join(names(MODELS))}'
        raise SettingError(f"[models] {role} = `{given}` does not say how to ask it", hint)
    if kind not in names(MODELS):
        raise UnknownName("model", kind, names(MODELS))

    def make() -> Model:
        made: Model = load(MODELS, kind)(rest, settings.timeout_s)
        return made

    return Remembering(given, make, answers, Masker(os.environ))


def make_critic(
    settings: Settings, home: Path, root: Path, store: BundleStore, answers: AnswerStore, versions: Versions
) -> Critiquing:
    """Put a critic together; it is told what is in use for a task type."""
    rubric_of = functools.partial(choose_rubric, settings, home, root)
    model = make_model(settings.models, "critic", answers)
    guidance = functools.partial(critic_prompt, versions)
    return Critiquing(store, rubric_of, model, guidance, rubric_files(settings, home, root))


def rubric_files(settings: Settings, home: Path, root: Path) -> list[Path]:
    """Name the files that the settings name, for whatever task type, and the folder of the project's own."""
    given = [str(name) for name in settings.rubrics.values()]
    return [*(root / Path(name).expanduser() for name in given if name.endswith(".toml")), home / "rubrics"]


def choose_rubric(settings: Settings, home: Path, root: Path, task_type: str) -> Rubric:
    """Give the rubric of a task type: the settings', the project's own of its name, or a ready one."""
    for name, given in settings.rubrics.items():
        if name not in TASK_TYPES:
            raise UnknownName("task type", name, TASK_TYPES)
        if not isinstance(given, str):
            raise SettingError(f"[rubrics] {name} = `{given}` is no rubric", 'a name or a file: "rubrics/strict.toml"')
    named = settings.rubrics.get(task_type, "")
    if named.endswith(".toml"):
        named = str(root / Path(named).expanduser())
    own = home / "rubrics"
    known = (own / f"{task_type}.toml").is_file() or task_type in ready_names()
    return find_rubric(named or (task_type if known else FALLBACK), [own], kinds)


def make_adding(settings: Settings, answers: AnswerStore, most_usd: float) -> Adding:
    """Put together what adds findings that rules can't see; refused where no model is set."""
    model = make_model(settings.models, "judge", answers)
    if model is None:
        raise SettingError("no model is set to look at sessions", _JUDGE)
    return Adding(model, most_usd)


def make_session_judge(settings: Settings, store: Measured) -> SessionJudge:
    """Put together what looks at sessions through a model; refused where none is set."""
    model = make_model(settings.models, "judge", store)
    if model is None:
        raise SettingError("no model is set to look at sessions", _JUDGE)
    return SessionJudge(store, model, settings.judge_cost)


def make_failing(settings: Settings, store: Store, repository: Repository | None, *, judge: bool = False) -> Failing:
    """Put together what analyses failed runs; with a judge, a model says more where rules know nothing."""
    model = make_model(settings.models, "judge", store.measured) if judge else None
    if judge and model is None:
        raise SettingError("no model is set to look at failures", _JUDGE)
    masked = Masker(os.environ).text
    return Failing(store, settings.failures, repository, masked, model=model, most_usd=settings.judge_cost)
