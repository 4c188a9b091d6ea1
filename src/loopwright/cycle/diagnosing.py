"""A window of sessions -> what goes wrong in them again and again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from loopwright.diagnose.patterns import patterns
from loopwright.records.pattern import Pattern
from loopwright.store.measured import Measured
from loopwright.store.outcomes import Outcomes


@dataclass(frozen=True)
class Diagnosing:
    """What looks for causes in what was measured."""

    measured: Measured
    outcomes: Outcomes
    delights: Collection[str] = ()
    """Types of signals that are good news."""

    def patterns(self, since: str = "", limit: int | None = None, fewest: int = 2) -> tuple[Sequence[Pattern], int]:
        """Give the patterns of the newest sessions since a moment, and how many sessions those are."""
        cases = self.outcomes.cases(since, limit)
        found = self.measured.signals([case.run_id for case in cases] if since or limit else None)
        friction = [signal for signal in found if signal.type not in self.delights]
        return patterns(friction, cases, self.measured.precision(), fewest), len(cases)
