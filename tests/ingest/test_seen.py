"""What was told before."""

from __future__ import annotations

from loopwright.ingest.seen import Seen


def test_a_name_is_new_once() -> None:
    """Each name is new when it comes first, and known from then on."""
    seen = Seen()
    assert [seen.is_new(name) for name in ("a", "b", "a", ("a", "b"))] == [True, True, False, True]
    assert "b" in seen
    assert "c" not in seen


def test_there_are_never_too_many() -> None:
    """What comes when there is no room is new every time, and what was known before still is."""
    seen = Seen(most=1)
    assert [seen.is_new(name) for name in ("a", "b", "b", "a")] == [True, True, True, False]
