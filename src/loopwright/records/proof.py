"""What shows that a check was fair: where it looked, at what, and what was done about cheating."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.records.tally import Counts


@dataclass(frozen=True)
class Tampering:
    """A protected path that the agent changed."""

    path: str
    how: str
    """Changed, deleted, replaced by a link."""
    content: str = ""
    """The hash of what it holds now; empty where it is gone."""
    installed: bool = False
    """It is among what is installed, in the user's own checkout."""

    @property
    def told(self) -> str:
        return f"{self.path} was {self.how}"


@dataclass(frozen=True)
class Proof:
    """The circumstances of one check."""

    place: str = ""
    """same-path, relocate or setup."""
    judged_tree: str = ""
    """The tree that was looked at: the agent's, with protected paths put back."""
    new_tests_tree: str = ""
    """The tree of the second pass, with the tests that the agent brought; empty where there was none."""
    tests: Counts | None = None
    """Of the first pass; None where nothing counts them."""
    base_tests: Counts | None = None
    """The same at the base."""
    tampering: tuple[Tampering, ...] = ()
    left_out: tuple[str, ...] = ()
    """New files that would steer the runner, and were not there."""
    sabotage: str = ""
    """Which test was made to fail, and was seen to; empty where that was not tried."""
