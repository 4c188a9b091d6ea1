"""Gemini's content, in the forms that it takes."""

from __future__ import annotations

import pytest

from loopwright.text.gemini_parts import answer_of, parts_of, results_of, text_of, tokens_of


@pytest.mark.parametrize("content", ["a", {"text": "a"}, [{"text": "a"}], ["a", None, 5], [{"text": "a"}, {"text": 3}]])
def test_words_are_found_in_every_form(content: object) -> None:
    """One part, many, or words alone say the same."""
    assert text_of(parts_of(content)) == "a"


def test_thoughts_are_no_words() -> None:
    """What was only thought is not said."""
    assert text_of(parts_of([{"text": "hm", "thought": True}, {"text": "a"}])) == "a"


@pytest.mark.parametrize(
    ("response", "expected"),
    [({"output": "a"}, "a"), ({"error": "b"}, "b"), ({"content": {"c": 1}}, '{"content": {"c": 1}}'), (None, "")],
)
def test_an_answer_is_text_whatever_its_form(response: object, expected: str) -> None:
    """Output, an error, or what another server's tool gave."""
    assert answer_of({"response": response}) == expected


def test_all_parts_of_a_result_are_read() -> None:
    """An answer may be followed by more."""
    assert results_of([{"functionResponse": {"response": {"output": "a"}}}, {"text": "b"}]) == "a\nb"
    assert results_of("a") == "a"


def test_no_token_is_counted_twice() -> None:
    """Cached ones are part of what went in, thoughts are output, and tools' prompts are input."""
    tokens = {"input": 100, "output": 10, "cached": 40, "thoughts": 5, "tool": 3}
    assert tokens_of(tokens) == (63, 15, 40, 0)
    assert tokens_of({"input": 1, "cached": 5, "output": "x"}) == (0, 0, 1, 0)
