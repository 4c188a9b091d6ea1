"""Sessions by task type, and what rules say of a group alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from loopwright.records.pattern import Case

FEWEST = 3
"""What came in fewer sessions may be chance."""
_ODD = re.compile(r"[^\w.:@-]+")
_LONGEST = 60
MOST_RUNS = 20
"""So many sessions are named behind a finding."""


def plain(name: str) -> str:
    """Write somebody's name for a tool or a type as a key can have it: one that holds an order is none any more."""
    return _ODD.sub("_", name)[:_LONGEST]


def type_of(case: Case) -> str:
    """Name a session's task type; programs that send runs name theirs as they like."""
    return plain(case.task_type) or "other"


def by_type(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Put sessions of one task type together."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[type_of(case)].append(case)
    return dict(sorted(groups.items()))


def dearest(cases: Iterable[Case]) -> list[str]:
    """Name sessions, the dearest first."""
    ordered = sorted(cases, key=lambda case: (-case.cost_usd, -case.tokens, case.run_id))
    return [case.run_id for case in ordered[:MOST_RUNS]]


def chosen(cases: Sequence[Case], run_ids: Collection[str]) -> list[Case]:
    """Give those of some ids."""
    return [case for case in cases if case.run_id in run_ids]
