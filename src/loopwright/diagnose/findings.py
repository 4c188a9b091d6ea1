"""A window -> what could be better in it, found by rules alone, what matters most first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from loopwright.diagnose.rules.dear_model import dear_model
from loopwright.diagnose.rules.duplicated_passage import duplicated_passage
from loopwright.diagnose.rules.escalated import escalated
from loopwright.diagnose.rules.failing_tool import failing_tool
from loopwright.diagnose.rules.first_pass import first_pass
from loopwright.diagnose.rules.recurring import recurring
from loopwright.diagnose.rules.recurring_error import recurring_error
from loopwright.diagnose.rules.repeated_request import repeated_request
from loopwright.diagnose.rules.unused_context import unused_context
from loopwright.diagnose.rules.unused_tool import unused_tool
from loopwright.records.finding import Finding, Sighting
from loopwright.records.window import Looked, Window

Rule = Callable[[Window], Iterable[Looked]]
RULES: tuple[Rule, ...] = (
    recurring,
    first_pass,
    escalated,
    repeated_request,
    recurring_error,
    failing_tool,
    unused_tool,
    duplicated_passage,
    unused_context,
    dear_model,
)


def look(window: Window) -> list[Looked]:
    """Let all rules look at a window."""
    return [looked for rule in RULES for looked in rule(window)] if window.cases else []


def ranked(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Put first what is surest, comes most often and wastes most; what is gone comes last."""
    given = list(sightings)
    whole = sum(one.finding.waste_usd for one in given)

    def order(one: Sighting) -> tuple[bool, float, str]:
        return one.change == "gone", -_score(one.finding, whole), one.finding.key

    return sorted(given, key=order)


def _score(finding: Finding, whole: float) -> float:
    share = finding.waste_usd / whole if whole else 0.0
    return finding.certainty * (finding.rate + share) / 2
