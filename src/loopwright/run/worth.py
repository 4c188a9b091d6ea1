"""A model's tokens -> what they cost by the price list; nothing where that is not known."""

from __future__ import annotations

import importlib

from loopwright.records.budget import Usage


def worth(model: str, usage: Usage) -> float:
    """Give US dollars; 0 where the list has no such model."""
    try:
        prices = importlib.import_module(
            "loopwright.text.prices"
        )  # slow to load, and only needed where tokens were used
    except ImportError:
        return 0.0
    return float(prices.price(model, usage) or 0.0)
