"""An experiment that is proven -> the version and the release that put it into use for a task type, or why not."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from loopwright.errors import UsageError
from loopwright.guard.guardrails import depth_fault
from loopwright.records.experiment import PROFILE, PROMPTS, Arm, Experiment
from loopwright.records.version import Kind, Release, Version
from loopwright.release.profiles import PARAMETERS, parameters, profile_content, usual
from loopwright.release.versions import Versions, new_release, new_version

Step = tuple[Version | None, Release, str]
"""The version to write, where it is new; its release; the release that this one replaces."""


def step(versions: Versions, experiment: Experiment, task_type: str, by: str) -> Step:
    """Make what puts B into use in the place of what it was compared with; UsageError where that can't be."""
    kind: Kind = "prompt" if experiment.parameter in PROMPTS else "profile"
    name, refused = f"{experiment.role}/{task_type}", f"`{experiment.name}` is not put into use"
    release, used = versions.in_use(kind, name)
    if fault := _other_base(experiment, used):
        raise UsageError(f"{refused}: {fault}", "roll back to it, or begin a new experiment")
    if kind == "prompt":
        version, made = versions.get(kind, name, experiment.treatment.value), None
    else:
        made = version = _profile(versions, experiment, used, refused)
    if faults := versions.faults(version):
        raise UsageError(f"{refused}: {'; '.join(faults)}", "mend that, and begin a new experiment")
    return made, new_release(version, used.number, by, experiment.outcome, experiment.id), release.id


def given(parameter: str, arm: Arm) -> Mapping[str, Any]:
    """Give what an arm sets, whatever of a profile is compared; what a profile is called sets nothing."""
    if parameter != PROFILE:
        return {parameter: arm.value}
    return {name: value for name, value in arm.value.items() if name != "name"}


def _other_base(experiment: Experiment, used: Version) -> str:
    """Say why what is in use is not what B was compared with."""
    begun = experiment.base[f"{used.kind} {used.name}"]
    if used.number != begun:
        return f"it was proven on `{used.name}@{begun}`, and `{used.title}` is in use now"
    if experiment.parameter in PROMPTS:
        is_used = experiment.control.value == used.number
    else:
        defaults, now = usual(), parameters(used.content)
        told = given(experiment.parameter, experiment.control)
        is_used = all(now.get(name, defaults[name]) == value for name, value in told.items())
    return "" if is_used else f"it was compared with `{experiment.control.label}`, which is not in use"


def _profile(versions: Versions, experiment: Experiment, used: Version, refused: str) -> Version:
    if fault := depth_fault(used.depth + 1):
        raise UsageError(f"{refused}: {fault}", f"loopwright profiles set {used.name} … --rebase")
    told = given(experiment.parameter, experiment.treatment)
    if unknown := sorted(set(told) - set(PARAMETERS)):
        words = f"the profile sets {', '.join(unknown)}, which no version does"
        raise UsageError(f"{refused}: {words}", "set a prompt with: loopwright prompts set")
    content = profile_content({**parameters(used.content), **told})
    fresh = new_version("profile", used.name, content, used.number, used.depth + 1, "patch", experiment.outcome)
    return dataclasses.replace(fresh, number=len(versions.history("profile", used.name)) + 1)
