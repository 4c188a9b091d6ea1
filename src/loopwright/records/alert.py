"""When a human is told without asking."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.records.shape import ShapeError


@dataclass(frozen=True)
class AlertsSettings:
    """What is too much: `[alerts]`."""

    signals_per_100: float | None = None
    """More signals of one type than this for 100 runs; nobody is told where it is not set."""

    def __post_init__(self) -> None:
        if self.signals_per_100 is not None and not self.signals_per_100 > 0:
            words = f"{self.signals_per_100:g} is not possible here: it must be more than 0"
            raise ShapeError(words, ("signals_per_100",))
