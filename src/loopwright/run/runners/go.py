"""The runner `go`: the events of `go test -json`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.runners.heard import Heard, heard, through_listener
from loopwright.run.runners.report import test_name, trouble
from loopwright.run.runners.runner import Equipped, Sabotage
from loopwright.run.runners.sources import folders_with, passed_tests, plain_words, text_of, write_text
from loopwright.text.bounded import field, mapping, parse

_NO_RUN = {"c", "n", "list", "h", "help"}
_ENDS: dict[str, TestOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_HIDDEN_ENDS: dict[str, TestOutcome] = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
_HIDDEN_END = re.compile(r"--- (PASS|FAIL|SKIP): (\S+) \(")
_FAILED_PACKAGE = re.compile(r"FAIL\t(\S+) \[(.+)\]")
_FUNCTION = re.compile(r"^func ((?:Test|Example|Fuzz)\w*)\(", re.MULTILINE)
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_TESTING = re.compile(r"^(?:import\s+|import\s*\(\s*|[ \t]+|.*;[ \t]?)([\w.]+[ \t]+)?\"testing\"", re.MULTILINE)


class Go:
    """The runner `go`."""

    name = "go"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return list(argv[:2]) == ["go", "test"] and not _flags(argv) & _NO_RUN

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        if not self.claims(argv, root):
            return Equipped(argv)
        flags = _flags(argv)
        at = _flags_start(argv)
        command = list(argv) if "json" in flags else [*argv[:at], "-json", *argv[at:]]
        return through_listener(command, root, folder, "go" if flags & {"v", "json"} else "go-quiet", {})

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        said = heard(folder)
        return _Events().tally(said, root) if said else None

    def shown(self, output: str) -> str:
        return output

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        modules = _modules(root)
        for name in passed_tests(tally, pick):
            file = tally.files[name]
            package, _, function = name.rpartition(".")
            text = text_of(root, file)
            kind = _parameter(text) if text and function.startswith("Test") else ""
            if text and kind and _functions(root, modules, package).get(function) == file:
                # It begins like a test that did run: a command may choose tests by a part of their names.
                added = function + "".join(word.title() for word in plain_words(pick))
                write_text(root, file, f"{text}\nfunc {added}(t *{kind}) {{\n\tt.FailNow()\n}}\n")
                return Sabotage(file, frozenset({f"{package}.{added}"}))
        return None


class _Events:
    """What `go test -json` said, package by package."""

    def __init__(self) -> None:
        self._tests: dict[str, dict[str, TestOutcome | None]] = {}
        """Of each package; None until a test has ended."""
        self._hidden: dict[tuple[str, str], TestOutcome] = {}
        """A test that prints half a line hides its own end from go: it is behind that."""
        self._packages: dict[str, str] = {}
        """How each ended; empty until then."""
        self._done: set[str] = set()
        """The packages whose tests came to an end by themselves."""
        self._trouble: list[str] = []

    def tally(self, said: Heard, root: Path) -> Tally:
        for line in said.lines:
            self._read(line)
        for package, end in self._packages.items():
            self._settle(package, end)
        outcomes = {_name(package, test): end for package, test, end in self._ended()}
        if said.exit_code and not self._trouble and "failed" not in outcomes.values():
            self._trouble.append(f"`go test` exited with {said.exit_code}")
        return Tally("report", outcomes, self._files(root), trouble(self._trouble))

    def _ended(self) -> Iterator[tuple[str, str, TestOutcome]]:
        for package, tests in self._tests.items():
            yield from ((package, test, end) for test, end in tests.items() if end)

    def _read(self, line: str) -> None:
        try:
            event = mapping(parse(line))
        except ValueError:
            if (failed := _FAILED_PACKAGE.match(line)) is not None:
                self._trouble.append(f"`{failed[1]}`: {failed[2]}")
            return
        package = field(event.get("Package"))
        if package:
            self._packages.setdefault(package, "")
            self._note(package, field(event.get("Test")), field(event.get("Action")), field(event.get("Output")))

    def _note(self, package: str, test: str, action: str, output: str) -> None:
        tests = self._tests.setdefault(package, {})
        if action == "output":
            self._note_output(package, output)
        elif not test and action in _ENDS:
            self._packages[package] = action
        elif test and action == "run":
            tests.setdefault(test, None)
        elif test and action in _ENDS and tests.get(test) != "failed":  # a test may run repeatedly
            tests[test] = _ENDS[action]

    def _note_output(self, package: str, output: str) -> None:
        if output.endswith("PASS\n"):
            self._done.add(package)
        if (end := _HIDDEN_END.search(output)) is not None:
            self._hidden[package, end[2]] = _HIDDEN_ENDS[end[1]]

    def _settle(self, package: str, end: str) -> None:
        """Decide on the tests that never ended, and on a package that did not end as one does."""
        is_whole = end == "skip" or (end == "pass" and package in self._done)
        if not is_whole and end != "fail":
            # os.Exit(0) and the like: go takes it for a pass.
            self._trouble.append(f"`{package}` broke off before its tests had ended")
        tests = self._tests[package]
        for test in [test for test, said in tests.items() if said is None and not test.startswith("Benchmark")]:
            tests[test] = self._hidden.get((package, test), "passed" if is_whole else "failed")
        if end == "fail" and "failed" not in tests.values():
            self._trouble.append(f"`{package}` failed outside of its tests")

    def _files(self, root: Path) -> dict[str, str]:
        modules = _modules(root)
        places = {package: _functions(root, modules, package) for package in self._tests}
        found = ((_name(package, test), places[package].get(test.split("/")[0])) for package, test, _ in self._ended())
        return {name: file for name, file in found if file}


def _name(package: str, test: str) -> str:
    return test_name(f"{package}.{test}")


def _flags_start(argv: Sequence[str]) -> int:
    """Where a flag can be put in: `-C` has to stay the first."""
    if len(argv) > 2 and argv[2].startswith("-C"):
        return 4 if argv[2] == "-C" else 3
    return 2


def _flags(argv: Sequence[str]) -> set[str]:
    words = list(argv[2 : argv.index("-args")] if "-args" in argv else argv[2:])
    return {
        word.lstrip("-").partition("=")[0] for word in words if word.startswith("-") and not word.endswith("=false")
    }


def _functions(root: Path, modules: Mapping[str, str], package: str) -> dict[str, str]:
    """Find the test files of a package: each function's file."""
    folder = _folder(modules, package)
    files = [] if folder is None else sorted(path.name for path in (root / folder).glob("*_test.go"))
    places = [f"{folder}/{name}" if folder else name for name in files]
    return {function: place for place in places for function in _FUNCTION.findall(text_of(root, place) or "")}


def _modules(root: Path) -> dict[str, str]:
    """Find the modules of the tree: each one's folder."""
    found = {
        place: _MODULE.search(text_of(root, f"{place}/go.mod".lstrip("/")) or "")
        for place in folders_with(root, "go.mod")
    }
    return {module[1]: place for place, module in found.items() if module}


def _folder(modules: Mapping[str, str], package: str) -> str | None:
    """The folder of a package is below that of the module whose name it begins with, the longest one."""
    module = max((name for name in modules if f"{package}/".startswith(f"{name}/")), key=len, default=None)
    return None if module is None else f"{modules[module]}{package[len(module) :]}".lstrip("/")


def _parameter(text: str) -> str:
    """The type of a test's parameter in a file; empty where it does not import the package, or not to use it."""
    found = _TESTING.search(text)
    alias = (found[1] or "").strip() if found else "_"
    return {"": "testing.T", ".": "T", "_": ""}.get(alias, f"{alias}.T")
