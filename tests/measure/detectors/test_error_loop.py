"""error_loop: the same action fails again and again."""

from __future__ import annotations

from loopwright.measure.detectors.error_loop import ErrorLoop
from measure.stretches import Stretch


def test_three_in_a_row() -> None:
    """Three like failures in a row are one signal, with their events."""
    stretch = Stretch()
    for _ in range(3):
        stretch.ran("make build", "No rule to make target", exit_code=2)
    assert [signal.events for signal in stretch.found(ErrorLoop())] == [(2, 4, 6)]


def test_two_are_none() -> None:
    """Two failures are no loop, nor are three with a success between them."""
    stretch = Stretch().ran("make", "No rule", exit_code=2).ran("make", "No rule", exit_code=2)
    assert stretch.found(ErrorLoop()) == []
    stretch.ran("make").ran("make", "No rule", exit_code=2)
    assert stretch.found(ErrorLoop()) == []
