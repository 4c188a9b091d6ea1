"""Tokens and what they cost."""

from __future__ import annotations

import subprocess
import sys

import pytest
from genai_prices import Usage as Priced
from genai_prices import calc_price
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.records.budget import Usage
from loopwright.text.prices import dollars, priced, unknown_cost

COUNT = st.integers(0, 200_000)


def test_each_kind_of_token_has_its_price() -> None:
    """Input, output, what was read from a cache and what was written to it are priced each by its own rate."""
    million = 1_000_000
    assert dollars("claude-sonnet-4-5", Usage(input=million)) == pytest.approx(3.0)
    assert dollars("claude-sonnet-4-5", Usage(output=million)) == pytest.approx(15.0)
    assert dollars("claude-sonnet-4-5", Usage(cache_read=million)) == pytest.approx(0.3)
    assert dollars("claude-sonnet-4-5", Usage(cache_write=million)) == pytest.approx(3.75)
    assert dollars("claude-sonnet-4-5", Usage(1000, 1000, 1000, 1000)) == pytest.approx(0.02205)


def test_what_a_cache_keeps_for_an_hour_costs_more() -> None:
    """Twice the input where it is for an hour, 1.25 times where it is for five minutes; never more than was written."""
    million = 1_000_000
    assert dollars("claude-sonnet-4-5", Usage(cache_write=million), million) == pytest.approx(6.0)
    assert dollars("claude-sonnet-4-5", Usage(cache_write=million), 400_000) == pytest.approx(0.4 * 6 + 0.6 * 3.75)
    assert dollars("claude-opus-4-5", Usage(cache_write=million), 3 * million) == pytest.approx(10.0)


@settings(deadline=None)  # the first price that is asked for loads the list
@given(COUNT, COUNT, st.integers(0, 50_000))
def test_one_request_costs_what_the_price_list_says(plain: int, output: int, cached: int) -> None:
    """A request of a usual length comes to what genai-prices says, which counts cached tokens as input, too."""
    expected = calc_price(
        Priced(input_tokens=plain + cached, cache_read_tokens=cached, output_tokens=output), "gpt-5.5"
    )
    assert dollars("gpt-5.5", Usage(plain, output, cached)) == pytest.approx(float(expected.total_price), abs=1e-6)


def test_many_short_requests_are_not_taken_for_a_long_one() -> None:
    """Ten times the tokens cost ten times as much, also where one request of that length would cost more."""
    one = dollars("gpt-5.5", Usage(100_000, 1000))
    assert one is not None
    assert dollars("gpt-5.5", Usage(1_000_000, 10_000)) == pytest.approx(10 * one)
    long = calc_price(Priced(input_tokens=1_000_000, output_tokens=10_000), "gpt-5.5")
    assert float(long.total_price) > 15 * one, "the trap that this test is for"


@pytest.mark.parametrize("model", ["", "nobody-knows-this", "x" * 100_000, "a/b/c", "/"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    """What is not known is None and not nothing, and there are words for it."""
    assert dollars(model, Usage(1, 1)) is None
    assert "cost unknown" in unknown_cost(model)


def test_tokens_are_priced_by_model() -> None:
    """Each model has its own price; one that nobody knows costs nothing, and that is told."""
    tokens = Usage(1200, 300, 40)
    cost, notes = priced([("gemini-2.5-flash", tokens), ("a model that nobody sells", tokens)])
    assert cost == pytest.approx(0.00111, rel=0.01)
    assert ["a model that nobody sells" in note.text for note in notes] == [True]
    assert priced([("a model that nobody sells", Usage())]) == (0.0, [])


def test_no_tokens_cost_nothing() -> None:
    """Where nothing was used, that is known of every model."""
    assert dollars("nobody-knows-this", Usage()) == 0


def test_a_maker_before_the_name_is_left_off() -> None:
    """`openai/gpt-5.5` has the price of `gpt-5.5`."""
    assert dollars("openai/gpt-5.5", Usage(1000)) == dollars("gpt-5.5", Usage(1000)) == pytest.approx(0.005)


def test_the_price_list_is_only_read_when_it_is_needed() -> None:
    """Loading the module, or pricing nothing, does not load the list."""
    code = (
        "import sys; from loopwright.text.prices import dollars; from loopwright.records.budget import Usage; "
        "dollars('gpt-5.5', Usage()); print('genai_prices' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
