"""What thinks, besides the agents."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.records.shape import ShapeError


@dataclass(frozen=True)
class ModelsSettings:
    """Who is asked: `[models]`."""

    judge: str = ""
    """Answers the criteria of the kind `judge`, and looks at sessions; empty: nobody does."""
    critic: str = ""
    """Answers the questions of rubrics; empty: only their checks count."""
    timeout_s: float = 60.0
    """How long one answer may take."""

    def __post_init__(self) -> None:
        if not self.timeout_s > 0:
            raise ShapeError(f"{self.timeout_s:g} is not possible here: it must be more than 0", ("timeout",))
