"""A proposed change to a surface, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.records.identity import canonical_hash
from loopwright.records.shape import ShapeError

Surface = Literal["prompt", "playbook", "config", "code"]
SURFACES: tuple[Surface, ...] = get_args(Surface)
PatchStatus = Literal["proposed", "testing", "proven", "released", "applied", "rejected", "refused", "rolled_back"]
"""`testing`: its experiment runs. `rejected`: by evidence or a human. `refused`: by a safety check or a guardrail."""


@dataclass(frozen=True)
class Patch:
    """One change, fixed when it is proposed."""

    id: str
    surface: Surface
    target: str
    """What is changed: `worker/bug_fix` of a prompt or playbook, `run.model` of a setting, a file of code."""
    finding: str
    """The key of what it is for."""
    title: str
    """One line for people."""
    reason: str
    """Why it should help, with where that comes from."""
    before: str
    """What is there now: a prompt's text, the names of library entries as JSON, a setting's value."""
    after: str
    """What is to be there; of code, the fix to make, in words."""
    author: str
    """`library NAME`, `deletion`, `gepa`, `model NAME`, `human NAME`."""
    created_at: str
    status: PatchStatus = "proposed"
    why: str = ""
    """Why it has this status."""
    experiment: str = ""
    """The id of what tests it, or has proven it."""
    version: int | None = None
    """The number of the version that it was written as."""
    runs: Sequence[str] = ()
    """The failures that it was made from."""
    approved_by: str = ""
    """Who wants it in use as soon as it is proven."""

    @property
    def type(self) -> str:
        return f"{self.surface}_change"

    @property
    def hash(self) -> str:
        """Name what would change, whoever proposes it: the same is never proposed twice."""
        return canonical_hash({"surface": self.surface, "target": self.target, "after": self.after})

    @property
    def is_deployable(self) -> bool:
        """Whether it can be put into use by us; settings and code need a human's hand."""
        return self.surface in ("prompt", "playbook")


@dataclass(frozen=True)
class PatchesSettings:
    """When patches are made: `[patches]`."""

    runs: int = 20
    """So many runs of a task type come before what its agent is told is changed."""
    failures: int = 5
    """So many of the most telling failures a patch is made from."""

    def __post_init__(self) -> None:
        for name in ("runs", "failures"):
            if getattr(self, name) < 1:
                words = f"{getattr(self, name)} is not possible here: it must be more than 0"
                raise ShapeError(words, (name,))
