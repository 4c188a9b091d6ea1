"""The plug point for registries: where a team's prompts live besides the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from loopwright.records.registry import Remote


class PromptRegistry(Protocol):
    """A registry; it is made of the settings, the repository's root and the environment, and asked only when needed.

    What it can't do is a RegistryError with a hint.
    """

    joint: str
    """What stands between a role and a task type in a name there."""

    def names(self, prefix: str) -> Sequence[str]:
        """Name the prompts that begin with a prefix."""
        ...

    def takes(self, name: str) -> bool:
        """Say whether there is a place for a prompt of that name, be it empty."""
        ...

    def read(self, name: str) -> Remote | None:
        """Give what is in use there; None where nothing is."""
        ...

    def write(self, name: str, text: str, note: str) -> None:
        """Put a text into use there; what was before can be found again there, where the registry has versions."""
