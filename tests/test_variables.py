"""Settings that come from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pytest

from loopwright.errors import SettingError
from loopwright.variables import from_environment, refuse_unknown


@dataclass(frozen=True)
class Some:
    """Settings of each type."""

    name: str = ""
    count: int = 1
    cost: float | None = None
    is_on: bool = False
    places: tuple[str, ...] = ()
    wait_s: float = 1.0


@pytest.mark.parametrize(
    ("variable", "text", "found"),
    [
        ("NAME", "x", {"name": "x"}),
        ("NAME", "", {"name": ""}),
        ("COUNT", "3", {"count": 3}),
        ("COST", "2.5", {"cost": 2.5}),
        ("IS_ON", "true", {"is_on": True}),
        ("IS_ON", "0", {"is_on": False}),
        ("PLACES", f"a{os.pathsep}b", {"places": ["a", "b"]}),
        ("PLACES", "", {"places": []}),
        ("WAIT", "10m", {"wait": "10m"}),
        ("OTHER", "x", {}),
    ],
)
def test_what_a_variable_means(variable: str, text: str, found: dict[str, object]) -> None:
    """Each is read as its setting's type; what is of no setting is not looked at."""
    assert from_environment("some", Some, {f"LOOPWRIGHT_SOME_{variable}": text}) == found


@pytest.mark.parametrize(
    ("variable", "text"), [("COUNT", "many"), ("IS_ON", "perhaps"), ("COST", "1.2.3"), ("WAIT", "x")]
)
def test_what_does_not_fit_is_refused(variable: str, text: str) -> None:
    """The message names the variable and what it holds."""
    with pytest.raises(SettingError, match=f"the variable LOOPWRIGHT_SOME_{variable}: .*`{text}`"):
        from_environment("some", Some, {f"LOOPWRIGHT_SOME_{variable}": text})


def test_a_variable_that_is_spelled_wrong_is_refused() -> None:
    """It is named with those that there are; those of others are left alone."""
    refuse_unknown([("some", Some)], {"LOOPWRIGHT_SOME_WAIT": "1", "LOOPWRIGHT_HOME": "x", "SOME_NAMES": "y"})
    with pytest.raises(SettingError, match="LOOPWRIGHT_SOME_NAMES") as raised:
        refuse_unknown([("some", Some)], {"LOOPWRIGHT_SOME_NAMES": "x"})
    assert "LOOPWRIGHT_SOME_NAME," in raised.value.hint
