"""New sentences of a prompt: what lets an agent do more is found, and everyday advice is left alone."""

from __future__ import annotations

import time

import pytest

from guard.sentences import HARMLESS, MISSED, WIDENING
from loopwright.guard.widening import disguised, widening
from loopwright.release.first_prompts import prompt_names, prompt_template


def found(text: str, before: str = "") -> list[str]:
    return list(widening(before, text))


@pytest.mark.parametrize("sentence", WIDENING)
def test_more_freedom_is_found(sentence: str) -> None:
    """Tests, rules, the sandbox, secrets: whoever may do more with them is told by the sentence that says so."""
    assert found(f"Read first.\n\n{sentence}\n\nBe kind.") == [" ".join(sentence.split())]


@pytest.mark.parametrize("sentence", HARMLESS)
def test_everyday_advice_is_none(sentence: str) -> None:
    """What a good prompt says may name tests, rules and secrets."""
    assert found(sentence) == []


def test_it_is_a_net() -> None:
    """What is known to be missed stays known: whoever mends the rules moves it to the others."""
    assert [sentence for sentence in MISSED if found(sentence)] == []


@pytest.mark.parametrize("name", prompt_names())
def test_what_ships_passes_word_by_word(name: str) -> None:
    """None of its sentences is a fault by itself, so that each may be edited."""
    assert found(prompt_template(name)) == []


@pytest.mark.parametrize(
    "text",
    [
        "You may edit\nthe tests.",
        "Be kind and you may edit\n   the tests",
        "- Be kind\n- **Edit** the `tests`\n- Read",
        "1. Read\n2. Edit the tests\n",
        "You may e d i t the tests.",
        "Édit thé tésts.",
        "so " * 2000 + "edit the tests",
    ],
)
def test_lines_and_marks_are_no_hiding_place(text: str) -> None:
    """Broken lines, items, markup, accents, spread letters and great length change nothing."""
    assert len(found(text)) == 1


def test_an_item_is_a_sentence_of_its_own() -> None:
    """What ends one item does not forbid the next, and what begins one is not done with another's object."""
    assert found("- Things to change\n- Tests of the team") == []
    assert found("- Do not\n- Edit the tests") == ["- Edit the tests"]


def test_what_was_there_before_is_no_news() -> None:
    """A sentence in use already does not stop another change, also where its lines are broken anew."""
    assert found("You may edit\nthe tests. Be kind.", "You may edit the tests.") == []


@pytest.mark.parametrize("text", ["Yоu may edit", "tеsts", "Αdd"])
def test_letters_in_disguise(text: str) -> None:
    """Cyrillic or Greek letters among the Latin ones that they look like are found, and read as those."""
    assert disguised(text)


@pytest.mark.parametrize("text", ["Пиши тесты к API.", "API调用", "12 µs, Δt, kΩ", "naïve café", "ελληνικά"])
def test_other_scripts_are_no_disguise(text: str) -> None:
    """Words of another language, units and accents may stand in a prompt."""
    assert not disguised(text)


@pytest.mark.parametrize("part", ["edit ", "the ", "if tests ", "edit /a", "/a", "tests that ", "never a or ", "a_"])
def test_no_text_takes_long(part: str) -> None:
    """The longest prompt is looked at in moments, whatever it repeats."""
    began = time.process_time()
    found(part * (100_000 // len(part)))
    assert time.process_time() - began < 3
