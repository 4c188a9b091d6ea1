"""What must hold. The kinds are plug-ins in run/criteria; this is what they share."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from loopwright.records.identity import canonical_hash


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """The base of all criteria: plain data that can be hashed, stored and shown."""

    kind: ClassVar[str] = ""
    primary: ClassVar[str] = ""
    """The field that the short form in a task file sets: `test = "pytest"` sets `command`."""

    held_out: bool = False
    """Never shown to the agent, checked when all the visible ones hold."""

    def describe(self) -> str:
        """Say in words what must hold."""
        return f"{self.kind} {getattr(self, self.primary)}"

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data, from which `shape.criterion` makes it again."""
        data: dict[str, Any] = {"kind": self.kind}
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            if value != spec.default:
                data[spec.name] = _plain(value)
        return data

    @property
    def hash(self) -> str:
        """The same for the same criterion, whatever way it was written."""
        return canonical_hash(self.to_dict())

    def own_files(self) -> tuple[str, ...]:
        """Name the files that decide it; where one is not there at the base, the agent grades itself."""
        return ()


def _plain(value: Any) -> Any:
    if isinstance(value, Criterion):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
