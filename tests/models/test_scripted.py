"""The model that answers from a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopwright.errors import ModelError
from loopwright.models.scripted import Scripted
from models.marks import QUESTION, Mark, script


def make(tmp_path: Path, *answers: dict[str, object]) -> Scripted:
    return Scripted(script(tmp_path / "answers.json", *answers).removeprefix("scripted:"))


def test_the_first_that_fits_the_question_answers(tmp_path: Path) -> None:
    """An entry answers where its words are in the question; without words it answers all."""
    model = make(tmp_path, {"when": "colour", "answer": {}}, {"answer": {"value": 5, "reason": "so so"}})
    reply = model.ask(QUESTION)
    assert (reply.answer, reply.cost_usd) == (Mark(value=5, reason="so so"), 0.0)
    assert "Be strict." in model.questions[0] and "What is it worth?" in model.questions[0]


def test_entries_alike_are_used_in_turn(tmp_path: Path) -> None:
    """What does not fit is asked for once more, with what was wrong, and the next entry answers."""
    model = make(
        tmp_path, {"answer": {"value": 7, "reason": ""}}, {"answer": '```json\n{"value": 0, "reason": "x"}\n```'}
    )
    assert model.ask(QUESTION).answer == Mark(value=0, reason="x")
    assert "value: Input should be 0, 5 or 10" in model.questions[1]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"answer": "no idea"}, "answered twice with what does not fit: it is no JSON"),
        ({"answer": {"value": 5}}, "answered twice with what does not fit: reason: Field required"),
        ({"error": "it sleeps"}, "can't be asked: it sleeps"),
        ({"when": "nothing like it", "answer": {}}, "has no answer to this question"),
    ],
)
def test_what_is_no_answer_is_an_error(tmp_path: Path, entry: dict[str, object], words: str) -> None:
    """An answer that never fits, a script that fails and one that has no answer are errors in words."""
    with pytest.raises(ModelError, match=words):
        make(tmp_path, entry).ask(QUESTION)


@pytest.mark.parametrize("content", ["", "[]", '{"answers": 3}', '{"answers": [{"colour": "red"}]}'])
def test_a_file_that_is_no_script_is_refused(tmp_path: Path, content: str) -> None:
    """A file without a list of answers is refused by name."""
    (tmp_path / "answers.json").write_text(content)
    with pytest.raises(ModelError, match=r"answers\.json"):
        Scripted(str(tmp_path / "answers.json"))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('{"when": 5, "answer": {}}', "entry 2: `when` is `5`; it must be text"),
        ('{"when": null, "answer": {}}', "`when` is `None`; it must be text"),
        ('{"error": ["x"]}', "`error` is `['x']`; it must be text"),
        ('{"answer": 3}', "`answer` is `3`; it must be an object, or text"),
        ('{"answer": {}, "cost_usd": "1"}', "`cost_usd` is `1`; it must be a number from 0 on"),
        ('{"answer": {}, "cost_usd": true}', "`cost_usd` is `True`"),
        ('{"answer": {}, "cost_usd": -1}', "`cost_usd` is `-1`"),
        ('{"answer": {}, "cost_usd": NaN}', "`cost_usd` is `nan`"),
        ('{"answer": {}, "colour": 1}', "there is no field `colour`, only when, answer, error, cost_usd"),
        ('{"when": "x"}', "it has neither `answer` nor `error`"),
        ('"x"', "`x` is no table"),
    ],
)
def test_a_field_that_does_not_fit_is_named(tmp_path: Path, entry: str, words: str) -> None:
    """Whatever is wrong with an entry is said with its place, its value and what would be right."""
    (tmp_path / "answers.json").write_text(f'{{"answers": [{{"answer": {{}}}}, {entry}]}}')
    with pytest.raises(ModelError, match=re.escape(words)) as raised:
        Scripted(str(tmp_path / "answers.json"))
    assert "when" in raised.value.hint
