"""How often signals are found -> what a human should know of, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_HUNDRED = 100
FEWEST = 10
"""With fewer runs, a rate says nothing."""


def alerts(found: Mapping[str, int], runs: int, per_100: float | None) -> Sequence[str]:
    """Name the signals of which there are more than so many for 100 runs; none where nobody set a number."""
    if per_100 is None or runs < FEWEST:
        return ()
    rates = {name: _HUNDRED * count / runs for name, count in found.items()}
    return [
        f"{name}: {rate:.0f} for 100 runs, over the {per_100:g} of `[alerts] signals_per_100`"
        for name, rate in sorted(rates.items(), key=lambda item: (-item[1], item[0]))
        if rate > per_100
    ]


def too_few(runs: int) -> str:
    """Say that a rate of signals says nothing yet; empty where it does."""
    return f"too few runs to tell whether signals are over the limit: {runs} of {FEWEST}" if runs < FEWEST else ""
