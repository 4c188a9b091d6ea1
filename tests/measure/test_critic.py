"""The critic: the same run and rubric give the same score; flattery changes nothing that a check decides."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from loopwright.measure.critic import critique
from loopwright.measure.rubric import find_rubric, rubric_of
from loopwright.models.scripted import Scripted
from loopwright.records.budget import Spent
from loopwright.records.bundle import Bundle, Rollup
from loopwright.records.check import Verdict
from loopwright.records.evaluation import Evaluation
from loopwright.records.rubric import Rubric
from loopwright.records.run import Status
from loopwright.records.session import Session
from loopwright.records.task import Observed
from loopwright.registry import kinds
from loopwright.run.criteria.test import TestCriteria
from measure.outputs import OUTPUTS, Output
from store.samples import make_attempt, make_check, make_run, make_step

GOAL = "Fix the login"


def bundle_of(output: Output) -> Bundle:
    run = make_run(goal=GOAL, spent=Spent(output.iterations, 0.5, seconds=60.0))
    run = dataclasses.replace(run, task=dataclasses.replace(run.task, task_type=output.task_type), status=Status.DONE)
    step = make_step(run)
    verdict = Verdict.PASS if output.criteria else Verdict.FAIL
    checks = [make_check(run.id, 1, verdict, criterion="test pytest", evidence="it is so")]
    used = [Rollup("Bash", 10, 10, 1)]
    return Bundle(run, [step], [make_attempt(step, output=output.said)], checks, rollups=used, diff=output.diff)


def judged(output: Output) -> Evaluation:
    return critique(bundle_of(output), find_rubric(output.task_type, [], kinds))


def test_there_are_forty_of_three_kinds() -> None:
    """The set has good outputs, bad ones, and bad ones that flatter."""
    groups = [output.group for output in OUTPUTS]
    assert len(groups) == 40
    assert all(groups.count(group) >= 10 for group in ("good", "bad", "flattering"))
    assert all(bool(output.unmet) is (output.group != "good") for output in OUTPUTS)


@pytest.mark.parametrize("number", range(len(OUTPUTS)))
def test_every_deterministic_item_is_right(number: int) -> None:
    """Each item that a check decides holds exactly where a person who reads the diff says so."""
    output = OUTPUTS[number]
    found = judged(output)
    assert [item.name for item in found.items if item.holds is False] == list(output.unmet)
    assert {item.kind for item in found.items if item.holds is None} == {"question"}
    assert output.criteria is not False or found.passed is False


@pytest.mark.parametrize("number", range(0, len(OUTPUTS), 5))
def test_the_same_run_has_the_same_score(number: int) -> None:
    """To score it again gives the same evaluation but for the time: also the same id."""
    bundle, rubric = bundle_of(OUTPUTS[number]), find_rubric(OUTPUTS[number].task_type, [], kinds)
    first, second = critique(bundle, rubric), critique(bundle, rubric)
    assert dataclasses.replace(second, created_at=first.created_at) == first


def test_flattery_changes_no_score() -> None:
    """The same change has the same score and reasons, whatever is said about it."""
    for output in [output for output in OUTPUTS if output.group == "flattering"][::3]:
        plain, praised = judged(dataclasses.replace(output, said="Done.")), judged(output)
        assert (praised.score, praised.items, praised.passed) == (plain.score, plain.items, plain.passed)


# How a score is made.


def made(*items: str, passes_at: float = 7.0) -> Rubric:
    body = "\n".join(f'[[items]]\nname = "{place}"\n{item}' for place, item in enumerate(items))
    return rubric_of(f'name = "mine"\nversion = 3\npasses_at = {passes_at}\n{body}', "", kinds)


GOOD = Output("good", "bug_fix", "I mended it.", {"a.py": ["-x", "+y", "+z"]})


def test_the_score_is_the_mean_by_weight() -> None:
    """Two of three parts of the weight hold: 6.67 of 10, which is not enough for 7."""
    found = critique(bundle_of(GOOD), made('check = "criteria"\nweight = 2', 'pattern = "nowhere"'))
    assert (found.score, found.passed, found.rubric, found.by) == (6.67, False, "mine 3", "critic")
    assert "1: not in the diff" in found.reason
    assert critique(bundle_of(GOOD), made('check = "criteria"\nweight = 2', 'pattern = "n"', passes_at=6.5)).passed


def test_what_must_hold_decides_whatever_the_score() -> None:
    """One item that must hold and does not is enough to fail."""
    found = critique(bundle_of(GOOD), made('check = "criteria"\nweight = 99', 'pattern = "n"\nmust = true'))
    assert found.score is not None and found.score > 9
    assert found.passed is False


@pytest.mark.parametrize(
    ("item", "holds"),
    [
        ('number = "lines_added"\nleast = 2', True),
        ('number = "lines_changed"\nmost = 2', False),
        ('number = "files_changed"\nleast = 1\nmost = 1', True),
        ('number = "iterations"\nmost = 1', True),
        ('number = "cost_usd"\nmost = 0.4', False),
        ('number = "duration_s"\nmost = 60', True),
        ('number = "tool_errors"\nmost = 0', False),
        ('number = "tool_error_share"\nmost = 0.5', True),
        ('number = "output_words"\nleast = 3', True),
        ('number = "prompts"\nmost = 3', None),
        ('pattern = "mended"\non = "output"', True),
        ('pattern = "mended"\non = "output"\nabsent = true', False),
        ('pattern = "^M a"\non = "files"', True),
        ('pattern = "(x+x+)+y"\non = "output"', False),
        ('criterion = { test = "ruff check ." }', None),
        ('check = "criteria"', True),
    ],
)
def test_what_a_check_sees(item: str, holds: bool | None) -> None:
    """Numbers, patterns and criteria are looked up in the record; what it does not have is not decided."""
    bundle = dataclasses.replace(bundle_of(GOOD), rollups=[Rollup("Bash", 4, 2, 1), Rollup("", 5)])
    found = critique(bundle, made(item)).items[0]
    assert (found.holds, found.score) == (holds, None if holds is None else 10.0 if holds else 0.0)
    assert found.reason


def test_a_criterion_that_was_looked_at_besides() -> None:
    """An advisory check of the run decides the item that wanted it, and is none of the task's criteria."""
    bundle = bundle_of(GOOD)
    ruff = TestCriteria("ruff check .")
    besides = make_check(
        bundle.run.id, 1, Verdict.FAIL, criterion_hash=ruff.hash, advisory=True, evidence="exited with 1"
    )
    found = critique(
        dataclasses.replace(bundle, checks=[*bundle.checks, besides]),
        made('criterion = { test = "ruff check ." }', 'check = "criteria"'),
    )
    assert [(item.holds, item.reason) for item in found.items] == [(False, "exited with 1"), (True, "it holds")]


