"""What is in use for a task type -> what a run's profile is told and set to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.profile import Profile
from loopwright.records.task import TASK_TYPES
from loopwright.records.version import Kind, Version
from loopwright.release.profiles import parameters
from loopwright.release.versions import Versions

PLAYBOOKS = "{{PLAYBOOKS}}"
_TOLD = {"worker": "system_prompt", "planner": "planner_prompt", "verifier": "verifier_prompt"}
"""Role -> where a profile has what it is told."""


@dataclass(frozen=True)
class Equipment:
    """What one task type gets where nobody says otherwise."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Field of a profile -> what is told."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Kind and name -> the number of what is in use."""
    trial: str = ""
    """The trial that the run is."""

    def told(self, profile: Profile) -> Profile:
        """Give a profile with the prompts in use where it has none of its own, and the versions that it is made of."""
        free: dict[str, Any] = {name: text for name, text in self.prompts.items() if not getattr(profile, name)}
        own = {f"prompt {role}" for role, name in _TOLD.items() if name not in free}
        used = {key: number for key, number in self.versions.items() if key.partition("/")[0] not in own}
        return dataclasses.replace(profile, **free, versions=used, trial=self.trial)


def equipment(versions: Versions, task_type: str, numbers: Mapping[str, int] | None = None) -> Equipment:
    """Read what is in use; with numbers, what was when they were written down."""

    def version(kind: Kind, name: str) -> Version:
        return versions.get(kind, name, (numbers or {}).get(f"{kind} {name}"))

    profile = version("profile", f"worker/{task_type}")
    used = {f"profile {profile.name}": profile.number}
    prompts = {}
    for role, name in _TOLD.items():
        prompt = version("prompt", f"{role}/{task_type}")
        prompts[name], used[f"prompt {prompt.name}"] = filled(prompt.content), prompt.number
    return Equipment(parameters(profile.content), prompts, used)


def critic_prompt(versions: Versions, task_type: str) -> str:
    """Give what a critic is told about a task type."""
    known = task_type if task_type in TASK_TYPES else "other"
    return filled(versions.get("prompt", f"critic/{known}").content)


def filled(prompt: str, playbooks: str = "") -> str:
    """Put what belongs there in the place of a placeholder."""
    return prompt.replace(PLAYBOOKS, playbooks).strip()
