from __future__ import annotations

import pytest

from loopwright import FileCriteria, Task
from loopwright.run.roles import DIFF_LIMIT, plan_prompt, review_prompt, wanted_changes

TASK = Task("Mend the login", [FileCriteria("a.py"), FileCriteria("hidden.py", held_out=True)])


def test_both_know_the_task_and_not_what_is_held_out() -> None:
    """Planner and reviewer see the goal and the visible criteria; a held-out one is only counted."""
    for prompt in (plan_prompt(TASK, ""), review_prompt(TASK, "+x")):
        assert "Mend the login" in prompt
        assert "a.py" in prompt
        assert "hidden.py" not in prompt


def test_a_long_change_is_cut_in_the_middle() -> None:
    """A reviewer sees the beginning and the end, and is told that something is missing."""
    prompt = review_prompt(TASK, "first" + "x" * 2 * DIFF_LIMIT + "last")
    assert len(prompt) < DIFF_LIMIT + 3000
    assert "first" in prompt
    assert "last" in prompt
    assert "cut: read the files" in prompt


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("All is well.\n\napproved", ""),
        ("**Approved.**\n", ""),
        ("- the empty case\nchanges wanted", "- the empty case\nchanges wanted"),
        ("approved if the empty case is mended", "approved if the empty case is mended"),
        ("approved\nbut not really", "approved\nbut not really"),
        ("", ""),
    ],
)
def test_what_a_review_wants(words: str, wanted: str) -> None:
    """Only a last line that approves without a condition approves."""
    assert wanted_changes(words) == wanted
