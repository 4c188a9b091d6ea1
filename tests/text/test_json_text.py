"""JSON for programs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from loopwright.text.json_text import json_text


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_what_is_no_number_is_null(number: float) -> None:
    """Infinity and NaN are no JSON, wherever they are; all else stays as it is."""
    data: dict[str, Any] = {"a": number, "b": [1.5, (number, "x")], "c": {"d": number}, "e": True}
    assert json.loads(json_text(data), parse_constant=pytest.fail) == {
        "a": None,
        "b": [1.5, [None, "x"]],
        "c": {"d": None},
        "e": True,
    }


def test_what_json_has_no_word_for_is_text() -> None:
    """A path is written as its text, and characters as they are."""
    assert json_text({"é": Path("a/b")}, indent=1) == '{\n "é": "a/b"\n}'
