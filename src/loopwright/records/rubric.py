"""What a critic looks at: a fixed list of items, each decided by something that can be seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from loopwright.records.criterion import Criterion
from loopwright.records.identity import canonical_hash


@dataclass(frozen=True)
class Item:
    """One thing to look at: by a check (`check`, `criterion`, `pattern`, `number`) or by a question with anchors."""

    name: str
    weight: float = 1.0
    must: bool = False
    """Where it does not hold, the work has not passed, whatever the score."""
    check: str = ""
    """`criteria`: all criteria of the task that decide."""
    criterion: Criterion | None = None
    """One of the task's, or one that is looked at besides."""
    pattern: str = ""
    """A regular expression that is in `on`, or is not."""
    on: Literal["diff", "files", "output"] = "diff"
    """`files`: the paths of the diff, each in a line after A (new), M (changed) or D (gone)."""
    absent: bool = False
    number: str = ""
    """A number from the record, such as `iterations`."""
    least: float | None = None
    """What the number, or the answer to the question, must not fall below."""
    most: float | None = None
    question: str = ""
    anchors: Mapping[str, str] = field(default_factory=dict)
    """What each answer, a number from 0 to 10, means."""

    @property
    def wanted(self) -> str:
        """Which numbers will do, in words."""
        bounds = [(self.least, "at least"), (self.most, "at most")]
        return " and ".join(f"{words} {value:g}" for value, words in bounds if value is not None)

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data."""
        data = {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}
        data["criterion"] = self.criterion.to_dict() if self.criterion else None
        return {**data, "anchors": dict(self.anchors)}


@dataclass(frozen=True)
class Rubric:
    """A fixed, versioned list of items."""

    name: str
    version: int
    items: Sequence[Item]
    passes_at: float = 7.0
    """The score, of 10, from which work has passed."""
    loose: Sequence[str] = ()
    """Why its scores mean less than they could."""
    file: str = ""
    """Where it was read; empty: it comes with Loopwright."""

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def hash(self) -> str:
        """The same for the same rubric, whatever way it was written."""
        items = [item.to_dict() for item in self.items]
        return canonical_hash({"name": self.name, "version": self.version, "at": self.passes_at, "items": items})

    @property
    def criteria(self) -> list[Criterion]:
        """What has to be looked at in a checkout."""
        return [item.criterion for item in self.items if item.criterion is not None]
