"""What a test runner said of each test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Accounting = Literal["report", "summary", "exit_code"]
TestOutcome = Literal["passed", "failed", "skipped", "unrun"]
"""`skipped` is everything that was left out on purpose or may fail: skips, expected failures, `todo`s, `#[ignore]`."""


@dataclass(frozen=True)
class Counts:
    """How many tests there were, and what became of them."""

    collected: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass(frozen=True)
class Tally:
    """A run of tests, test by test."""

    how: Accounting
    outcomes: Mapping[str, TestOutcome] = field(default_factory=dict)
    """The name of each test that was found, as the runner has it; unique and the same from run to run."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The file of each test, from the root of the tree; only of those whose file is known."""
    trouble: str = ""
    """What went wrong outside of any test: a file that could not be read, a runner that broke off."""

    foreign: tuple[str, ...] = ()
    """Files of the user's own checkout that were imported in the place of the tree's: the wrong code was tested."""
    fresh: frozenset[str] = frozenset()
    """Those that pass and did not at the base: what a cheat would be about."""

    @property
    def counts(self) -> Counts:
        said = list(self.outcomes.values())
        return Counts(len(said), said.count("passed"), said.count("failed"), said.count("skipped"))

    def named(self, outcome: TestOutcome) -> frozenset[str]:
        """The tests with that outcome."""
        return frozenset(name for name, said in self.outcomes.items() if said == outcome)
