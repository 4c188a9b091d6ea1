"""What must hold. The kinds are plug-ins in run/criteria; this is what they share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, ClassVar

from loopwright.errors import TaskError
from loopwright.records.identity import canonical_hash


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """The base of all criteria: plain data that can be hashed, stored and shown."""

    kind: ClassVar[str] = ""
    primary: ClassVar[str] = ""
    """The field that the short form in a task file sets: `test = "pytest"` sets `command`."""

    held_out: bool = False
    """Never shown to the agent, checked when all the visible ones hold."""

    @property
    def advisory(self) -> bool:
        """Whether it is only told, and decides nothing."""
        return False

    def describe(self) -> str:
        """Say in words what must hold."""
        return f"{self.kind} {getattr(self, self.primary)}"

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data, from which `shape.criterion` makes it again."""
        data: dict[str, Any] = {"kind": self.kind}
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            if value != spec.default:
                # 30 and 30.0 seconds are one criterion and must have one hash.
                is_time = spec.name.endswith("_s") and isinstance(value, int)
                data[spec.name] = float(value) if is_time else _plain(value)
        return data

    @property
    def hash(self) -> str:
        """The same for the same criterion, whatever way it was written."""
        return canonical_hash(self.to_dict())

    def own_files(self) -> tuple[str, ...]:
        """Name the files that decide it; where one is not there at the base, the agent grades itself."""
        return ()

    def looked_at(self) -> tuple[str, ...]:
        """Name the files that it looks at and does not run: the agent is asked to bring these."""
        return ()

    def tests(self) -> tuple[Criterion, ...]:
        """Give the commands in it: what is run, and not only looked at."""
        return ()


def inside(path: str) -> str:
    """Give a path in its shortest form; refuses one that is empty, absolute or has a `..` in it."""
    place = PurePosixPath(path)
    if not str(place).strip() or not place.parts or "\0" in path:
        raise TaskError(f"`{path}` names no file", "name it from the root of the repository, such as src/main.py")
    if place.is_absolute() or ".." in place.parts:
        raise TaskError(f"`{path}` leaves the repository", "name it from the root of the repository: src/main.py")
    return str(place)


def _plain(value: Any) -> Any:
    if isinstance(value, Criterion):
        return value.to_dict()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
