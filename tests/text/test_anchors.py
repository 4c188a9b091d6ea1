"""Whether something that can be seen decides between answers; the refusals are tested with rubrics."""

from __future__ import annotations

import pytest

from loopwright.errors import TaskError
from loopwright.text.anchors import check_question, is_vague


@pytest.mark.parametrize("words", ["good", "Very good quality!", "the code is clean and readable", "ok", "not bad", ""])
def test_opinions_are_vague(words: str) -> None:
    """A description that names nothing is an opinion."""
    assert is_vague(words)


@pytest.mark.parametrize("words", ["no test fails", "each step has a command", "an error is swallowed"])
def test_what_names_something_is_not(words: str) -> None:
    """A description that names what one would see is none."""
    assert not is_vague(words)


def test_a_sound_question_is_taken() -> None:
    """Two answers that differ are enough."""
    check_question("q", "Is it there?", {"0": "no line has it", "10": "a line has it"})
    with pytest.raises(TaskError, match="asks nothing"):
        check_question("q", " ", {"0": "a", "10": "b"})
