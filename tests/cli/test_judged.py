"""What was thought of a run, on the screen."""

from __future__ import annotations

import pytest

from loopwright.cli.judged import critic_line, print_evaluation, print_judged
from loopwright.records.evaluation import Evaluation, ItemResult
from loopwright.records.feedback import Feedback
from store.samples import make_attempt, make_run, make_step

STEP = make_step(make_run())
ATTEMPTS = [make_attempt(STEP, number, started_at=f"2026-01-0{number}T00:00:00.000Z") for number in (1, 2)]


def view(identity: str, day: int, **changes: object) -> Evaluation:
    told = {"passed": False, "score": 10.0, "reason": "a note:\nmissing", "rubric": "chore 1", "by": "critic"} | changes
    return Evaluation(identity, STEP.run_id, f"2026-01-0{day}T12:00:00.000Z", "chore", **told)  # type: ignore[arg-type]


def test_one_line_for_each_attempt(capsys: pytest.CaptureFixture[str]) -> None:
    """Each attempt has its newest one by a rubric, in order; what other programs sent stands elsewhere."""
    old, new = view("a", 1, score=3.333), view("b", 1, passed=None, score=None)
    print_judged([old, new, view("c", 2, rubric=""), view("d", 2, passed=True)], ATTEMPTS, [])
    assert capsys.readouterr().out.splitlines() == [
        "  iteration 1, critic: not decided, no score by chore 1: a note: missing",
        "  iteration 2, critic: pass, 10.00 of 10 by chore 1: a note: missing",
    ]


def test_one_attempt_needs_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a single attempt each rubric has its line; humans come after that."""
    word = Feedback("f", STEP.run_id, "2026-01-03T00:00:00.000Z", True, "fine\n\x1b[2Jwork", "Ada")
    print_judged([view("a", 1), view("b", 1, rubric="docs 1", rubric_hash="x")], ATTEMPTS[:1], [word])
    first, second, human = capsys.readouterr().out.splitlines()
    assert "critic: fail, 10.00 of 10 by chore 1" in first and "docs 1" in second and "iteration" not in first
    assert human.endswith("up by Ada: fine work")


def test_a_long_one_is_cut_between_words() -> None:
    """No word is torn, and it shows that something is missing."""
    line = critic_line(view("a", 1, reason="something " * 50).line)
    assert len(line) <= 200 and line.endswith(" something…")


def test_each_item(capsys: pytest.CaptureFixture[str]) -> None:
    """All items stand there with their scores in two decimals; markup in a name is words."""
    items = [ItemResult("[red]a", 10.0, True, "so", 5.0, True), ItemResult("b", None, None, "no model")]
    print_evaluation(view("a", 1, items=items, model="m", cost_usd=0.5))
    shown = capsys.readouterr().out
    assert "fail, 10.00 of 10 by chore 1" in shown and "✓ 10.00 of 10  [red]a (×5, must)" in shown
    assert "?    no score  b (×1)" in shown and "answered by m · $0.5000" in shown
