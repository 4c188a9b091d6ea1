"""How a run ended -> what that alone says of the cause."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.diagnose.dossier import Dossier
from loopwright.records.qa_failure import Hypothesis
from loopwright.records.run import Ending, Reason
from loopwright.records.signal import counted

_WASTE = ("error_loop", "context_thrashing", "cost_spike")
_OUTSIDE = {Reason.NO_ACCESS: 0.9, Reason.UNAVAILABLE: 0.9, Reason.AGENT_FAILED: 0.7, Reason.DENIED: 0.7}
_OUTSIDE |= {Reason.REFUSED: 0.7, Reason.MAX_TURNS: 0.6}
"""Ends that are none of the code's, and how likely each is the cause."""
_LONGEST = 200


def of_ending(dossier: Dossier, rolled_back: Sequence[str] = ()) -> list[Hypothesis]:
    """Give what the end of a run, lost attempts and releases that were taken back say of its cause."""
    return [*_reasons(dossier), *_lost(dossier), *_released(rolled_back)]


def _reasons(dossier: Dossier) -> list[Hypothesis]:
    run = dossier.bundle.run
    detail = " ".join(run.detail.split())[:_LONGEST]
    told = f"the run ended as `{run.reason}`{f': {detail}' if detail else ''}"
    if run.reason is Reason.BUDGET:
        return _spent(dossier, told)
    if run.reason in _OUTSIDE:
        return [Hypothesis("novel", str(run.reason), _OUTSIDE[run.reason], told, "ending")]
    if run.reason is Reason.IMPOSSIBLE:
        return [Hypothesis("misunderstood", "impossible", 0.5, told, "ending")]
    if run.reason is Reason.STALLED:
        return [Hypothesis("architecture", "stalled", 0.4, told, "ending")]
    return []


def _spent(dossier: Dossier, told: str) -> list[Hypothesis]:
    """Blame what wasted the most, as far as it was seen; else the limit itself is doubted."""
    wasted = [signal for signal in counted(dossier.bundle.signals) if signal.type in _WASTE]
    if not wasted:
        return [Hypothesis("novel", "budget", 0.4, f"{told}; nothing that wastes was seen", "ending")]
    most = max(wasted, key=lambda signal: (signal.cost_usd, signal.tokens, signal.seconds))
    seen = f"event {most.events[0]}: {most.type}: {most.description[:_LONGEST]}" if most.events else most.type
    return [
        Hypothesis("anti_pattern", most.type, 0.5, f"{told}; {seen}", "ending"),
        Hypothesis("novel", "budget", 0.2, told, "ending"),
    ]


def _lost(dossier: Dossier) -> list[Hypothesis]:
    gone = [str(attempt.number) for attempt in dossier.bundle.attempts if attempt.ending is Ending.LOST]
    told = f"attempt {', '.join(gone)}: its process ended without a word"
    return [Hypothesis("novel", "lost", 0.6, told, "ending")] if gone else []


def _released(names: Sequence[str]) -> list[Hypothesis]:
    told = f"it used {', '.join(names)}, which was rolled back since"
    return [Hypothesis("novel", "release", 0.6, told, "ending")] if names else []
