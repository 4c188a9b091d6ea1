"""A release that is looked on at: does it make things worse?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

WatchStatus = Literal["watching", "warned", "rolled_back", "no_baseline"]


class Came(NamedTuple):
    """What some runs came to."""

    passes: int
    runs: int
    cost_usd: float


@dataclass(frozen=True)
class Watched:
    """What came of the tasks since a release, held against what was before it."""

    release_id: str
    runs_before: int
    """From so many the baseline is."""
    p0: float | None
    """The pass rate before it was at least this, with 90 % certainty; None where there were too few runs."""
    began_at: str
    tries: int = 0
    passes: int = 0
    late: Sequence[float] = ()
    """What the bets are worth that it fell at some time since."""
    status: WatchStatus = "watching"
    detail: str = ""
