"""bench/real_model.py without its model: items, what is asked in a run and for the truth, and what is called right."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import real_model as bench
from loopback import Handler, on_loopback
from loopwright.verify.forecast import smallest_effect
from real_model_items import KINDS, drawn
from real_model_prompts import CONTROL, COPY, PROMPTS
from real_model_server import served
from real_model_trial import Bench, Decided, project_of, task_of
from real_model_truth import Accuracy, true_accuracy

KNOWING = "You know it."


@contextmanager
def a_model(answers: dict[str, str], asked: list[dict[str, Any]]) -> Iterator[str]:
    """Serve a model that knows all answers when it is told so, and else says that it does not."""

    class Model(Handler):
        def post(self) -> None:
            asked.append(json.loads(self.body()))
            told, question = (message["content"] for message in asked[-1]["messages"])
            said = answers[question] if told == KNOWING else "unsure"
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            told_back = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
            self.send_json(200, told_back | {"usage": usage})

    with on_loopback(Model) as url:
        yield f"{url}/v1"


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("sentiment", "positive|negative"),
        ("routing", r"This is about a (payment|defect|password|delivery)\."),
        ("extraction", r"order \d{5}"),
    ],
)
def test_items_are_many_and_each_is_there_once(kind: str, answer: str) -> None:
    """The bank has none of the rest; they are the same at each call, and each answer can be given."""
    bank, rest = drawn(KINDS[kind], 80, 300)
    assert (bank, rest) == drawn(KINDS[kind], 80, 300)
    assert drawn(KINDS[kind], 50, 300)[1] == rest
    assert len({item.text for item in [*bank, *rest]}) == 380
    assert all(re.fullmatch(answer, item.answer) for item in rest)
    assert kind == "extraction" or min(Counter(item.answer for item in rest).values()) > 50
    assert not any("{" in item.text or "  " in item.text for item in rest)


def test_the_order_number_is_in_the_message_once() -> None:
    """What is to be found can be found, and nothing else of the message is the order's number."""
    _, rest = drawn(KINDS["extraction"], 0, 300)
    assert all(item.text.count(item.answer.removeprefix("order ")) == 1 for item in rest)


def test_a_run_and_the_truth_ask_the_same(tmp_path: Path) -> None:
    """Real runs in a real experiment send the same words and settings as who asks for the truth."""
    bank, _ = drawn(KINDS["sentiment"], 2, 0)
    asked: list[dict[str, Any]] = []
    prompts = {CONTROL: "Judge.", "knowing": KNOWING, COPY: "Judge."}
    with (
        a_model({item.text: item.answer for item in bank}, asked) as url,
        project_of(tmp_path / "project", prompts, url) as project,
        asyncio.Runner() as runner,
    ):
        told: list[str] = []
        work = Bench(project, 2, told.append)
        work.fill(bank)
        assert asked == []
        assert work.decide("knowing", 50) == Decided("continue at 2", 2, pytest.approx(1.596), 2, 0)
        in_runs = {json.dumps(one, sort_keys=True) for one in asked}
        asked.clear()
        profiles = project.settings.profiles
        assert true_accuracy(profiles["knowing"], bank, runner) == Accuracy(2, 2)
        assert true_accuracy(profiles[CONTROL], bank, runner) == Accuracy(0, 2)
        assert {json.dumps(one, sort_keys=True) for one in asked} == in_runs
        assert len(in_runs) == 4 and all('"temperature": 0.3' in one and "tools" not in one for one in in_runs)
        assert profiles[COPY].system_prompt == profiles[CONTROL].system_prompt


def test_the_right_answer_is_held_out() -> None:
    """No prompt could give it away."""
    item = drawn(KINDS["routing"], 1, 0)[0][0]
    shown, hidden = task_of(item).criteria
    assert (shown.held_out, hidden.held_out) == (False, True)
    assert item.answer not in shown.describe()


@pytest.mark.parametrize(
    ("arm", "decision", "hits", "verdict"),
    [
        ("labels", "promote", 60, "right"),
        ("labels", "promote", 50, "WRONG"),
        ("labels", "promote", 40, "WRONG"),
        (COPY, "promote", 60, "WRONG"),
        (COPY, "no difference", 80, "right"),
        ("labels", "no difference", 52, "right"),
        ("labels", "no difference", 20, "right"),
        ("labels", "no difference", 95, "missed"),
        ("labels", "continue at 80", 95, "missed"),
    ],
)
def test_what_is_called_right(arm: str, decision: str, hits: int, verdict: str) -> None:
    """A promotion has to be of what is better; who is not promoted was missed only where that could be seen."""
    assert 0.1 < smallest_effect(80) < 0.4
    row = bench.Row("sentiment", arm, Decided(decision, 80, 1.0, 9, 9), Accuracy(hits, 100), Accuracy(50, 100), 80)
    assert row.verdict == verdict
    assert str(row).split()[:2] == ["sentiment", arm] and str(row).endswith(verdict)


def test_arms_are_easily_chosen(tmp_path: Path) -> None:
    """All, a few, or those of a kind; a file adds one more."""
    assert bench.chosen(False, [], []) == PROMPTS
    assert {kind: list(arms) for kind, arms in bench.chosen(True, [], []).items()} == {
        "sentiment": [CONTROL, "labels", COPY]
    }
    (tmp_path / "mine.txt").write_text("Think first.")
    found = bench.chosen(False, ["routing"], [f"routing:mine={tmp_path / 'mine.txt'}"])
    assert found == {"routing": {**PROMPTS["routing"], "mine": "Think first."}}
    assert list(bench.chosen(True, ["extraction"], [])["extraction"]) == [CONTROL, "labels"]
    with pytest.raises(SystemExit, match="KIND:NAME=FILE"):
        bench.chosen(True, [], ["routing:mine=nowhere"])
    assert all(CONTROL in arms for arms in PROMPTS.values())
    assert all(PROMPTS[kind][COPY] == PROMPTS[kind][CONTROL] for kind in ("sentiment", "routing"))


def test_without_the_model_one_is_told_how_to_get_it() -> None:
    """An interpreter that has no model ends the benchmark with a hint."""
    with pytest.raises(SystemExit, match="pip install"), served(KINDS["sentiment"].form, "false", 1):
        pass
