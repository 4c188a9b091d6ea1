"""Nothing of a secret is left where a text is cut within it."""

from __future__ import annotations

import pytest

from loopwright.text.halves import beginning, rest

TOKEN = "ghp_" + "Zq7Xw9Kd3Lm5Np2Rt8Vy4Bc6Hj1Fg0SaUeTi"


@pytest.mark.parametrize("before", ["word ", '{"a":"', "x,", "ж", "key\n"])
def test_no_half_of_a_token_is_left(before: str) -> None:
    """Wherever the cut is, and whatever stands before the token; the text before it stays."""
    text = before * 50 + TOKEN + "\n" + before * 50
    first = len(before) * 50
    for place in range(first + 4, first + len(TOKEN)):
        assert beginning(text, place) == text[:first]
        assert rest(text[place:]) in (text[first + len(TOKEN) :], text[place:][-len(before) * 50 - 4 :])


def test_what_is_not_cut_stays() -> None:
    """Also a last word that is whole, and what is too plain for a secret."""
    assert beginning(TOKEN, len(TOKEN)) == TOKEN
    assert beginning("x" * 100, 50) == "x" * 50
    assert beginning("语" * 100, 50) == "语" * 50
    assert rest("x" * 50) == "x" * 50


def test_a_word_that_is_longer_than_any_key_is_not_lost() -> None:
    """Of a document in base64 no more is left off than a key can have."""
    assert len(beginning("Ab1/" * 5000, 10_000)) == 5_900
    assert len(rest("Ab1/" * 5000)) == 15_900
