"""A command -> what it checks, tests or a build, and how its parts ended where it prints that itself."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Literal

from loopwright.text.commands import ECHOES, Part, actions_of, parts_of
from loopwright.text.test_outcome import STARTING, is_test

_BUILDING = frozenset(
    {
        *("tsc", "vue-tsc", "mypy", "pyright", "basedpyright", "ruff", "flake8", "pylint", "black", "eslint", "biome"),
        *("prettier", "stylelint", "oxlint", "clippy", "golangci-lint", "staticcheck", "shellcheck", "rubocop"),
        *("ktlint", "swiftlint", "detekt", "pre-commit", "lint-imports", "rustc", "javac", "gcc", "g++", "clang"),
        *("clang++", "cmake", "ninja", "xcodebuild", "msbuild", "webpack", "rollup", "esbuild"),
    }
)
_MANY = STARTING | {"vite", "next", "turbo", "nx", "docker"}
"""What they do is said by the words after them."""
_BUILD_WORD = re.compile(
    r"(?:^|[:_/.-])(?:build|lint|check|checks|compile|typecheck|types|tsc|clippy|vet|ci|assemble)(?:$|[:_.-])"
)
_EXIT = ("$?", "${PIPESTATUS[0]}", "$PIPESTATUS")
_LONGEST_CODE = 3
_END = 2_000
"""In so much of an output's end it is looked for."""


def checks(command: str) -> Literal["tests", "build"] | None:
    """Say what a command checks: the tests, or what builds, lints and checks types."""
    if any(is_test(part) and not _is_build(part) for part in actions_of(command)):
        return "tests"
    return "build" if builds(command) else None


def builds(command: str) -> bool:
    """Say whether a command builds, lints or checks types in one of its parts."""
    return any(_is_build(part) for part in actions_of(command))


def _is_build(part: Part) -> bool:
    if part.program in _BUILDING or part.words in (("make",), ("gmake",)):
        return True
    if part.program in _MANY:
        words = [word for word in part.words[1:4] if "/" not in word and "." not in word]
        installs = words[:1] == ["ci"]  # npm's
        return not installs and any(word in _BUILDING or _BUILD_WORD.search(word) for word in words)
    return part.words[:1] != () and part.words[0].startswith("./") and _BUILD_WORD.search(part.program) is not None


def told_exits(command: str, output: str) -> Iterator[tuple[Part, int]]:
    """Give the parts of a command after which it prints how they ended (`echo "exit: $?"`), and what it printed."""
    if "$?" not in command and "PIPESTATUS" not in command:
        return
    lines = output[-_END:].splitlines()
    kept: dict[str, Part] = {}
    before: list[Part] = []
    for part in parts_of(command):
        for name, _, value in (setting.partition("=") for setting in part.settings):
            if value.strip() in _EXIT and before:
                kept[f"${name}"] = kept[f"${{{name}}}"] = before[-1]
        if part.program in ECHOES and before:
            yield from _told_exit(part, before, kept, lines)
        elif part.words:
            before = [*before, part] if part.is_piped else [part]


def _told_exit(echo: Part, before: list[Part], kept: dict[str, Part], lines: list[str]) -> Iterator[tuple[Part, int]]:
    words = " ".join(word for word in echo.words[1:] if word not in ("-e", "-n"))
    for name, part in {"$?": before[-1], **dict.fromkeys(_EXIT[1:], before[0]), **kept}.items():
        label, found, after = words.partition(name)
        if not found:
            continue
        label, after = label.rpartition("\\n")[2].strip(), after.partition("$")[0].partition("\\n")[0].strip()
        codes = (_exit_code(line.strip(), label, after) for line in reversed(lines))
        yield from ((part, code) for code in itertools.islice((code for code in codes if code is not None), 1))


def _exit_code(line: str, label: str, after: str) -> int | None:
    said = line.removeprefix(label).strip() if line.startswith(label) else ""
    code = said[: len(said) - len(after)].strip() if said.endswith(after) else ""
    return int(code) if code.isdecimal() and len(code) <= _LONGEST_CODE else None
