"""What tokens are worth."""

from __future__ import annotations

from loopwright.records.budget import Usage
from loopwright.run.worth import worth


def test_a_model_that_no_list_has_costs_nothing() -> None:
    """What can't be priced is not guessed."""
    assert worth("a-model-that-nobody-makes", Usage(1000, 1000)) == 0.0