def test_a_pattern_that_backtracks_is_not_decided() -> None:
    """A pattern that takes too long decides nothing, and the critic goes on."""
    bundle = bundle_of(dataclasses.replace(GOOD, said="a" * 60 + "!"))
    patterns = ('pattern = "(a+)+b"\non = "output"', 'pattern = "^\\\\+y"')
    found = critique(bundle, made(*patterns, 'check = "criteria"')).items
    assert [item.holds for item in found] == [None, True, True]
    assert "it backtracks" in found[0].reason


def test_a_session_that_ran_elsewhere() -> None:
    """Without criteria and diff, what its record has is judged, and nobody says that it passed."""
    bundle = bundle_of(GOOD)
    run = dataclasses.replace(bundle.run, source="claude_code", task=Observed(GOAL, task_type="bug_fix"))
    session = Session(run.id, "claude_code", "s", "", prompts=2)
    seen = Bundle(run, bundle.steps, bundle.attempts, session=session)
    found = critique(seen, made('check = "criteria"\nmust = true', 'number = "prompts"\nmost = 3', 'pattern = "x"'))
    assert [item.holds for item in found.items] == [None, True, None]
    assert (found.passed, found.score) == (None, 10.0)


# Questions.

QUESTIONS = (
    'question = "Is the cause mended?"\nweight = 3\nanchors = { 0 = "no", 5 = "in one place", 10 = "in all places" }',
    'check = "criteria"',
)


def scripted(tmp_path: Path, *answers: dict[str, Any]) -> Scripted:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"answers": list(answers)}))
    return Scripted(str(path))


def test_a_question_is_answered_by_a_model(tmp_path: Path) -> None:
    """The answer is the item's score, with the model's reason; goal, words and change are quoted in the question."""
    model = scripted(tmp_path, {"answer": {"q1": {"value": 5, "reason": "only in a.py"}}, "cost_usd": 0.01})
    found = critique(bundle_of(GOOD), made(*QUESTIONS), model)
    assert (found.score, found.passed, found.model, found.cost_usd) == (6.25, False, model.name, 0.01)
    assert (found.items[0].holds, found.items[0].reason) == (True, "only in a.py")
    for words in (GOAL, "I mended it.", "+y", "in one place", "change nothing"):
        assert words in model.questions[0]


