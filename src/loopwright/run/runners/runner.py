"""The port that every test runner implements, in one file each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from loopwright.records.tally import Tally

_TRIES = 20


@dataclass(frozen=True)
class Equipped:
    """A command that leaves a report."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    """On top of what every check gets."""


@dataclass(frozen=True)
class Sabotage:
    """One test that was made to fail, in place."""

    file: str
    """From the root of the tree."""
    must_fail: frozenset[str]
    """The names that a tally has for it; these must fail now."""
    may_fail: frozenset[str] = frozenset()
    """Those that may share its code, such as the same test in a subclass. None besides may fail."""


def candidates(tally: Tally, pick: random.Random) -> list[str]:
    """Choose tests to try; those that did not pass at the base come first, for a cheat need lie about these alone."""
    passed = sorted(tally.named("passed"))
    return sorted(pick.sample(passed, len(passed)), key=lambda name: name not in tally.fresh)[:_TRIES]


class Runner(Protocol):
    """One test runner."""

    name: str

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        """Whether the command is a run of tests by this runner, so that it must leave a report."""
        ...

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        """Make the command leave a report; `folder` is empty, ours, and gone once the report was read."""
        ...

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        """Read what was reported; None where there is no report, or it was never finished.

        `seen_at` is where the command found the tree, and `root` is where we do.
        """
        ...

    def shown(self, output: str) -> str:
        """Give the output as a person would see it without our report."""
        ...

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        """Make one real test that passed fail, by a change of its file; None where that can't be done."""
        ...
