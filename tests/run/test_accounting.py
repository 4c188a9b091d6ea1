from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.accounting import Accounts, runner_of

RUNNERS = {
    "pytest -q": ("pytest", True),
    "python -m pytest": ("pytest", True),
    "python -m unittest": ("unittest", True),
    "go test ./...": ("go", True),
    "cargo test": ("cargo", True),
    "npx jest": ("jest", True),
    "npx vitest run": ("vitest", True),
    "make test": ("pytest", False),
    "true": ("pytest", False),
    "npm run lint": ("pytest", False),
    "go vet ./...": ("pytest", False),
    "cat unittest": ("pytest", False),
}


@pytest.mark.parametrize("command", RUNNERS)
def test_the_runner_of_a_command(command: str, tmp_path: Path) -> None:
    """A command that runs tests for certain has its runner; any other may run pytest, and owes nothing."""
    (tmp_path / "package.json").write_text('{"scripts": {"lint": "eslint ."}}')
    runner, owes = runner_of(command.split(), tmp_path)
    assert (runner.name, owes) == RUNNERS[command]


def tally(**outcomes: TestOutcome) -> Tally:
    return Tally("report", outcomes)


def many(count: int, outcome: TestOutcome, prefix: str = "t") -> Tally:
    return Tally("report", {f"{prefix}{number}": outcome for number in range(count)})


SHORTFALLS: dict[str, tuple[Tally | None, Tally | None, str]] = {
    "nothing known": (None, None, ""),
    "nothing known, something now": (None, tally(a="passed"), ""),
    "no report any more": (tally(a="passed"), None, "does not report"),
    "no report any more of no tests": (tally(), None, "does not report"),
    "the same": (tally(a="passed", b="skipped"), tally(a="passed", b="skipped"), ""),
    "one more": (tally(a="passed"), tally(a="passed", b="passed"), ""),
    "one less": (tally(a="passed", b="failed"), tally(a="passed"), "1 tests fewer than at the base (2): b"),
    "many less": (many(5, "passed"), tally(), "5 tests fewer than at the base (5): t0, t1, t2 and 2 more"),
    "renamed": (tally(a="passed"), tally(b="passed"), ""),
    "skipped now": (tally(a="failed", b="passed"), tally(a="skipped", b="passed"), "did not skip at the base: a"),
    "not skipped any more": (tally(a="skipped"), tally(a="passed"), ""),
    "a new one skipped": (tally(a="passed"), tally(a="passed", b="skipped"), ""),
    "renamed and skipped": (tally(a="passed", b="passed"), tally(a="passed", c="skipped"), ""),
    "renamed, and more are skipped than came": (
        tally(a="passed", b="skipped"),
        tally(a="skipped", c="skipped"),
        "did not skip at the base: a",
    ),
    "unrun is not fewer": (tally(a="failed"), tally(a="unrun"), ""),
}


@pytest.mark.parametrize("case", SHORTFALLS)
def test_what_is_missing(case: str) -> None:
    """Tests that are gone or skipped, held against the base, are named; new ones may be anything."""
    before, now, expected = SHORTFALLS[case]
    said = Accounts({"cmd": before}).shortfall("cmd", now)
    assert expected in said
    assert bool(said) is bool(expected)


def test_commands_are_held_against_themselves() -> None:
    """What one command reported at the base says nothing of another one."""
    accounts = Accounts({"one": tally(a="passed", b="passed")})
    assert accounts.shortfall("two", tally()) == ""
    assert accounts.shortfall("one", tally()) != ""
