"""Asking for a shape: what does not fit is asked for once more; see also tests/models."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.errors import ModelError
from loopwright.records.budget import Usage
from loopwright.text.asking import Said, asked
from models.marks import QUESTION, Mark

GOOD = {"value": 5, "reason": "so so"}


def test_both_answers_are_counted() -> None:
    """What the first one took is in the reply of the second."""
    said = [Said("{", Usage(10, 1), 0.5), Said('Here it is: {"value": 0, "reason": "x"} .', Usage(20, 2), 0.25, "m")]
    reply = asked(QUESTION, "m", lambda prompt: said.pop(0))
    assert (reply.answer, reply.usage, reply.cost_usd, reply.model) == (
        Mark(value=0, reason="x"),
        Usage(30, 3),
        0.75,
        "m",
    )


@pytest.mark.parametrize("content", [None, [], 3, "", "[" * 100_000, "{" * 5000 + "}" * 5000, {"value": "5"}])
def test_nothing_is_too_odd(content: object) -> None:
    """Whatever comes back, it is an answer or an error in words."""
    with pytest.raises(ModelError, match="does not fit"):
        asked(QUESTION, "m", lambda prompt: Said(content))


def test_a_long_question_is_refused() -> None:
    """Nobody is asked what nobody should pay for."""
    with pytest.raises(ModelError, match="too long"):
        asked(dataclasses.replace(QUESTION, prompt="x" * 100_001), "m", lambda prompt: Said(GOOD))
