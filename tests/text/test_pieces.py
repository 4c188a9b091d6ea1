"""Words in pieces are put together."""

from __future__ import annotations

from loopwright.text.pieces import Pieces


def test_pieces_are_given_once() -> None:
    """In their order; what was taken is gone."""
    pieces = Pieces()
    for text in ("I ", "", "look."):
        pieces.add(text)
    assert (pieces.take(), pieces.take()) == ("I look.", "")


def test_no_more_is_held_than_is_kept() -> None:
    """One piece more, so that it shows that something was cut; after it was taken, it begins anew."""
    pieces = Pieces()
    for _ in range(1000):
        pieces.add("x" * 1000)
    assert len(pieces.take()) == 101_000
    pieces.add("y")
    assert pieces.take() == "y"
