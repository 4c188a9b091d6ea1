"""Questions for a model: anchors as the only answers, quotations that can't be left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from loopwright.records.question import Reply
from loopwright.text.marking import Asked, Mark, Quotation, marking, marks_of

ITEMS = [
    Asked("a", "Is it there?", {"10": "a line has it", "0": "no line has it"}),
    Asked("b", "How often?", {"0": "never", "2.5": "once", "10": "each time"}),
]


def test_only_anchors_are_answers() -> None:
    """The shape takes the anchored values and no other, and gives marks in the order of the questions."""
    question = marking(ITEMS, [Quotation("the file", "text")])
    given = {"q1": {"value": 10, "reason": "line  3"}, "q2": {"value": "2.5", "reason": "x" * 900}}
    marks = marks_of(Reply(question.shape.model_validate(given)), ITEMS)
    assert marks == [Mark(10.0, "line 3"), Mark(2.5, "x" * 500)]
    for wrong in ({"value": 7, "reason": ""}, {"value": 10}, {"value": "ten", "reason": ""}):
        with pytest.raises(ValidationError):
            question.shape.model_validate({**given, "q1": wrong})
    assert question.prompt.index("- 0: no line") < question.prompt.index("- 10: a line")


@given(st.text(alphabet="`~\n ax#", max_size=60))
def test_no_text_leaves_its_quotation(text: str) -> None:
    """Whatever is quoted, its fence does not end before it does."""
    prompt = marking(ITEMS[:1], [Quotation("somebody", text)]).prompt
    if not text.strip():
        return
    fence = prompt.partition("Quotation, somebody:\n\n")[2].split("\n")[0]
    parts = prompt.split(f"\n{fence}\n")
    assert len(parts) == 3
    assert parts[1] == text.strip()


def test_long_text_is_cut() -> None:
    """A quotation keeps to its limit, and says how much is gone."""
    prompt = marking(ITEMS, [Quotation("somebody", "x" * 10_000, 100)]).prompt
    assert len(prompt) < 1000 and "9900 characters cut" in prompt
    assert "Quotation, somebody, of which 9,900 characters are left out:\n" in prompt


def test_a_change_is_quoted_file_by_file() -> None:
    """A diff that is too long keeps something of each file, and what is left out is said outside of the fence."""
    files = [f"diff --git a/{name} b/{name}\n" + "+x\n" * lines for name, lines in (("a", 900), ("m", 2), ("z", 900))]
    quotation = Quotation.of_change("the change", "".join(files), 1000)
    prompt = marking(ITEMS, [quotation]).prompt
    assert files[1] in prompt
    assert f"Quotation, the change, of which {quotation.left_out:,} characters are left out:\n" in prompt
    assert Quotation.of_change("the change", files[1], 1000).left_out == 0
