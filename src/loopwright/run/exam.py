"""A commit -> what is judged: the agent's work, with protected paths as the base has them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from loopwright.records.proof import Tampering
from loopwright.run.protected import Protection
from loopwright.run.steering import is_mixed, same_steering
from loopwright.run.tree import TREES, Tree

_LINK, _PROGRAM = "120000", "100755"
_MOST_BYTES = 5_000_000


@dataclass(frozen=True)
class Exam:
    """The trees that criteria are evaluated in."""

    first: str
    """The agent's work among the tests of the base."""
    second: str
    """The same with the tests that the agent brought; the first, where it brought none."""
    tampering: tuple[Tampering, ...] = ()
    """Protected paths that the agent changed; the trees have them as they were."""
    left_out: tuple[str, ...] = ()
    """New files that would steer the runner; they are in neither tree."""


@dataclass(frozen=True)
class Changed:
    """One path that differs between the base and the commit. A mode of zeros: it is not there."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str

    @property
    def is_new(self) -> bool:
        return not self.old_mode.strip("0")

    @property
    def how(self) -> str:
        if not self.new_mode.strip("0"):
            return "deleted"
        if self.new_mode == _LINK != self.old_mode:
            return "replaced by a link"
        if self.old == self.new:
            return "made a program" if self.new_mode == _PROGRAM else "made a plain file"
        return "changed"

    @property
    def content(self) -> str:
        """The hash of what is there now; empty where nothing is."""
        return self.new if self.new.strip("0") else ""


@dataclass
class Examiner:
    """Makes the exams of one run."""

    tree: Tree
    """Reads the run's commits, and has an index that is free for use."""
    base: str
    protection: Protection
    accepted: Mapping[str, str] = field(default_factory=dict)
    """Path -> content (a blob; empty: deleted), as a human has accepted it."""
    _exams: dict[str, Exam] = field(default_factory=dict)

    def exam(self, commit: str) -> Exam:
        """Set the exam of a commit."""
        if commit not in self._exams:
            self._exams[commit] = self._make(commit)
        return self._exams[commit]

    def is_free(self, path: str) -> bool:
        """Whether a person has said that a file may be changed."""
        return self.protection.allows(path) or path in self.accepted

    def diff(self, commit: str, paths: list[str]) -> str:
        """Show what was done to protected paths."""
        if not paths:
            return ""
        arguments = ("diff", "--no-ext-diff", "--no-textconv", "--no-renames", self.base, commit, "--", *paths)
        return self.tree.call("--literal-pathspecs", *arguments).stdout.decode(errors="replace")

    def _make(self, commit: str) -> Exam:
        whole = self.tree.tree_of(commit)
        TREES[whole] = whole
        put_back, left_out, new_tests = list[Changed](), list[str](), list[str]()
        for change in self._changes(commit):
            if self.protection.allows(change.path) or self._is_accepted(change):
                continue
            if change.is_new:
                if self._is_for_new_tests(change.path):
                    new_tests.append(change.path)
                elif self._steers(change):
                    left_out.append(change.path)
                elif self.protection.is_test(change.path):
                    new_tests.append(change.path)
            elif self._is_tampering(change):
                put_back.append(change)
        first, second = self._trees(commit, whole, put_back, left_out, new_tests)
        tampering = tuple(Tampering(change.path, change.how, change.content) for change in put_back)
        return Exam(first, second, tampering, tuple(left_out))

    def _changes(self, commit: str) -> Iterator[Changed]:
        raw = self.tree.listed("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", self.base, commit)
        for meta, path in zip(raw[::2], raw[1::2], strict=True):
            old_mode, new_mode, old, new, _ = meta.removeprefix(":").split(" ")
            yield Changed(path, old_mode, new_mode, old, new)

    def _is_accepted(self, change: Changed) -> bool:
        return self.accepted.get(change.path) == change.content

    def _steers(self, change: Changed) -> bool:
        if self.protection.steers(change.path):
            return True
        # A runner takes the nearest settings above its tests; a package that is all new may have its own.
        folder = change.path.rpartition("/")[0]
        is_near = not folder or self.protection.holds_tests(folder)
        return is_mixed(change.path) and is_near and not self._same(change)

    def _is_for_new_tests(self, path: str) -> bool:
        """A conftest.py in a folder without tests of the base is for those that came with it."""
        folder, _, name = path.rpartition("/")
        return name == "conftest.py" and bool(folder) and not self.protection.holds_tests(folder)

    def _is_tampering(self, change: Changed) -> bool:
        if not is_mixed(change.path) or self.protection.insists_on(change.path):
            return self.protection.covers(change.path)
        is_file = change.new_mode.startswith("100")
        return not self._same(change) if is_file else self._steered(change)

    def _steered(self, change: Changed) -> bool:
        """Whether a file that is gone had a part that steers."""
        return not same_steering(change.path, self._read(change.old), b"", self.protection.words)

    def _same(self, change: Changed) -> bool:
        before, after = b"" if change.is_new else self._read(change.old), self._read(change.new)
        # Nothing is hidden at the end of a file that nobody would write.
        return len(after) <= _MOST_BYTES and same_steering(change.path, before, after, self.protection.words)

    def _read(self, blob: str) -> bytes:
        return self.tree.call("cat-file", "blob", blob).stdout

    def _trees(
        self, commit: str, whole: str, put_back: list[Changed], left_out: list[str], new_tests: list[str]
    ) -> tuple[str, str]:
        if not (put_back or left_out or new_tests):
            return whole, whole
        restored = [f"{change.old_mode} {change.old} 0\t{change.path}" for change in put_back]
        self.tree.git("read-tree", commit)
        gone = f"0 {'0' * len(commit)}\t"
        second = self._written([*(f"{gone}{path}" for path in left_out), *restored])
        if not new_tests:
            return second, second
        return self._written([*(f"{gone}{path}" for path in new_tests), *restored]), second

    def _written(self, lines: list[str]) -> str:
        told = os.fsencode("".join(f"{line}\0" for line in lines))
        self.tree.call("update-index", "--replace", "-z", "--index-info", stdin=told)
        tree = self.tree.git("write-tree")
        TREES[tree] = tree
        return tree
