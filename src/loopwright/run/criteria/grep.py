"""A pattern is in a file or in one of the files of a glob, or is in none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import ClassVar

from loopwright.errors import TaskError, UsageError
from loopwright.ports import Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion, inside
from loopwright.text.pattern import Search, search_files, valid
from loopwright.text.searching import MOST_BYTES

_SHOWN = 5


@dataclass(frozen=True)
class GrepCriteria(Criterion):
    """A regular expression (Python's, with `^` and `$` at lines) that must, or must not, be found."""

    kind: ClassVar[str] = "grep"
    primary: ClassVar[str] = "file"

    file: str
    """A path or a glob. A file of exactly this name goes before a glob: `app/[id]/page.tsx`."""
    pattern: str
    absent: bool = False
    _: KW_ONLY
    ignore_case: bool = False
    timeout_s: float = 10.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", inside(self.file))
        valid(self.pattern)
        if not self.timeout_s > 0:
            raise TaskError(f"`timeout_s` of `{self.pattern}` is {self.timeout_s}: it must be more than 0")

    @classmethod
    def parse(cls, spec: str, absent: bool = False) -> GrepCriteria:
        """Read what the command line takes: `FILE:PATTERN`."""
        file, colon, pattern = spec.partition(":")
        if not (file and colon and pattern):
            raise UsageError(f"`{spec}` is not FILE:PATTERN", "write src/main.py:require_auth")
        return cls(file, pattern, absent)

    def describe(self) -> str:
        return f"grep {self.file} {'without' if self.absent else 'for'} `{self.pattern}`"

    def looked_at(self) -> tuple[str, ...]:
        return (self.file,)

    def evaluate(self, room: Room) -> Evidence:
        try:
            files = self._files(room)
            if not files:
                return self._no_file()
            most = _SHOWN if self.absent else 1
            found = search_files(self.pattern, files, ignore_case=self.ignore_case, most=most, timeout_s=self.timeout_s)
        except TimeoutError:
            text = f"`{self.pattern}` took longer than {self.timeout_s:g} s in `{self.file}`: it backtracks"
            return Evidence(Verdict.FAIL, text, timed_out=True)
        return self._judge(found, files, room.path("."))

    def _files(self, room: Room) -> Sequence[Path]:
        exact = room.path(self.file)
        return [exact] if exact.is_file() else [file for file in room.files(self.file) if file.is_file()]

    def _no_file(self) -> Evidence:
        verdict = Verdict.PASS if self.absent else Verdict.FAIL
        text = f"there is no file `{self.file}`"
        return Evidence(
            verdict, text if self.absent else f"{text}; one that git ignores never gets to where the checks look"
        )

    def _judge(self, found: Search, files: Sequence[Path], root: Path) -> Evidence:
        large = [_name(files[index], root) for index in found.cut[:_SHOWN]]
        cut = f"\nonly the first {MOST_BYTES // 10**6} MB were searched of {', '.join(large)}" if large else ""
        if found.hits:
            lines = "\n".join(f"{_name(files[index], root)}:{number}: {line}" for index, number, line in found.hits)
            return Evidence(Verdict.FAIL if self.absent else Verdict.PASS, lines + cut)
        where = _name(files[0], root) if len(files) == 1 else f"any of {len(files)} files"
        verdict = Verdict.FAIL
        if self.absent:
            # Not looked at is not the same as not there.
            verdict = Verdict.UNVERIFIABLE if found.cut else Verdict.PASS
        return Evidence(verdict, f"`{self.pattern}` is not in {where}{cut}")


def _name(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)
