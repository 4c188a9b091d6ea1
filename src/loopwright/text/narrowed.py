"""A change of a file -> whether checks see less from then on: tests that are not run, files that no linter reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from loopwright.text.changes import Change
from loopwright.text.skips import OUTSIDE, bare
from loopwright.text.test_edits import is_test_file
from loopwright.text.unheard import SETTINGS

_RUNNERS = re.compile(
    r"(?:^|/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|pyproject\.toml|setup\.cfg|Cargo\.toml|\.mocharc[^/]*"
    r"|(?:jest|vitest|vite|karma|playwright|ava)[.-]config\.\w+)$"
)
"""Files that say which tests are run; those of a build do so as well."""
_LEFT_OUT = re.compile(
    r"--deselect\b|--ignore(?:-glob)?[ =]\S{0,200}(?:test|spec)|(?<![\w-])-k[ =]?[\\\"']*not\b"
    r"|\bdef pytest_ignore_collect\b|^\s*autotests ?= ?false"
)
_OF_TESTS = re.compile(r"\b(?:testPathIgnorePatterns|testIgnore|collect_ignore(?:_glob)?)\b")
_OF_FILES = re.compile(r"\b(?:exclude|ignore)\b")
_QUOTED = re.compile(r"[\"']([^\"'\s]{1,300})[\"']")
_TEST = re.compile(r"test|spec", re.IGNORECASE)
_SKIPS = re.compile(r"mark\.(?:skip|xfail)\b|deselect|items\.remove\(")
_NAME = re.compile(r"\.(?:name|nodeid|originalname)\b")
_APART = re.compile(
    r"e2e|end-to-end|playwright|cypress|integration|browser|slow|bench|node_modules|helper|fixture|util|setup|mock|data|snap"
    r"|IgnorePatterns|testIgnore",
    re.IGNORECASE,
)
"""Tests that have a runner of their own, and what lies among tests and is none."""
_UNSEEN = re.compile(
    r"\s*(?:/\*\s*(?:eslint-|tslint:)disable\s*\*/|// ?@ts-nocheck\b|# ?type: ?ignore\s*$|# ?mypy: ?ignore-errors\b"
    r"|# ?(?:ruff|flake8): ?noqa\s*$|# ?pylint: ?(?:skip-file|disable=all)\b|# ?rubocop: ?disable all\b"
    r"|// ?biome-ignore-all lint: |// ?phpcs:ignoreFile|#!\[allow\((?:warnings|clippy::all)\)\])"
)
_MADE = re.compile(r"generated|migrations?/|vendor/|third_party/|_pb2|\.d\.ts$|\.min\.|\.gen\.", re.IGNORECASE)
"""Files that nobody writes by hand."""


def left_out(change: Change) -> str:
    """Give the line by which a runner passes over tests from now on; empty where there is none."""
    path = change.path.replace("\\", "/")
    if not change.is_edit or not (_RUNNERS.search(path) or SETTINGS.search(path)):
        return ""
    had = set(change.old.splitlines())
    added = [line for line in change.new.splitlines() if line not in had]
    if path.endswith("conftest.py"):
        if any(map(OUTSIDE.search, map(bare, added))):
            return ""
        if _SKIPS.search(change.new) and (line := next(filter(_is_by_name, added), "")):
            return line.strip()
    is_test = _what_is_left_out(change.new)
    return next((line.strip() for line in added if _leaves_out(line, change, is_test)), "")


def _is_by_name(line: str) -> bool:
    """Say whether a line picks out tests by their names."""
    return bool(_NAME.search(line)) and any(map(_TEST.search, _named(line)))


def _leaves_out(line: str, change: Change, is_test: Callable[[str], bool] | None) -> bool:
    if found := _LEFT_OUT.search(line):
        return not _APART.search(line, found.start()) and change.new.count(found[0]) > change.old.count(found[0])
    return is_test is not None and any(is_test(word) and word not in change.old for word in _named(line))


def _what_is_left_out(text: str) -> Callable[[str], bool] | None:
    """Say which words name a test where a text has a list of what is left out; None where it has none."""
    if _OF_TESTS.search(text):
        return lambda word: bool(_TEST.search(word))
    if _OF_FILES.search(text):
        return lambda word: is_test_file(word) and "*" not in word
    return None


def _named(line: str) -> Iterator[str]:
    """Name the tests, or files, that a list of what is left out has in a line."""
    return (word for word in _QUOTED.findall(line) if not _APART.search(word))


def unseen(change: Change) -> str:
    """Give the line that keeps a linter or a type checker off a whole file; empty where there is none."""
    if not change.is_edit or _MADE.search(change.path.replace("\\", "/")):
        return ""
    found = _unseen(change.new)
    return found[0].strip() if len(found) > len(_unseen(change.old)) else ""


def _unseen(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if _UNSEEN.match(line)]
