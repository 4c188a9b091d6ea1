"""What is in use for a task type -> what a run's profile is told and set to."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.experiment import PROMPTS
from loopwright.records.profile import Profile
from loopwright.records.task import TASK_TYPES
from loopwright.records.version import Kind, Version
from loopwright.release.profiles import parameters
from loopwright.release.versions import Versions

PLAYBOOKS = "{{PLAYBOOKS}}"
_TOLD = {role: name for name, role in PROMPTS.items()}
"""Role -> where a profile has what it is told."""
TAKES_PART = {"worker": "worker", "planner": "planner", "verifier": "reviewer"}
"""Role -> what it is called in a run."""


@dataclass(frozen=True)
class Equipment:
    """What one task type gets where nobody says otherwise."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What the worker is set to; below `planner` and `verifier`, what they are."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Field of a profile -> what is told, with its placeholders."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Kind and name -> the number of what is in use."""
    trial: str = ""
    """The trial that the run is."""

    def told(self, profile: Profile, tell: Callable[[Sequence[str]], str] = lambda titles: "") -> Profile:
        """Give a profile with the prompts in use where it has none of its own, and the versions that it is made of.

        `tell` says what the library entries come to that the worker is told in addition.
        """
        free: dict[str, Any] = {name: text for name, text in self.prompts.items() if not getattr(profile, name)}
        playbooks = tell(profile.library) if _TOLD["worker"] in free and profile.library else ""
        free = {name: filled(text, playbooks if name == _TOLD["worker"] else "") for name, text in free.items()}
        unused = {f"prompt {role}" for role, name in _TOLD.items() if name not in free}
        idle = [role for role, part in TAKES_PART.items() if part not in profile.roles]
        unused |= {f"{kind} {role}" for kind in ("prompt", "profile") for role in idle}
        used = {key: number for key, number in self.versions.items() if key.partition("/")[0] not in unused}
        return dataclasses.replace(profile, **free, versions=used, trial=self.trial)


def equipment(versions: Versions, task_type: str, numbers: Mapping[str, int] | None = None) -> Equipment:
    """Read what is in use; with numbers, what was when they were written down."""

    def version(kind: Kind, name: str) -> Version:
        return versions.get(kind, name, (numbers or {}).get(f"{kind} {name}"))

    profiles = {role: version("profile", f"{role}/{task_type}") for role in _TOLD}
    prompts = {role: version("prompt", f"{role}/{task_type}") for role in _TOLD}
    used = {f"{one.kind} {one.name}": one.number for one in (*profiles.values(), *prompts.values())}
    set_to = {role: found for role, one in profiles.items() if (found := parameters(one.content))}
    told = {name: prompts[role].content for role, name in _TOLD.items()}
    return Equipment({**set_to.pop("worker", {}), **set_to}, told, used)


def critic_prompt(versions: Versions, task_type: str) -> str:
    """Give what a critic is told about a task type."""
    known = task_type if task_type in TASK_TYPES else "other"
    return filled(versions.get("prompt", f"critic/{known}").content)


def filled(prompt: str, playbooks: str = "") -> str:
    """Put what belongs there in the place of a placeholder."""
    return prompt.replace(PLAYBOOKS, playbooks).strip()
