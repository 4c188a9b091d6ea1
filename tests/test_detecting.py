"""Settings become detectors, or are refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from loopwright.detecting import delights, make_detectors
from loopwright.errors import SettingError, UnknownName
from loopwright.settings import Settings


def test_settings_reach_their_detector() -> None:
    """A detector is made with its settings, and one that is off is not made."""
    made = make_detectors(Settings(signals={"error_loop": {"times": 5}, "timeout": {"off": True}}))
    assert vars(made["error_loop"])["times"] == 5
    assert "timeout" not in made
    assert delights(Settings()) == {"delight"}


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("error_loop", {"off": "false"}, "`false` is neither true nor false"),
        ("error_loop", {"off": 1}, "`1` is neither true nor false"),
        ("error_loop", {"times": 0}, "`0` is not possible here"),
        ("error_loop", {"times": -3}, "`-3` is not possible here"),
        ("error_loop", {"times": "three"}, "signals.error_loop.times"),
        ("cost_spike", {"factor": float("nan")}, "`nan` is not possible here"),
        ("cost_spike", {"deviations": float("inf")}, "`inf` is not possible here"),
        ("cost_spike", {"fewest": 0}, "`0` is not possible here"),
        ("error_loop", {"tims": 3}, "there is no field `tims`"),
    ],
)
def test_nonsense_is_refused(name: str, options: dict[str, Any], words: str) -> None:
    """What would switch a detector off, or make it fire at everything, is refused with its place."""
    with pytest.raises(SettingError, match=words):
        make_detectors(Settings(signals={name: options}))


def test_what_can_be_set_is_named() -> None:
    """The hint names all that a detector can be set to, `off` as well."""
    with pytest.raises(SettingError) as refused:
        make_detectors(Settings(signals={"error_loop": {"zzz": 3}}))
    assert refused.value.hint.startswith("known: ") and refused.value.hint.endswith(", times, off")


def test_a_detector_that_is_not_there() -> None:
    """A name that is spelled wrong gets a hint."""
    with pytest.raises(UnknownName, match="there is no detector `error_lop`"):
        make_detectors(Settings(signals={"error_lop": {}}))
