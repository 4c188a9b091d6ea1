"""A criterion that holds -> does its runner tell a failing test? One real test is made to fail, and must be seen to.

A runner that was patched, by product code or by anything else, lies about more than it should.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from loopwright.errors import SetupError
from loopwright.records.command import CommandResult
from loopwright.records.criterion import Criterion
from loopwright.run.checkroom import Checkroom
from loopwright.run.runners.runner import Sabotage

_TRIES = 3
"""A test may fail for a reason of its own just then."""
_EXACT = re.compile(r"--exact\b|[\w)]\$['\"\s]|[\w)]\$$")
"""A command that names its tests to the letter would leave out one that is added."""


@dataclass(frozen=True)
class Sabotaged:
    """What came of it."""

    held: bool
    text: str


def sabotage(criterion: Criterion, tree: str, room: Checkroom, *, is_flaky: bool = False) -> Sabotaged | None:
    """Try it on every command of a criterion; None where there is nothing to try it on."""
    outcomes = [outcome for test in criterion.tests() if (outcome := _try(test, tree, room, is_flaky))]
    lied = [outcome for outcome in outcomes if not outcome.held]
    return next(iter([*lied, *outcomes]), None)


def _try(test: Criterion, tree: str, room: Checkroom, is_flaky: bool) -> Sabotaged | None:
    command, shell, timeout_s = (getattr(test, name) for name in ("command", "shell", "timeout_s"))
    outcome = None
    if _EXACT.search(command):
        return None
    for _ in range(_TRIES):
        room.enter(tree)
        tried = room.sabotage(command, shell=shell, timeout_s=timeout_s)
        if tried is None or room.cancel.is_set():
            return None
        outcome = _judged(*tried, is_flaky)
        if outcome.held:
            break
    return outcome


def _judged(made: Sabotage, result: CommandResult, is_flaky: bool) -> Sabotaged:
    name = min(made.must_fail)
    said = result.tally.named("failed") if result.tally else frozenset()
    if result.exit_code is None:
        raise SetupError(f"the command did not come to its end with `{name}` made to fail")
    if not result.exit_code:
        return Sabotaged(False, f"`{name}` was made to fail, and the command exited with {result.exit_code}")
    if not made.must_fail <= said:
        return Sabotaged(False, f"`{name}` was made to fail, and the runner did not report it")
    besides = said - made.must_fail - made.may_fail
    if besides and not is_flaky:
        return Sabotaged(False, f"`{name}` was made to fail, and `{min(besides)}` failed with it")
    return Sabotaged(True, f"`{name}` was made to fail, and was seen to")
