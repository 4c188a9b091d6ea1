"""A model's name and tokens -> US dollars, for agents that do not say what they cost.

The prices are those that came with genai-prices: nobody is asked over the network.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind

_SAMPLE = 1000
"""So many tokens are priced, and the rest by proportion.

What we have is a sum over many requests. Taken for one request, it would be priced as one with a very long context.
"""
_LONGEST_NAME = 200


def dollars(model: str, tokens: Usage, for_an_hour: int = 0) -> float | None:
    """Say what tokens cost, each of them counted once; None where nobody knows the model's prices.

    Of those that were written to a cache, the ones that are kept there for an hour cost more.
    """
    if tokens == Usage():
        return 0.0
    if (rates := _rates(model[:_LONGEST_NAME])) is None:
        return None
    longer = min(for_an_hour, tokens.cache_write)
    counts = (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write - longer, longer)
    return round(sum(rate * count for rate, count in zip(rates, counts, strict=True)), 9)


def priced(spent: Iterable[tuple[str, Usage]]) -> tuple[float, list[Event]]:
    """Give what tokens of models cost by the table of prices, and a note for each model that it does not have."""
    costs = {model: dollars(model, usage) for model, usage in spent}
    notes = [Event(EventKind.NOTE, unknown_cost(model)) for model, cost in costs.items() if cost is None]
    return sum(cost or 0.0 for cost in costs.values()), notes


def unknown_cost(model: str) -> str:
    """Say that tokens could not be priced, and what that means."""
    which = f"there is no price for the model `{model}`" if model else "the agent does not say which model it used"
    return f"cost unknown: {which}; it counts as $0, and limits of money do not end this run"


@cache
def _rates(model: str) -> tuple[float, ...] | None:
    """Give the price of one token of each kind: input, output, read from a cache, written to it, for an hour."""
    from genai_prices import Usage as Priced  # 0.2 s that only an agent without a cost of its own needs
    from genai_prices import calc_price

    # Tokens of a cache are counted as input once more there.
    kinds = (
        Priced(input_tokens=_SAMPLE),
        Priced(output_tokens=_SAMPLE),
        Priced(input_tokens=_SAMPLE, cache_read_tokens=_SAMPLE),
        Priced(input_tokens=_SAMPLE, cache_write_tokens=_SAMPLE),
        Priced(input_tokens=_SAMPLE, cache_write_tokens=_SAMPLE, cache_write_1h_tokens=_SAMPLE),
    )
    for name in dict.fromkeys((model, model.rpartition("/")[2])):
        try:
            return tuple(float(calc_price(kind, name).total_price) / _SAMPLE for kind in kinds)
        except (LookupError, ValueError):
            continue
    return None
