"""All that a role is told and set to: the unit that is compared and released."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.identity import canonical_hash


@dataclass(frozen=True)
class Profile:
    """How an agent is set up for a run."""

    name: str = "default"
    agent: str = ""
    """A name from the registry; empty means the first that is installed."""
    model: str = ""
    """Empty means the agent's own default."""
    instructions: str = ""
    """Put before the task in every prompt."""
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    """What only this agent understands, such as `command`."""

    @property
    def hash(self) -> str:
        return canonical_hash(dataclasses.asdict(self))
