"""What jest and vitest have in common: the form of their report, and how a test file gets one failing test more."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.runners.node import Invocation, invocation
from loopwright.run.runners.report import Names, read_json, test_name, trouble
from loopwright.run.runners.runner import Equipped, Sabotage
from loopwright.run.runners.sources import passed_tests, plain_words, text_of, write_text

REPORT = "report.json"
_BETWEEN = " > "
_TROUBLE_LIMIT = 500
_MODULES = r"""['"](?:vitest|@jest/globals)['"]"""
_NAMES = re.compile(
    rf"import\s*\{{([^}}]{{0,500}})\}}\s*from\s*{_MODULES}|\{{([^}}]{{0,500}})\}}\s*=\s*(?:require|await\s+import)\(\s*{_MODULES}"
)
_EXPECT = re.compile(r"(?<![.\w])expect\(")
_NAMESPACE = re.compile(rf"import\s*\*\s*as\s+(\w+)\s+from\s*{_MODULES}|\b(\w+)\s*=\s*require\(\s*{_MODULES}\s*\)")
_CALL = re.compile(r"^[ \t]*(test|it)(?:\.\w+)*\s*[(`<]", re.MULTILINE)
_UNUSABLE = re.compile(r"\.only\b|^[ \t]*f(?:it|describe)\b|import\.meta\.vitest", re.MULTILINE)
"""Where one test is singled out, or where tests are inside of product code, one at the end would not run."""


class Unreadable(Exception):
    """The report is not what the runner writes."""


def read_tally(seen_at: Path, folder: Path, outcomes: Mapping[str, TestOutcome]) -> Tally | None:
    """Read the report; `outcomes` says what the runner's words mean."""
    report = read_json(folder / REPORT)
    try:
        return _Reading(seen_at, outcomes).tally(report)
    except Unreadable:
        return None


class _Reading:
    """One report on its way to a tally."""

    def __init__(self, root: Path, words: Mapping[str, TestOutcome]) -> None:
        self._root = Path(os.path.realpath(root))
        self._words = words
        self._labels = Names()
        self._names = Names()
        self._outcomes: dict[str, TestOutcome] = {}
        self._files: dict[str, str] = {}
        self._trouble: list[str] = []

    def tally(self, report: object) -> Tally:
        success = _get(report, "success", bool)
        for suite in _get(report, "testResults", list):
            self._add_file(suite)
        if isinstance(report, dict) and report.get("wasInterrupted"):
            self._trouble.append("the run was interrupted")
        if not success and not self._trouble and "failed" not in self._outcomes.values():
            self._trouble.append("the report says that the run was no success")
        return Tally("report", self._outcomes, self._files, trouble(self._trouble))

    def _add_file(self, suite: object) -> None:
        name, is_ours = self._relative(_get(suite, "name", str))
        # The same file may run in several projects: each is told apart.
        label = self._labels.give(name)
        tests = _get(suite, "assertionResults", list)
        said = {self._add_test(label, name if is_ours else "", test) for test in tests}
        if "unrun" in said:
            self._trouble.append(f"`{label}` broke off before its tests had ended")
        if _get(suite, "status", str) == "failed" and "failed" not in said:
            self._trouble.append(f"`{label}`: {_get(suite, 'message', str).strip()}"[:_TROUBLE_LIMIT])

    def _add_test(self, label: str, file: str, test: object) -> TestOutcome:
        titles = [*_get(test, "ancestorTitles", list), _get(test, "title", str)]
        if not all(isinstance(title, str) for title in titles):
            raise Unreadable
        outcome = self._words.get(_get(test, "status", str))
        if outcome is None:
            raise Unreadable
        if outcome == "passed" and isinstance(test, dict) and test.get("failing") is True:
            outcome = "skipped"  # `test.failing`: it was expected to fail, and did
        # vitest 1 names the file as an ancestor without a name.
        name = self._names.give(test_name(_BETWEEN.join([label, *filter(None, titles)])))
        self._outcomes[name] = outcome
        if file:
            self._files[name] = file
        return outcome

    def _relative(self, name: str) -> tuple[str, bool]:
        try:
            place = Path(os.path.realpath(name))
        except (OSError, ValueError):
            raise Unreadable from None
        is_ours = place.is_relative_to(self._root)
        return test_name(str(place.relative_to(self._root)) if is_ours else name), is_ours


def _get(value: object, key: str, kind: type) -> Any:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, kind):
        raise Unreadable
    return found


