"""A command and what it printed -> whether tests, or a build, passed or failed: pipes hide exit codes, words do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from loopwright.text.commands import Part, actions_of, is_looking
from loopwright.text.excerpt import ends, plain
from loopwright.text.test_reports import COMPILED, REPORTS, Report

State = Literal["passed", "failed", "unknown"]
_HEAD, _TAIL = 6_000, 24_000
"""So much of a long output is read: its beginning, and its end, where runners sum up."""
_ENDS = 1_500
"""In so much of both ends a runner gives itself away."""
_MOST_NAMES = 2_000
_TESTING = frozenset(
    {
        *("pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "ctest", "karma"),
        *("playwright", "cypress", "gotestsum", "nextest", "nose2", "trial"),
    }
)
STARTING = frozenset(
    {
        *("npm", "pnpm", "yarn", "bun", "deno", "make", "gmake", "mise", "just", "task", "gradle", "gradlew", "mvn"),
        *("mvnw", "go", "cargo", "python", "python3", "dotnet", "swift", "mix", "rake", "rails", "bazel", "node"),
        *("hatch", "php", "pdm", "rye", "pixi", "poetry", "pipenv", "uv", "devbox", "nx", "turbo", "lerna", "ng"),
        *("flutter", "dart", "melos", "sbt", "mill", "lein", "forge", "hardhat", "anchor", "zig", "stack", "cabal"),
        *("gleam", "rebar3", "manage.py", "django-admin", "artisan", "bazelisk", "buck2", "pants"),
    }
)
_INSTALLING = frozenset({"add", "install", "remove", "uninstall", "i", "pip", "update", "upgrade", "sync", "lock"})
_TEST_WORD = re.compile(
    r"(?:^|[:_/.-]|--targets?=)(?:tests?|testOnly|testQuick|specs?|e2e|pytest|unittest|nextest|verify)(?:$|[ :_.-])"
)
_GO_PACKAGE = re.compile(r"^(?:ok|FAIL)[ \t]+(\S+)", re.MULTILINE)
_UNITTEST_COUNTS = re.compile(r"(?:failures|errors)=(\d+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests, a build or a linter came to, as far as its output tells."""

    state: State = "unknown"
    runner: str = ""
    is_test: bool = False
    passed: int | None = None
    failed: int | None = None
    passed_names: frozenset[str] = frozenset()
    failed_names: frozenset[str] = frozenset()
    is_broken: bool = False
    """It did not come to running the tests: something could not be built, read or found."""


UNKNOWN = Outcome()
_GATES = ("pass", "fail", "rror", "Test", "BUILD", "FAIL", "PASS", "tyle", "ERR", "make", "issues", "Pass")
"""What several hints have in common is looked for first: most outputs have none of it."""


def _gates() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for number, report in enumerate(REPORTS):
        for hint in report.hints:
            gate = next((gate for gate in _GATES if gate in hint), hint)
            found.setdefault(gate, {}).setdefault(hint, []).append(number)
    return found


_HINTS = _gates()


@lru_cache(4)  # more than one detector asks for the newest result
def outcome_of(command: str | None, output: str) -> Outcome:
    """Read an output. Of a command that only looks (at a log, at another machine's tests) nothing is known."""
    if not command or not output or is_looking(command):
        return UNKNOWN
    text = plain(ends(output, _HEAD, _TAIL))
    found = [outcome for report in _hinted(text) if (outcome := _read(report, text))]
    if not found:
        return UNKNOWN
    # A test runner's word says more than the linter's, and a failure more than a pass.
    return min(found, key=lambda outcome: (outcome.state != "failed", not outcome.is_test))


def is_test(part: Part) -> bool:
    """Say whether a part of a command runs tests, by its words."""
    if part.program in _TESTING:
        return True
    if part.program in STARTING:
        return _INSTALLING.isdisjoint(part.words[1:3]) and any(
            word in _TESTING or _TEST_WORD.search(word) for word in part.words[1:4]
        )
    return bool(part.words) and part.words[0].startswith("./") and _TEST_WORD.search(part.program) is not None


def tests(command: str) -> bool:
    """Say whether a command runs tests in one of its parts."""
    return any(is_test(part) for part in actions_of(command))


def _hinted(text: str) -> list[Report]:
    """Give the runners that this may be of, in their order."""
    found: set[int] = set()
    looked_at = ends(text, _ENDS, _ENDS)
    for gate, hints in _HINTS.items():
        if gate in looked_at:
            found.update(number for hint, numbers in hints.items() if hint in looked_at for number in numbers)
    return [REPORTS[number] for number in sorted(found)]


def _read(report: Report, text: str) -> Outcome | None:
    broken, failed = _has(report, "broken", text), _has(report, "failed", text)
    if not failed and not broken and not _has(report, "passed", text):
        return None
    passed_count, failed_count = _count(report, text)
    return Outcome(
        "failed" if failed or broken else "passed",
        report.name,
        report.is_test,
        passed_count,
        failed_count,
        frozenset(_names(report, "passed_names", text)),
        frozenset(_names(report, "failed_names", text)),
        broken,
    )


def _has(report: Report, field: str, text: str) -> bool:
    expression = COMPILED.get((report.name, field))
    return expression is not None and expression.search(text) is not None


def _count(report: Report, text: str) -> tuple[int | None, int | None]:
    """Add up what is said of how many passed and failed; None where nothing is."""
    expression = COMPILED.get((report.name, "counts"))
    passed = failed = total = None
    for match in expression.finditer(text) if expression else ():
        for name, value in match.groupdict().items():
            if value is None:
                continue
            if name.startswith("each_"):
                number = 1
            elif name == "more":
                number = sum(int(count[:9]) for count in _UNITTEST_COUNTS.findall(value))
            else:
                number = int(value[:9])
            if name in ("passed", "each_passed"):
                passed = (passed or 0) + number
            elif name == "total":
                total = (total or 0) + number
            else:
                failed = (failed or 0) + number
    if total is not None and passed is None:
        passed = max(0, total - (failed or 0))
    return passed, failed


def _names(report: Report, field: str, text: str) -> Iterator[str]:
    expression = COMPILED.get((report.name, field))
    if expression is None:
        return
    packages = [(match.start(), match[1]) for match in _GO_PACKAGE.finditer(text)] if report.name == "go" else []
    place = 0
    for number, match in enumerate(expression.finditer(text)):
        if number >= _MOST_NAMES:
            return
        name = next(group for group in match.groups() if group)
        while place < len(packages) and packages[place][0] < match.start():
            place += 1
        yield f"{packages[place][1]} {name}" if place < len(packages) else name.strip()
