"""Prompts that say things twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.patch.deletions import deletion, without_repeats
from loopwright.records.task import TASK_TYPES
from loopwright.release.first_prompts import prompt_template

from .samples import TARGET, case, ground

LONG = "Run the tests of the project before you say that it is done."
OTHER = "Change as little as the task needs, in the style of the code."


def test_each_thing_is_said_once() -> None:
    """What stands there again, as a line, an item or a sentence among others, is taken out where it came later."""
    text = f"{LONG}\n\n- {OTHER}\n\n{LONG}\n1. {OTHER.upper()}\nBe kind. {LONG} Bye.\n"
    after, repeated = without_repeats(text)
    assert after == f"{LONG}\n\n- {OTHER}\n\nBe kind. Bye.\n"
    assert len(repeated) == 3


def test_what_is_not_touched() -> None:
    """Short words, placeholders and texts without repetition stay, to the letter."""
    for text in ("Go on.\nGo on.\n", "{{PLAYBOOKS}} and so on and so on and so on\n" * 2, f"{LONG}\n\n\n\n{OTHER}  \n"):
        assert without_repeats(text) == (text, [])


@given(st.lists(st.sampled_from([LONG, OTHER, "Short.", "", "- item", f"{LONG} {OTHER}"])))
def test_once_is_enough(lines: list[str]) -> None:
    """What was cleaned needs no cleaning, and loses no sentence."""
    text = "\n".join(lines)
    after, _ = without_repeats(text)
    assert without_repeats(after) == (after, [])
    assert all((sentence in after) == (sentence in text) for sentence in (LONG, OTHER, "Short."))


def test_the_patch_says_what_it_saves() -> None:
    """It has the whole text, the figures and the runs that paid for it; with few runs there is none."""
    runs = [case(number, passed=number != 3) for number in range(20)]
    prompt = f"{LONG}\n{OTHER}\n{LONG}\n"
    patch = deletion(TARGET, prompt, ground(cases=runs))
    assert patch is not None
    assert (patch.surface, patch.before, patch.after) == ("prompt", prompt, f"{LONG}\n{OTHER}\n")
    assert "about 15 tokens" in patch.reason
    assert deletion(TARGET, prompt, ground(cases=runs[:19])) is None


def test_what_ships_does_not_repeat_itself() -> None:
    """The first prompts are said once."""
    assert all(not without_repeats(prompt_template(f"worker/{one}"))[1] for one in TASK_TYPES)