class NodeRunner:
    """What jest and vitest do alike; each says how it is recognised and which options make it report."""

    name = ""
    outcomes: ClassVar[Mapping[str, TestOutcome]] = {}
    """What its words for a test's end mean."""
    output: tuple[str, ...] = ()
    """Its options that name a report file; the command's own would be swept away with all that it leaves behind."""
    added: re.Pattern[str] = re.compile("(?!)")
    """What our options leave in the output."""

    def is_run(self, found: Invocation) -> bool:
        """Whether it runs tests to their end."""
        raise NotImplementedError

    def options(self, found: Invocation, report: Path) -> list[str]:
        """Make it report."""
        raise NotImplementedError

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return self._found(argv, root) is not None

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        found = self._found(argv, root)
        if found is None:
            return Equipped(argv)
        return Equipped(found.with_options(self.options(found, folder / REPORT), dropped=self.output))

    def _found(self, argv: Sequence[str], root: Path) -> Invocation | None:
        found = invocation(argv, root, self.name)
        # What a script says of its output can't be taken back.
        fixed = {word.partition("=")[0] for word in found.fixed} if found else set()
        return found if found and self.is_run(found) and fixed.isdisjoint(self.output) else None

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        return read_tally(seen_at, folder, self.outcomes)

    def shown(self, output: str) -> str:
        return self.added.sub("", output)

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        return append_failing_test(root, tally, pick)


def append_failing_test(root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
    """Put a test at the end of a file in which one passed; it fails by `expect` where the file uses that."""
    by_file = {tally.files[name]: name for name in passed_tests(tally, pick)}
    for file, name in by_file.items():
        text = text_of(root, file)
        call = _test_function(text) if text else ""
        if text and call:
            title = _title(name, pick)
            write_text(root, file, f"{text}\n;{call}({json.dumps(title)}, () => {{\n  {_failing(text, pick)}\n}});\n")
            labels = {other.partition(_BETWEEN)[0] for other, place in tally.files.items() if place == file}
            return Sabotage(file, frozenset(f"{label}{_BETWEEN}{title}" for label in labels))
    return None


def _failing(text: str, pick: random.Random) -> str:
    """A statement that fails. Product code may have patched `expect`: then this is how it shows."""
    one, other, _ = (json.dumps(word) for word in plain_words(pick))
    return f"expect({one}).toBe({other});" if _EXPECT.search(text) else f"throw new Error({one});"


def _title(name: str, pick: random.Random) -> str:
    """Begin like a test that did run: a command may choose tests by a part of their names."""
    titles = re.sub(r" #\d+$", "", name).split(_BETWEEN)[1:]
    return " ".join([*titles, *plain_words(pick)])[-500:]


def _test_function(text: str) -> str:
    """Find what a test is made with at the top level of a file; empty where that is not clear."""
    if _UNUSABLE.search(text):
        return ""
    for found in _NAMES.finditer(text):
        for item in (found[1] or found[2]).split(","):
            name, _, alias = re.sub(r"\s+as\s+|\s*:\s*", " ", item.strip()).partition(" ")
            if name in ("test", "it"):
                return alias.strip() or name
    if (call := _CALL.search(text)) is not None:
        return call[1]
    namespace = _NAMESPACE.search(text)
    return f"{namespace[1] or namespace[2]}.test" if namespace else ""
