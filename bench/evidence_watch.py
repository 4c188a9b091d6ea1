"""What the watch after a release comes to as it ships, with both kinds of evidence: simulated, by a seed."""

from __future__ import annotations

from functools import cache

import numpy as np

from loopwright.statistics.intervals import lower_bound
from loopwright.statistics.watch import _BETS, ALARM, _bets
from loopwright.verify.watching import A_DAY

TEAMS, SEED = 5_000, 7
"""So many releases are watched."""


@cache
def watched(before: float, after: float, tasks: int, runs: int = 100, days: int = 1) -> float:
    """Give how often a release is rolled back in a day of so many tasks, on average over the days."""
    dice = np.random.default_rng(SEED)
    counted = dice.binomial(runs, before, TEAMS)
    bounds = {int(hits): lower_bound(int(hits), runs) for hits in np.unique(counted)}
    p0 = np.array([bounds[int(hits)] for hits in counted])[:, None]
    bets = np.array([_bets(bounds[int(hits)]) for hits in counted])
    shares = np.array([share for _, share in _BETS])
    worth, late, back = np.ones_like(bets), np.zeros_like(bets), np.zeros(TEAMS, bool)
    for task in range(1, days * tasks + 1):
        factor = 1 - bets * ((dice.random((TEAMS, 1)) < after) - p0)
        worth, late = worth * factor, (late + 1) * factor
        a_day = max(A_DAY, task if task <= tasks else tasks)
        back |= (worth @ shares >= ALARM) | (late @ shares / a_day >= ALARM)
    return float(1 - (1 - back.mean()) ** (1 / days))
