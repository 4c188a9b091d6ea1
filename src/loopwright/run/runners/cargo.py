"""The runner `cargo`: the tests and the results that `cargo test` prints, binary by binary."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.runners.crates import add_failing_test, file_of, first_file
from loopwright.run.runners.heard import Heard, heard, through_listener
from loopwright.run.runners.report import Names, test_name, trouble
from loopwright.run.runners.runner import Equipped, Sabotage
from loopwright.run.runners.sources import passed_tests, plain_words

_NO_RUN = {"--no-run", "--help", "-h", "--list", "--version", "-V"}
_HIDING = {"-q", "--quiet", "-v", "-vv", "--verbose", "--nocapture", "--no-capture", "--show-output"}
"""Options that change or tear apart the lines which tell the tests."""
_ENVIRONMENT = {"CARGO_TERM_COLOR": "never", "CARGO_TERM_QUIET": "false", "RUST_TEST_NOCAPTURE": "0"}
_HEADER = re.compile(r"\s+(?:Running (?:unittests )?(?P<path>\S.*?) \((?P<binary>.+)\)|Doc-tests (?P<crate>\S+))$")
_HEADER_LIMIT = 2000
_RUNNING = re.compile(r"running (\d+) tests?$")
_OUTCOME = re.compile(r"(ok|FAILED|ignored)(?:, .*| <.*>)?$|.*(ok|FAILED|ignored)$")
_RESULT = re.compile(r".*test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; ")
_OUTCOMES: dict[str, TestOutcome] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}


class Cargo:
    """The runner `cargo`."""

    name = "cargo"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        words = [word for at, word in enumerate(argv) if at != 1 or not word.startswith("+")]
        return words[:1] == ["cargo"] and words[1:2] in (["test"], ["t"]) and not _NO_RUN.intersection(words)

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        if not self.claims(argv, root):
            return Equipped(argv)
        return through_listener(_loud(argv), root, folder, "cargo", _ENVIRONMENT)

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        said = heard(folder)
        return _tally(said, root) if said else None

    def shown(self, output: str) -> str:
        return output

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        for name in passed_tests(tally, pick):
            label, _, test = name.rpartition(" ")
            modules, _, function = test.rpartition("::")
            # It begins like a test that did run: a command may choose tests by a part of their names.
            added = "_".join([function, *plain_words(pick)])
            if add_failing_test(root, tally.files[name], function, added):
                path = f"{modules}::{added}" if modules else added
                return Sabotage(tally.files[name], frozenset({f"{label} {path}"}))
        return None


@dataclass
class _Group:
    """The tests between `running N tests` and their `test result`."""

    expected: int
    tests: list[tuple[str, TestOutcome]] = field(default_factory=list)
    result: tuple[int, ...] = ()
    _quotes: bool = False
    """What follows is what failed tests have printed."""
    _begun: str = ""
    """A test whose end is on a later line, behind what it printed."""
    _tangled: bool = False
    """Another test began before that end."""

    def read(self, line: str) -> None:
        if (result := _RESULT.match(line)) is not None:
            self.result = tuple(int(number) for number in result.groups())
            return
        self._quotes = self._quotes or line == "failures:"
        if not self._quotes:
            self._read_test(line)

    def _read_test(self, line: str) -> None:
        name, rest = _test(line)
        if name:
            self._tangled = self._tangled or bool(self._begun)
            self._begun = name
        outcome = _OUTCOME.match(rest)
        if outcome is not None and self._begun:
            self.tests.append((self._begun, _OUTCOMES[outcome[1] or outcome[2]]))
            self._begun = ""

    @property
    def adds_up(self) -> bool:
        passed, failed, ignored, measured = self.result
        said = [outcome for _, outcome in self.tests]
        counted = (said.count("passed"), said.count("failed"), said.count("skipped"))
        is_whole = len(said) == self.expected and not self._tangled
        return is_whole and counted == (passed + measured, failed, ignored)


@dataclass
class _Binary:
    """One program of tests, or the tests in the documentation of a crate."""

    label: str
    crate: str
    path: str
    groups: list[_Group] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return bool(self.groups) and all(group.result for group in self.groups)


def _tally(said: Heard, root: Path) -> Tally | None:
    binaries = list(_binaries(said.lines))
    broken = [f"`{binary.label}` broke off before its tests had ended" for binary in binaries if not binary.ended]
    if broken and not said.exit_code:
        return None  # std::process::exit(0) and the like: cargo takes it for a pass
    names, outcomes, files = Names(), dict[str, TestOutcome](), dict[str, str]()
    for binary in binaries:
        first = first_file(root, binary.crate, binary.path) if binary.path else None
        for test, outcome in [test for group in binary.groups for test in group.tests]:
            name = names.give(test_name(f"{binary.label} {test}"))
            outcomes[name] = outcome
            if first is not None:
                files[name] = file_of(root, first, test)
    return Tally("summary", outcomes, files, trouble([*broken, *_trouble(said, binaries, outcomes)]))


def _trouble(said: Heard, binaries: list[_Binary], outcomes: dict[str, TestOutcome]) -> Iterator[str]:
    for binary in binaries:
        if binary.ended and not all(group.adds_up for group in binary.groups):
            yield f"the tests of `{binary.label}` and their result do not add up"
    if said.exit_code and "failed" not in outcomes.values() and all(binary.ended for binary in binaries):
        errors = [line for line in said.lines if line.startswith("error")]
        yield "\n".join(errors[:3]) or f"cargo exited with {said.exit_code}"


def _binaries(lines: Sequence[str]) -> Iterator[_Binary]:
    binary: _Binary | None = None
    for line in lines:
        if (header := _HEADER.match(line[:_HEADER_LIMIT])) is not None:
            if binary:
                yield binary
            binary = _binary(header)
        elif binary and (running := _RUNNING.match(line)) is not None:
            binary.groups.append(_Group(int(running[1])))
        elif binary and binary.groups:
            binary.groups[-1].read(line)
    if binary:
        yield binary


def _binary(header: re.Match[str]) -> _Binary:
    if header["crate"]:
        return _Binary(f"{header['crate']} doc", header["crate"], "")
    crate = re.sub(r"-[0-9a-f]{8,}$", "", PurePosixPath(header["binary"]).name)
    return _Binary(f"{crate} {header['path']}", crate, header["path"])


def _test(line: str) -> tuple[str, str]:
    """Split a line into the name of a test and what follows; without a name where it tells of no test."""
    head, sign, rest = line.partition(" ... ")
    # Before it may be half a line that somebody has printed.
    name = head[5:] if head.startswith("test ") else head.rpartition("test ")[2] if "test " in head else ""
    return (name.removesuffix(" - should panic"), rest) if sign and name else ("", line)


def _loud(argv: Sequence[str]) -> list[str]:
    """Take out what would hide the tests' names: what the same command prints without it has all that it had."""
    words = list[str]()
    left = iter(argv)
    for word in left:
        if word == "--format":
            next(left, "")
        elif word not in _HIDING and not word.startswith("--format="):
            words.append(word)
    return words
