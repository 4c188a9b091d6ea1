"""Test accounting: the runner behind a command, and what it reports held against what it reported at the base."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from loopwright.records.tally import Tally
from loopwright.run.runners.pytest import Pytest
from loopwright.run.runners.runner import Runner

_NODE = ("npm", "npx", "yarn", "pnpm", "node", "jest", "vitest")
_RUNNERS = {
    "unittest": ("unittest",),
    "jest": _NODE,
    "vitest": _NODE,
    "go": ("go",),
    "cargo": ("cargo",),
}
"""Each runner besides pytest, and the words of which a command for it has one. It is loaded only then."""
_SHOWN = 3


def runner_of(argv: Sequence[str], root: Path) -> tuple[Runner, bool]:
    """Find the runner, and whether the command is for certain one of its test runs, which owes us a report.

    Pytest is asked to report whatever the command is: behind `make test` it may be at work as well.
    """
    pytest = Pytest()
    if pytest.claims(argv, root):
        return pytest, True
    for name, words in _RUNNERS.items():
        if any(word in part for part in argv for word in words):
            runner: Runner = getattr(import_module(f"loopwright.run.runners.{name}"), name.title())()
            if runner.claims(argv, root):
                return runner, True
    return pytest, False


@dataclass
class Accounts:
    """What each command's tests came to at the base; every later run is held against it."""

    base: dict[str, Tally | None] = field(default_factory=dict)
    is_free: Callable[[str], bool] = lambda _: False
    """Whether a file of tests may be changed or removed, as a person has said."""

    def compared(self, command: str, tally: Tally | None) -> Tally | None:
        """Mark the tests that pass and did not at the base."""
        before = self.base.get(command)
        passed_before = before.named("passed") if before else frozenset()
        return tally and dataclasses.replace(tally, fresh=tally.named("passed") - passed_before)

    def shortfall(self, command: str, tally: Tally | None) -> str:
        """Say what is missing of the tests of the base; empty where nothing is, or nothing is known."""
        before, tally = self._kept(self.base.get(command)), self._kept(tally)
        if before is None:
            return ""
        if tally is None:
            return "exited with 0, but does not report its tests any more, as it did at the base"
        fewer = before.counts.collected - tally.counts.collected
        if fewer > 0:
            gone = _some(before.outcomes.keys() - tally.outcomes.keys())
            return f"exited with 0, with {fewer} tests fewer than at the base ({before.counts.collected}): {gone}"
        new = {name for name in tally.named("skipped") - before.named("skipped") if _was_there(before, tally, name)}
        return f"exited with 0, and skips what it did not skip at the base: {_some(new)}" if new else ""

    def _kept(self, tally: Tally | None) -> Tally | None:
        """Leave out the tests of files that may be changed: a person has said so."""
        if tally is None:
            return None
        kept = {name: end for name, end in tally.outcomes.items() if not self.is_free(tally.files.get(name, ""))}
        return dataclasses.replace(tally, outcomes=kept)


def _was_there(before: Tally, tally: Tally, name: str) -> bool:
    """Whether a test, or its file, is of the base: tests that the agent brought may be skipped."""
    file = tally.files.get(name, "")
    return name in before.outcomes or bool(
        file and (file in before.files.values() or file in before.trouble.split(", "))
    )


def _some(names: frozenset[str] | set[str]) -> str:
    first = sorted(names)[:_SHOWN]
    more = len(names) - len(first)
    return ", ".join(first) + (f" and {more} more" if more else "")
