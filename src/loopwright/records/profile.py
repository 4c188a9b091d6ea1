"""All that a role is told and set to: the unit that is compared and released."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from loopwright.records.identity import canonical_hash

Role = Literal["planner", "worker", "reviewer"]
"""Who has a part in a run."""
_WORKER = "prompt worker/"


@dataclass(frozen=True)
class RoleProfile:
    """What who plans or reviews is set to; empty: as the worker is."""

    agent: str = ""
    model: str = ""
    temperature: float | None = None
    max_turns: int | None = None
    tools: Literal["", "all", "restricted"] = ""
    agent_options: Mapping[str, Any] = field(default_factory=dict)

    def above(self, below: RoleProfile) -> RoleProfile:
        """Give it with what another sets, where it sets nothing; a model of one agent is not known to another."""
        lost = () if self.agent in ("", below.agent) else ("model", "agent_options")
        kept = {name: value for name, value in _told(below).items() if name not in lost}
        return RoleProfile(**{**kept, **_told(self)})


@dataclass(frozen=True)
class Profile:
    """How an agent is set up for a run."""

    name: str = "default"
    agent: str = ""
    """A name from the registry; empty means the first that is installed."""
    model: str = ""
    """Empty means the agent's own default."""
    system_prompt: str = ""
    """Told to the agent in the way it has for that; put before the task where it has none."""
    temperature: float | None = None
    """None means the agent's own default."""
    max_turns: int | None = None
    """How often the model may be asked in one attempt."""
    tools: Literal["all", "restricted"] = "all"
    """`restricted`: read, search, edit and run, and nothing else; no web, no subagents, no servers of tools."""
    conversation: Literal["fresh", "resume"] = "fresh"
    """Whether an iteration begins a new conversation or goes on with the one before."""
    context: Literal["none", "full_files", "relevant_chunks", "summary_then_detail"] = "none"
    """What the prompt brings along from the repository."""
    planning: Literal["iterative", "plan_then_execute"] = "iterative"
    """Whether a planner plans once before the first iteration; the worker is given the plan."""
    review: Literal["none", "self", "separate"] = "none"
    """Who looks at the work before the checks do."""
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    """What only this agent understands, such as `command`."""

    planner_prompt: str = ""
    """Told to who plans, before what a plan has to be."""
    verifier_prompt: str = ""
    """Told to who reviews, before what a review has to be."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """What of it is a version in use: `prompt worker/bug_fix` -> its number."""
    trial: str = ""
    """The trial of an experiment that the run is."""
    choice: str = ""
    """The choice among live profiles that it was made by."""
    planner: RoleProfile = field(default_factory=RoleProfile)
    """Who plans, where somebody does."""
    verifier: RoleProfile = field(default_factory=RoleProfile)
    """Who reviews, where somebody else does."""
    said: Sequence[str] = ()
    """What somebody has written of it, also where that is the default: what is in use has no say there."""
    library: Sequence[str] = ()
    """The library entries that are told in addition, each as `name@number`."""

    @property
    def hash(self) -> str:
        told = {**dataclasses.asdict(self), "versions": {}, "trial": "", "choice": ""}
        del told["said"]
        apart = [name for name in ("planner", "verifier") if not _told(getattr(self, name))]
        apart += [] if self.library else ["library"]
        return canonical_hash({name: value for name, value in told.items() if name not in apart})

    @property
    def roles(self) -> tuple[Role, ...]:
        """Name who takes part in a run."""
        planner: tuple[Role, ...] = ("planner",) if self.planning == "plan_then_execute" else ()
        reviewer: tuple[Role, ...] = ("reviewer",) if self.review == "separate" else ()
        return ("worker", *planner, *reviewer)

    def part(self, role: Role) -> Profile:
        """Give it as one who takes part has it. Of a worker with another agent, the others have the tools alone."""
        if role == "worker":
            return self
        own = self.planner if role == "planner" else self.verifier
        name = f"{self.name}.{'planner' if role == 'planner' else 'verifier'}"
        same = own.agent in ("", self.agent)
        base = self if same else Profile(tools=self.tools)
        return dataclasses.replace(base, **{"name": name, "system_prompt": "", "conversation": "fresh", **_told(own)})

    @property
    def prompt_version(self) -> str:
        """Name what the agent is told, whichever agent and model it is: the same for the same words."""
        named = [f"{key.removeprefix('prompt ')}@{n}" for key, n in self.versions.items() if key.startswith(_WORKER)]
        if named:
            return " +".join((named[0], *self.library))
        told = ("system_prompt", "context", "planning", "review")
        return canonical_hash({name: getattr(self, name) for name in told})[:12]


def _told(role: RoleProfile) -> dict[str, Any]:
    """Give what a role's profile sets."""
    usual = vars(RoleProfile())
    return {name: value for name, value in vars(role).items() if value != usual[name]}
