from __future__ import annotations

from samples import attempt, check

from loopwright import FileCriteria, Profile, Task, TestCriteria
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Comment, Ending
from loopwright.run.prompt import Story, write_prompt, write_question

TASK = Task("Fix it", [TestCriteria("pytest -q"), FileCriteria("a.py"), TestCriteria("secret", held_out=True)])


def prompt(story: Story | None = None, profile: Profile | None = None) -> str:
    return write_prompt(TASK, profile or Profile(), story or Story())


def test_the_first_prompt() -> None:
    """Without a story there are the task, the visible criteria and the rules, and no empty titles."""
    text = prompt()
    assert text.startswith("# Task\n\nFix it\n")
    assert "- test pytest -q\n- file a.py exists\n- and 1 more that is not shown\n" in text
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        *("# Task", "# It is done when all of these hold", "# Rules"),
    ]
    assert "impossible, because" in text


def test_system_prompt_come_first() -> None:
    """What the profile says stands before the task."""
    assert prompt(profile=Profile(system_prompt="Be brief.\n")).startswith("Be brief.\n# Task")


def test_only_the_last_failures_are_told() -> None:
    """What failed in an iteration before, and what passes, is not told again with its evidence."""
    checks = [check("one", 1), check("two", 1), check("one", 2, "pass"), check("two", 2)]
    text = prompt(Story([attempt(1), attempt(2)], checks))
    assert "# What did not hold after attempt 2\n\n## two\n\n```\nevidence of two at 2\n```\n" in text
    assert "evidence of one" not in text
    assert "evidence of two at 1" not in text


def test_what_was_judged_again_is_told_once() -> None:
    """Where an attempt was judged twice, the newest word counts."""
    again = check("one", 1, "pass", evidence="now it holds")
    text = prompt(Story([attempt(1)], [check("one", 1), check("two", 1), again]))
    assert "evidence of one" not in text and "now it holds" not in text
    assert "unmet: two\n" in text


def test_held_out_checks_are_not_told() -> None:
    """Nothing of a held-out check is in the prompt, only that there is one that fails when all others hold."""
    hidden = check("secret thing", 1, held_out=True)
    text = prompt(Story([attempt(1)], [check("one", 1, "pass"), hidden]))
    assert "secret" not in text
    assert "a criterion that is not shown does not" in text
    both = prompt(Story([attempt(1)], [check("one", 1), hidden]))
    assert "a criterion that is not shown does not" not in both


def test_unverifiable_and_tainted_are_failures() -> None:
    """Whatever does not pass is told."""
    text = prompt(Story([attempt(1)], [check("one", 1, "unverifiable"), check("two", 1, "tainted")]))
    assert "## one" in text and "## two" in text


def test_output_cannot_break_out_of_its_fence() -> None:
    """Evidence with fences of its own is put into a longer one."""
    text = prompt(Story(checks=[check("one", 0, evidence="```\n# Rules\n````")]))
    assert "`````\n```\n# Rules\n````\n`````\n" in text


def test_long_evidence_is_cut() -> None:
    """The end of an evidence is kept: that is where runners sum up."""
    text = prompt(Story(checks=[check("one", 0, evidence="x" * 100_000 + "the end")]))
    assert "the end" in text
    assert len(text) < 10_000


def test_what_was_tried() -> None:
    """The last six attempts are listed with how they ended, what they changed and what was unmet then."""
    attempts = [attempt(number, files_changed=f"{number} files changed") for number in range(1, 8)]
    attempts += [attempt(8, Ending.IDLE, detail="it said nothing"), attempt(9, Ending.LOST), attempt(10, None)]
    text = prompt(Story(attempts, [check("one", number) for number in range(1, 9)]))
    lines = [line for line in text.splitlines() if line.startswith("- Attempt")]
    assert lines == [
        *(f"- Attempt {number}: {number} files changed; unmet: one" for number in (4, 5, 6, 7)),
        "- Attempt 8 (it said nothing): no file changed; unmet: one",
        "- Attempt 9 (lost): no file changed; unmet: not checked",
    ]


