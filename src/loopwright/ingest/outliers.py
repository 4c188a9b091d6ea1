"""Sessions -> those that stand out against the user's own median session."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from loopwright.records.summary import Summary

FEWEST = 8
"""With fewer sessions nothing can be said to be unusual."""
_FAR = 2.5
"""So many robust standard deviations, in logarithms: costs and times are spread over powers of ten."""
_SPREAD = 1.4826
"""The median deviation of a normal distribution, made a standard deviation."""
_LEAST_SPREAD = 0.25
"""Sessions that are all alike do not make one an outlier that is a little different."""
_TIMES = 3.0
_MOST = 5


@dataclass(frozen=True)
class Measure:
    """What sessions are compared by."""

    name: str
    of: Callable[[Summary], float]
    least: float
    """Below this nobody minds."""
    counts: Callable[[Summary], bool] = lambda summary: True
    """Whether it is known of a session."""

    @property
    def floor(self) -> float:
        """Less than this is as good as nothing."""
        return self.least / 5


MEASURES = (
    Measure("cost_usd", lambda summary: summary.cost_usd, 0.5, lambda summary: summary.cost_usd > 0),
    Measure("active_s", lambda summary: summary.active_s, 600.0, lambda summary: summary.active_s > 0),
    Measure("tool_errors", lambda summary: summary.tool_errors, 5.0, lambda summary: summary.tool_calls > 0),
)


@dataclass(frozen=True)
class Outlier:
    """A session, and by what it stands out."""

    session: Summary
    measure: str
    value: float
    median: float


def medians(sessions: Sequence[Summary]) -> dict[str, float]:
    """Give the median of each measure that is known of enough sessions."""
    known = {measure.name: _known(measure, sessions) for measure in MEASURES}
    return {name: float(median(values)) for name, values in known.items() if len(values) >= FEWEST}


def outliers(sessions: Sequence[Summary]) -> list[Outlier]:
    """Give the sessions that stand out, the most unusual of each measure first; none where there are too few."""
    middles = medians(sessions)
    return [
        found
        for measure in MEASURES
        if measure.name in middles
        for found in _by(measure, sessions, middles[measure.name])
    ]


def _known(measure: Measure, sessions: Iterable[Summary]) -> list[float]:
    return [measure.of(session) for session in sessions if measure.counts(session)]


def _by(measure: Measure, sessions: Sequence[Summary], middle: float) -> list[Outlier]:
    far = _limit(_known(measure, sessions), measure)
    found = [session for session in sessions if measure.counts(session) and measure.of(session) >= far]
    found.sort(key=lambda session: (-measure.of(session), session.run_id))
    return [Outlier(session, measure.name, measure.of(session), middle) for session in found[:_MOST]]


def _limit(values: Sequence[float], measure: Measure) -> float:
    """Say from which value on a session stands out."""
    logs = [math.log(max(value, measure.floor)) for value in values]
    middle = median(logs)
    spread = max(_SPREAD * median(abs(log - middle) for log in logs), _LEAST_SPREAD)
    return max(measure.least, _TIMES * math.exp(middle), math.exp(min(middle + _FAR * spread, 700.0)))
