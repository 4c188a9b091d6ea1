"""A file is there, or is not; and, where asked for, has a hash or a size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar

from loopwright.errors import TaskError, UsageError
from loopwright.ports import Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion, inside

_HINT = "write src/auth.py, !old.py, data.bin:sha256=…, data.csv:size>=100 or data.csv:size<=900"
_LOOKS_LIKE_CONDITION = re.compile(r"\w{2,8}\s*[<>=!]")
_CONDITION = re.compile(r"(sha256=|size>=|size<=|size=)(\w{1,64})")
_FIELDS = {"sha256=": "sha256", "size>=": "min_size", "size<=": "max_size", "size=": "size"}


@dataclass(frozen=True)
class FileCriteria(Criterion):
    """A file that must be there with these properties, or must not be there at all."""

    kind: ClassVar[str] = "file"
    primary: ClassVar[str] = "path"

    path: str
    exists: bool = True
    """A folder counts as well, unless a hash or a size is asked for."""
    _: KW_ONLY
    sha256: str | None = None
    min_size: int | None = None
    """In bytes, as the other sizes."""
    max_size: int | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", inside(self.path))
        if self.sha256 is not None:
            object.__setattr__(self, "sha256", self.sha256.lower())
            if not re.fullmatch(r"[0-9a-f]{64}", self.sha256.lower()):
                raise TaskError(f"`{self.sha256}` is not a sha256: it has 64 hex digits", f"sha256sum {self.path}")
        self._check_sizes()
        if not self.exists and self._conditions():
            raise TaskError(f"`{self.path}` can't be absent and have a hash or a size", "leave one of them out")

    @classmethod
    def parse(cls, spec: str) -> FileCriteria:
        """Read what the command line takes: `path`, `!path` (`./!path` for a name with a `!`), `path:size>=100,…`."""
        path, found = spec.removeprefix("!"), list[str]()
        while _LOOKS_LIKE_CONDITION.match(path.rpartition(":")[2]) and ":" in path:
            path, _, conditions = path.rpartition(":")
            found += conditions.split(",")
        return cls(path, not spec.startswith("!"), **_fields(spec, found))

    def describe(self) -> str:
        if not self.exists:
            return f"file {self.path} does not exist"
        return f"file {self.path} exists" + "".join(f", {condition}" for condition in self._conditions())

    def looked_at(self) -> tuple[str, ...]:
        return (self.path,)

    def evaluate(self, room: Room) -> Evidence:
        place = room.path(self.path)
        if not self.exists:
            there = place.exists() or place.is_symlink()
            return _verdict(not there, "it is there" if there else "it is not there")
        if not place.exists():
            return Evidence(
                Verdict.FAIL, f"there is no `{self.path}`; a file that git ignores never gets to where the checks look"
            )
        return self._look(place)

    def _look(self, place: Path) -> Evidence:
        if not place.is_file():
            return _verdict(not self._conditions(), "it is a folder" if place.is_dir() else "it is not a file")
        size = place.stat().st_size
        found = f"it has {size} bytes"
        if self.sha256 is not None:
            with place.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            found += f" and the sha256 {digest}"
            if digest != self.sha256:
                return Evidence(Verdict.FAIL, f"{found}, not {self.sha256}")
        wrong = self._wrong_size(size)
        return Evidence(Verdict.FAIL, f"{found}: {wrong}") if wrong else Evidence(Verdict.PASS, found)

    def _wrong_size(self, size: int) -> str:
        if self.size is not None and size != self.size:
            return f"it should have {self.size}"
        if self.min_size is not None and size < self.min_size:
            return f"it should have at least {self.min_size}"
        if self.max_size is not None and size > self.max_size:
            return f"it should have at most {self.max_size}"
        return ""

    def _conditions(self) -> list[str]:
        named = {name: getattr(self, name) for name in ("sha256", "min_size", "max_size", "size")}
        signs = {field: sign for sign, field in _FIELDS.items()}
        return [f"{signs[name]}{value}" for name, value in named.items() if value is not None]

    def _check_sizes(self) -> None:
        low, high, exact = self.min_size, self.max_size, self.size
        if any(value is not None and value < 0 for value in (low, high, exact)):
            raise TaskError(f"a size of `{self.path}` is less than 0")
        if exact is not None and (low is not None or high is not None):
            raise TaskError(f"`{self.path}` has an exact size and a limit", "leave one of them out")
        if low is not None and high is not None and low > high:
            raise TaskError(f"`{self.path}` can't have at least {low} bytes and at most {high}")


def _verdict(holds: bool, text: str) -> Evidence:
    return Evidence(Verdict.PASS if holds else Verdict.FAIL, text)


def _fields(spec: str, conditions: list[str]) -> dict[str, Any]:
    fields = list(_read(spec, conditions))
    for name, _ in fields:
        if [other for other, _ in fields].count(name) > 1:
            raise UsageError(f"`{spec}` says `{name}` twice", _HINT)
    return dict(fields)


def _read(spec: str, conditions: list[str]) -> Iterator[tuple[str, str | int]]:
    for condition in conditions:
        match = _CONDITION.fullmatch(condition.strip())
        if match is None or (match[1] != "sha256=" and not match[2].isdecimal()):
            raise UsageError(f"`{condition}` in `{spec}` is not a condition", _HINT)
        yield _FIELDS[match[1]], match[2] if match[1] == "sha256=" else int(match[2])