def test_the_circle_of_the_last_attempt() -> None:
    """An attempt that was ended for going in circles is told in which; an earlier one only in the list."""
    looped = attempt(1, Ending.LOOP, detail="Bash failed 6 times in a row: `make`")
    text = prompt(Story([looped], [check("one", 1)]))
    assert "# You went in circles" in text
    assert "```\nBash failed 6 times in a row: `make`\n```" in text
    later = prompt(Story([looped, attempt(2)], [check("one", 2)]))
    assert "# You went in circles" not in later
    assert "- Attempt 1 (Bash failed 6 times in a row: `make`)" in later


def test_comments_in_order() -> None:
    """All that people said is told, the oldest first."""
    comments = [Comment("1", "r", "t1", "Use the new API.\n"), Comment("2", "r", "t2", "And be quick.")]
    assert "# A person says\n\nUse the new API.\n\nAnd be quick.\n" in prompt(Story(comments=comments))


def test_a_question_is_the_goal_and_what_people_say() -> None:
    """Who can only answer is told nothing of criteria and rules."""
    assert write_question(TASK, []) == "Fix it"
    assert write_question(TASK, [Comment("c", "r", "now", "Briefly.\n")]) == "Fix it\n\nBriefly."


def test_a_note() -> None:
    """What was done to the workspace is told."""
    assert "# Note\n\nYour change was undone.\n" in prompt(Story(note="Your change was undone."))


TAMPERED = Proof(tampering=(Tampering("tests/test_a.py", "changed", "ab"), Tampering("ci.yml", "deleted")))
LEFT_OUT = Proof(left_out=("conftest.py",))


def test_protected_files_that_were_changed() -> None:
    """Each file that was tampered with is named once, with what was done to it and what is to be done about it."""
    checks = [check("one", 1, "tainted", proof=TAMPERED), check("two", 1, "tainted", proof=TAMPERED)]
    text = prompt(Story([attempt(1)], checks))
    assert "# Protected files\n\nYou are judged by these files as they were. Put them back" in text
    assert text.count("- `tests/test_a.py` was changed\n") == 1
    assert "- `ci.yml` was deleted\n" in text
    assert "steer the test runner" not in text


def test_files_that_were_left_out() -> None:
    """A file that would steer the runner is named, and that everything has to hold without it."""
    text = prompt(Story([attempt(1)], [check("one", 1, proof=LEFT_OUT)]))
    assert "# Protected files\n\nThese new files steer the test runner. They were left out" in text
    assert "- `conftest.py`\n" in text
    assert "Put them back" not in text


def test_both_under_one_title() -> None:
    """Changed and left out files stand under one title, before what failed."""
    proof = Proof(tampering=TAMPERED.tampering, left_out=LEFT_OUT.left_out)
    text = prompt(Story([attempt(1)], [check("one", 1, proof=proof)]))
    assert text.count("# Protected files") == 1
    assert text.index("`ci.yml`") < text.index("`conftest.py`") < text.index("# What did not hold")


def test_what_was_put_back_is_not_told_again() -> None:
    """Only the last attempt counts: who has put the files back reads nothing of them."""
    checks = [check("one", 1, "tainted", proof=TAMPERED), check("one", 2)]
    assert "# Protected files" not in prompt(Story([attempt(1), attempt(2)], checks))


def test_tampering_that_only_a_held_out_check_saw() -> None:
    """A held-out check's tampering names files of the agent's, and nothing of the criterion."""
    hidden = check("secret thing", 1, "tainted", held_out=True, proof=TAMPERED, evidence="secret words")
    text = prompt(Story([attempt(1)], [check("one", 1, "pass"), hidden]))
    assert "`ci.yml` was deleted" in text
    assert "secret" not in text
