"""What is in use for a task type -> what a run's profile is told and set to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.profile import Profile
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

    def told(self, profile: Profile) -> Profile:
        """Give a profile with the prompts in use where it has none of its own, and the versions that it is made of."""
        free: dict[str, Any] = {name: text for name, text in self.prompts.items() if not getattr(profile, name)}
        own = {f"prompt {role}" for role, name in _TOLD.items() if name not in free}
        used = {key: number for key, number in self.versions.items() if key.partition("/")[0] not in own}
        return dataclasses.replace(profile, **free, versions=used)


def equipment(versions: Versions, task_type: str) -> Equipment:
    """Read what is in use."""
    _, profile = versions.in_use("profile", f"worker/{task_type}")
    used = {f"profile {profile.name}": profile.number}
    prompts = {}
    for role, name in _TOLD.items():
        _, prompt = versions.in_use("prompt", f"{role}/{task_type}")
        prompts[name], used[f"prompt {prompt.name}"] = filled(prompt.content), prompt.number
    return Equipment(parameters(profile.content), prompts, used)


def filled(prompt: str, playbooks: str = "") -> str:
    """Put what belongs there in the place of a placeholder."""
    return prompt.replace(PLAYBOOKS, playbooks).strip()
