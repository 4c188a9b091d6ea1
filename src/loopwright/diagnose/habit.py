"""The signals of the attempts that failed -> the known bad habit that may be the cause."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.diagnose.dossier import Dossier, Trail
from loopwright.records.qa_failure import Hypothesis
from loopwright.records.signal import Signal

_HABITS = {"tamper": 0.7, "error_loop": 0.55, "false_done": 0.4, "context_thrashing": 0.35}
"""Types of signals that are a habit even where no library says so, and how likely each is the cause."""
_UNTESTED = 0.6
_IN_LIBRARY = 0.05
_LONGEST = 200


def habit(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """Give the habit that is most likely the cause; none where the attempts that failed show none."""
    attempts = [check.attempt_id for check in trail.failed]
    found = [_hypothesis(dossier, signal, attempts) for signal in dossier.signals(attempts)]
    return max((one for one in found if one), key=lambda one: one.certainty, default=None)


def _hypothesis(dossier: Dossier, signal: Signal, attempts: Sequence[str | None]) -> Hypothesis | None:
    known = dossier.known or {}
    entry = known.get(f"{signal.type}/{signal.category}") or known.get(signal.type)
    if signal.type not in _HABITS and not entry:
        return None
    certainty = _HABITS.get(signal.type, 0.4) * (1.0 if signal.confidence is None else signal.confidence)
    told = f"{_events(signal)}: {signal.type}: {signal.description[:_LONGEST]}"
    if signal.type == "false_done" and dossier.never_tested(attempts):
        certainty, told = _UNTESTED, f"{told}; it ran no tests itself"
    detail = entry or signal.type
    return Hypothesis("anti_pattern", detail, min(0.9, certainty + _IN_LIBRARY * bool(entry)), told, "habit")


def _events(signal: Signal) -> str:
    first, last = signal.events[0], signal.events[-1]
    return f"event {first}" if first == last else f"events {first} to {last}"
