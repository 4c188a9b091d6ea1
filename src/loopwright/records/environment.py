"""Where something ran: comparing runs without it compares machines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Environment:
    """The parts of a machine and a project that can change an outcome."""

    platform: str = ""
    interpreter: str = ""
    """The project's own interpreter, with its version."""
    lock_hash: str = ""
    """Over the lock files in the tree; empty where there are none."""
    agent: str = ""
    agent_version: str = ""
    model: str = ""
    """As the agent reported it, else as it was asked for."""
    profile: str = ""
    profile_hash: str = ""
    confined: bool | None = None
    """Whether an agent was in the sandbox; None where that was not recorded, and for checks."""


def around(confined: bool | None) -> str:
    """Say what was around an agent; empty where that is not known."""
    return {True: "in a sandbox", False: "not confined", None: ""}[confined]
