"""How often trends cry wolf over all metrics of a group, and how often they find a real fall; seeded."""

from __future__ import annotations

import random
from datetime import date, timedelta

from loopwright.measure.trends import falls
from loopwright.records.outcome import Sample, Tally

HISTORIES, PERIODS, SIZE = 300, 30, 50
MOST_FALSE = 0.05
_FIRST = date(2026, 1, 1)


def measure() -> list[str]:
    dice = random.Random(7)
    rows = []
    for share in (0.8, 0.5):
        false = sum(_alarm(_history(dice, [share] * PERIODS), 1) for _ in range(HISTORIES)) / HISTORIES
        rows.append(_row(f"30 flat periods at {share:.0%}, 7 metrics: a signal", false, false <= MOST_FALSE, "5%"))
    for share, least in ((0.9, 0.95), (0.8, 0.88), (0.6, 0.78)):
        rates = [share] * (PERIODS - 2) + [share - 0.2] * 2
        found = sum(_alarm(_history(dice, rates), PERIODS - 1, "pass rate") for _ in range(HISTORIES)) / HISTORIES
        rows.append(
            _row(
                f"{share:.0%} falls by 20 points: found in two periods", found, found >= least, f"at least {least:.0%}"
            )
        )
    return rows


def _row(what: str, share: float, holds: bool, wanted: str) -> str:
    return f"{what}|{100 * share:.1f}%|{wanted}|{'ok' if holds else 'OVER'}"


def _history(dice: random.Random, rates: list[float]) -> list[tuple[Tally, list[Sample]]]:
    """Make periods in which all metrics are apart from each other: chance has the most goes then."""
    return [_period(dice, (_FIRST + timedelta(number)).isoformat(), rate) for number, rate in enumerate(rates)]


def _period(dice: random.Random, day: str, rate: float) -> tuple[Tally, list[Sample]]:
    passed, at_once, untouched, alone = (
        sum(dice.random() < share for _ in range(SIZE)) for share in (rate, 0.8, 0.8, 0.8)
    )
    tally = Tally("", day, SIZE, SIZE, passed, SIZE, at_once, SIZE - untouched, SIZE - alone, 0, 0.0)
    numbers = ([dice.lognormvariate(5, 1) for _ in range(3)] for _ in range(SIZE))
    return tally, [Sample("", day, time, int(1000 * tokens), cost, None, None) for time, tokens, cost in numbers]


def _alarm(history: list[tuple[Tally, list[Sample]]], first: int, metric: str = "") -> bool:
    """Say whether a look at the end of any period, from the first on, finds something worse."""
    return any(metric in fall for end in range(first, len(history) + 1) for fall in _worse(history[:end]))


def _worse(history: list[tuple[Tally, list[Sample]]]) -> list[str]:
    samples = [sample for _, some in history for sample in some]
    return [fall.metric for fall in falls([tally for tally, _ in history], samples, "agent", "day")]