@pytest.mark.parametrize("answer", [{"error": "it sleeps"}, {"answer": {"q1": {"value": 7, "reason": ""}}}])
def test_a_model_that_does_not_answer(tmp_path: Path, answer: dict[str, Any]) -> None:
    """The question is not decided, the checks count, and nothing breaks."""
    found = critique(bundle_of(GOOD), made(*QUESTIONS), scripted(tmp_path, answer))
    assert [item.holds for item in found.items] == [None, True]
    assert (found.score, found.passed) == (10.0, True)


@pytest.mark.parametrize("answer", [{"error": "it sleeps"}, None])
def test_at_a_gate_nothing_passes_that_nobody_looked_at(tmp_path: Path, answer: dict[str, Any] | None) -> None:
    """A question that was not answered leaves a gate's view open; numbers that the record does not have do not."""
    bundle, model = gated(bundle_of(GOOD)), scripted(tmp_path, answer) if answer else None
    found = critique(bundle, made(*QUESTIONS), model)
    assert (found.score, found.passed) == (10.0, None)
    assert "not decided: 0" in found.reason
    assert critique(bundle, made('check = "criteria"', 'number = "prompts"\nmost = 3'), model).passed is True
    assert critique(bundle, made(*QUESTIONS, 'pattern = "nowhere"\nweight = 9'), model).passed is False


def gated(bundle: Bundle) -> Bundle:
    task = dataclasses.replace(bundle.run.task, critic="gate")
    return dataclasses.replace(bundle, run=dataclasses.replace(bundle.run, task=task))


LONG = "diff --git a/a b/a\nnew file mode 100644\n@@ -0,0 +1 @@\n+{}\ndiff --git a/m.py b/m.py\n@@ -1 +1 @@\n+eval(x)\n"


def test_a_diff_that_is_too_long_decides_nothing() -> None:
    """What was not found in the part that is searched may be in the rest; what was found is there."""
    bundle = dataclasses.replace(bundle_of(GOOD), diff=LONG.format("h" * 2_100_000))
    patterns = [r"pattern = 'eval\('", r"pattern = 'eval\('" + "\nabsent = true", 'pattern = "hhh"']
    more = ["pattern = 'm.py'\non = 'files'", 'number = "files_changed"\nmost = 1', 'number = "lines_added"\nleast = 2']
    found = critique(gated(bundle), made(*patterns, *more, 'pattern = "hhh"\nabsent = true', passes_at=1))
    assert [item.holds for item in found.items] == [None, None, True, True, False, True, False]
    assert "of it were not searched" in found.items[0].reason
    assert found.passed is None


@pytest.mark.parametrize("value", [0, 10])
def test_what_is_left_out_of_a_question_is_said(tmp_path: Path, value: int) -> None:
    """Each file is in the question; an answer that lets pass what must hold is none, where a part was left out."""
    bundle = dataclasses.replace(bundle_of(GOOD), diff=LONG.format("h" * 90_000))
    model = scripted(tmp_path, {"answer": {name: {"value": value, "reason": "I saw it"} for name in ("q1", "q2")}})
    found = critique(bundle, made(f"{QUESTIONS[0]}\nmust = true", QUESTIONS[0], QUESTIONS[1]), model)
    assert "+eval(x)" in model.questions[0] and "characters are left out:" in model.questions[0]
    assert [item.holds for item in found.items] == [None if value else False, bool(value), True]
    assert all("of the change were left out of the question" in item.reason for item in found.items[:2])


def test_orders_reach_the_model_only_as_a_quotation(tmp_path: Path) -> None:
    """All that an agent wrote stands between fences, in outputs that flatter as in others."""
    for output in OUTPUTS:
        model = scripted(tmp_path, {"answer": {"q1": {"value": 0, "reason": "no"}}})
        critique(bundle_of(output), made(*QUESTIONS), model)
        outside = _outside(model.questions[0])
        for words in (output.said, *(line for lines in output.changes.values() for line in lines)):
            assert len(words) < 20 or words not in outside


def _outside(prompt: str) -> str:
    """Leave out what stands between fences: a fence ends with the same signs."""
    kept, fence = [], ""
    for line in prompt.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line
        else:
            kept.append(line)
    return "\n".join(kept)
