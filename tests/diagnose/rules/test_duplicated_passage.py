"""Prompts that say the same twice."""

from __future__ import annotations

from diagnose.samples import case, cases, standing, window
from loopwright.diagnose.rules.duplicated_passage import duplicated_passage
from loopwright.records.window import Prompt
from loopwright.text.tokens import tokens_in

RULE = "Run the whole test suite and read its whole output before you say that any of the work is done."
RUNS = [f"bug_fix-{number}" for number in range(4)]


def test_a_prompt_that_repeats_itself() -> None:
    """It is told in tokens, once for each attempt of each run, and in money where the model's price is known."""
    priced = [case(run_id, iterations=2, model="claude-sonnet-4-5") for run_id in RUNS]
    prompt = Prompt("worker/bug_fix", f"{RULE}\n\nKeep it small.\n\n{RULE}\n", RUNS)
    (looked,) = duplicated_passage(window(priced, prompts=[prompt]))
    its, tokens = looked.finding, tokens_in(RULE)
    assert (its.key, its.goal, its.target) == (
        *("duplicated_passage/worker/bug_fix", "cost"),
        "prompt worker/bug_fix",
    )
    assert (its.sessions, its.of, its.waste_tokens) == (4, 4, tokens * 8)
    assert 0 < its.waste_usd < 0.01
    assert f"about {tokens} of" in its.detail
    assert looked.stands


def test_what_a_file_says_as_well() -> None:
    """A prompt that repeats AGENTS.md is named with it, and so is a file that repeats itself."""
    prompt = Prompt("worker/bug_fix", f"Hello.\n\n{RULE}\n", RUNS)
    given = window(
        [*cases(4), case("elsewhere", source="codex")], prompts=[prompt], beside={"AGENTS.md": f"{RULE}\n\n- {RULE}\n"}
    )
    found = list(duplicated_passage(given))
    assert standing(found) == ["duplicated_passage/worker/bug_fix", "duplicated_passage/AGENTS.md"]
    assert "as AGENTS.md" in found[0].finding.detail
    assert (found[1].finding.target, found[1].finding.of) == ("file AGENTS.md", 4)


def test_a_prompt_that_does_not() -> None:
    """It was looked at, and has nothing."""
    (looked,) = duplicated_passage(window(cases(4), prompts=[Prompt("worker/bug_fix", RULE, RUNS)]))
    assert (looked.stands, looked.finding.sessions, looked.finding.of, looked.finding.runs) == (False, 0, 4, ())
