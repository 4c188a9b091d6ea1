"""The rules that hold whatever a patch, a setting or an experiment says. Pure functions; they read no settings.

To change one is a human's decision: raise VERSION and write down what it was and is. Every release is
written down with the version under which it was made.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

VERSION: Final = 1
MINIMUM_SAMPLES: Final = 30
"""So many pairs come before a promotion."""
MOST_EXPERIMENTS: Final = 3
"""So many may run at once for one role."""
MOST_DEPTH: Final = 5
"""So far a version may be from one that a human stands for as a whole."""
WORST_FALL: Final = 0.05
"""A release that costs more than this of the primary metric is rolled back, on evidence."""
WATCH_HOURS: Final = 24
SMALL_CHANGE: Final = 0.2
"""What is released by itself changes the size by less than this."""
MARGIN: Final = 0.1
"""So far a rate may be worse for a change to count as harmless."""
RATIO_MARGIN: Final = 0.5
"""The same for money and time, as a share of fourfold: up to twice as much."""
_HUMAN: Final = frozenset({"architecture", "security", "improvement"})
_OWN_ROLES: Final = frozenset({"critic"})
"""Roles that judge: who changes them changes the improvement itself."""
Autonomy = Literal["suggest", "approve", "auto_low_risk"]


def depth_fault(depth: int) -> str:
    """Say why a version is too far from its root; nothing where it is not."""
    if depth <= MOST_DEPTH:
        return ""
    return f"it would be {depth} changes away from a version that a human stands for: at most {MOST_DEPTH} are possible"


def experiment_fault(running: int) -> str:
    """Say why one more experiment can't begin for a role of which so many run."""
    if running < MOST_EXPERIMENTS:
        return ""
    return f"{running} experiments run for this role already: at most {MOST_EXPERIMENTS} are possible at once"


def promotion_fault(pairs: int, decision: str, *, cheaper_model: bool = False, quality_shown: bool = False) -> str:
    """Say why a change is not promoted; nothing where it may be.

    A cheaper model needs more than its price: that it is not worse was shown.
    """
    if pairs < MINIMUM_SAMPLES:
        return f"{pairs} pairs are not enough: at least {MINIMUM_SAMPLES} are needed"
    if cheaper_model:
        return "" if quality_shown else "a cheaper model is promoted only when it was shown that it is not worse"
    return "" if decision == "promote" else f"the evidence says `{decision}`, not `promote`"


def needs_human(role: str, touches: Collection[str] = ()) -> str:
    """Say why only a human may decide on a change; nothing where a rule may."""
    if role in _OWN_ROLES:
        return f"the {role} judges the others: a change to it is a change to the improvement itself"
    found = sorted(_HUMAN.intersection(touches))
    return f"it touches {', '.join(found)}" if found else ""


def is_low_risk(kind: str, role: str, before: str, after: str, touches: Collection[str] = ()) -> bool:
    """Say whether a proven change may be released by itself: words alone, few of them, and no more freedom in them."""
    size = abs(len(after) - len(before)) / max(1, len(before))
    return kind in ("prompt", "playbook") and size < SMALL_CHANGE and not touches and not needs_human(role)


def may_start(autonomy: Autonomy) -> bool:
    """Say whether an experiment may begin without a human's word."""
    return autonomy in ("approve", "auto_low_risk")


def may_release(autonomy: Autonomy, *, proven: bool, low_risk: bool) -> bool:
    """Say whether a change may be released without a human's word."""
    return autonomy == "auto_low_risk" and proven and low_risk
