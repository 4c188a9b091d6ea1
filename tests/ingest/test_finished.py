"""Runs that other programs have finished."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright
from loopwright.errors import UsageError
from loopwright.ingest.finished import finished_of
from loopwright.records.event import EventKind
from loopwright.records.identity import timestamp
from loopwright.records.run import Status
from loopwright.wire import open_record
from strangers import ANY_JSON, FUZZ, mutated

TOLD: dict[str, Any] = {
    "task_type": "bug_fix",
    "prompt_hash": "abc123",
    "passed": True,
    "score": 0.75,
    "reason": "all tests pass",
    "raw_output": "diff --git",
    "goal": "Fix the login",
    "agent": "my_agent",
    "model": "claude-sonnet-4-5",
    "tokens": {"input": 1000, "output": 100},
    "started_at": "2026-01-02T03:04:05Z",
    "ended_at": "2026-01-02T03:05:05Z",
}


def test_a_run_is_written_down(tmp_path: Path) -> None:
    """It is a run like all others, and a row of the view `agent_runs`."""
    run_id = loopwright.record_run(**TOLD, repo=tmp_path, home=str(tmp_path / "home"))
    record = open_record(tmp_path, str(tmp_path / "home"))
    run = record.store.run(run_id)
    assert (run.status, run.source, run.task.goal) == (Status.OBSERVED, "agent_run", "Fix the login")
    assert (run.prompt_version, run.spent.tokens.input, run.spent.seconds) == ("abc123", 1000, 60.0)
    assert run.spent.cost_usd == pytest.approx(0.0045)
    assert [event.kind for event in record.store.events(run_id)] == [
        *(EventKind.PROMPT, EventKind.USAGE, EventKind.MESSAGE, EventKind.RESULT)
    ]
    assert [dict(row) for row in record.store.view("agent_runs")] == [
        {
            "id": run_id,
            "created_at": "2026-01-02T03:05:05.000Z",
            "task_type": "bug_fix",
            "prompt_hash": "abc123",
            "passed": 1,
            "score": 0.75,
            "reason": "all tests pass",
            "raw_output": "diff --git",
        }
    ]
    record.close()


def test_what_a_program_says_it_cost_counts(tmp_path: Path) -> None:
    """A cost that is given is not computed."""
    run_id = loopwright.record_run("chore", passed=False, cost_usd=1.25, repo=tmp_path, home=str(tmp_path / "home"))
    record = open_record(tmp_path, str(tmp_path / "home"))
    assert record.store.run(run_id).spent.cost_usd == 1.25
    record.close()


def test_the_same_id_is_the_same_run(tmp_path: Path) -> None:
    """What is sent again replaces what was there; other ids are other runs."""
    home = str(tmp_path / "home")
    first = loopwright.record_run("chore", passed=False, id="mine", repo=tmp_path, home=home)
    again = loopwright.record_run("chore", passed=True, id="mine", repo=tmp_path, home=home)
    other = loopwright.record_run("chore", passed=True, id="yours", repo=tmp_path, home=home)
    record = open_record(tmp_path, home)
    assert first == again != other
    assert {one.run_id: one.passed for one in record.store.sent.evaluations()} == {first: True, other: True}
    record.close()


def test_secrets_are_masked(tmp_path: Path) -> None:
    """No field is stored with a secret in it."""
    secret = "ghp_" + "a1B2" * 9
    home = tmp_path / "home"
    loopwright.record_run(
        "x",
        passed=True,
        reason=secret,
        raw_output=secret,
        goal=secret,
        attributes={"k": secret},
        repo=tmp_path,
        home=str(home),
    )
    assert not any(secret.encode() in path.read_bytes() for path in home.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task_type": " "}, "`task_type` is empty"),
        ({"score": 17}, "`17.0` is not possible here in `score`"),
        ({"score": math.nan}, "`nan` is not possible here in `score`"),
        ({"passed": "yes"}, "`yes` should be true or false in `passed`"),
        ({"passed": None, "score": None}, "neither `passed` nor `score` is given"),
        ({"tokens": 5}, "`5` is not a table in `tokens`"),
        ({"tokens": {"input": -1}}, "a number of tokens is less than 0, or too many in `tokens`"),
        ({"tokens": {"inputs": 1}}, "there is no field `inputs` here in `tokens.inputs`"),
        ({"ended_at": "yesterday"}, "`yesterday` is no time in `ended_at`"),
        ({"ended_at": "2020-01-01"}, "`2020-01-01` is before `started_at` in `ended_at`"),
        ({"agent": "a\r\nb"}, "is no name in `agent`"),
        ({"cost_usd": -1}, "`-1.0` is not possible here in `cost_usd`"),
        ({"cost_usd": 1.7e308}, "`1.7e+308` is not possible here in `cost_usd`"),
        ({"started_at": "2999-01-01T00:00:00Z", "ended_at": ""}, "`2999-01-01T00:00:00Z` is not possible here"),
        ({"ended_at": "9999-12-31T23:59:59Z"}, "`9999-12-31T23:59:59Z` is not possible here in `ended_at`"),
        ({"started_at": "0001-01-01T00:00:00Z", "ended_at": "9999-01-01"}, "is not possible here in `started_at`"),
        ({"started_at": "1999-12-31T23:59:59Z"}, "is not possible here in `started_at`"),
        ({"pased": True}, "there is no field `pased` here"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], message: str) -> None:
    """A field with a wrong value is refused, by its name and with the value."""
    with pytest.raises(UsageError) as error:
        finished_of(TOLD | change)
    assert message in error.value.message


def test_a_clock_that_is_ahead_is_now(tmp_path: Path) -> None:
    """A run that ends within the next day ended now, and took as long as it says; a day and more is refused."""
    home, now = str(tmp_path / "home"), time.time()
    told = {"started_at": timestamp(now + 7000), "ended_at": timestamp(now + 7060), "goal": "x"}
    run_id = loopwright.record_run("chore", passed=True, **told, repo=tmp_path, home=home)
    record = open_record(tmp_path, home)
    run = record.store.run(run_id)
    record.close()
    assert timestamp(now) <= (run.ended_at or "") <= timestamp()
    assert timestamp(now - 61) <= run.started_at <= timestamp(time.time() - 59)
    assert run.spent.seconds == pytest.approx(60.0, abs=0.01)
    with pytest.raises(UsageError, match="is not possible here in `ended_at`"):
        finished_of(TOLD | {"ended_at": timestamp(time.time() + 86_500)})


def test_what_is_missing_is_named() -> None:
    """A run without a task type, or that is no object, is refused."""
    with pytest.raises(UsageError, match="`task_type` is missing"):
        finished_of({"passed": True})
    with pytest.raises(UsageError, match="a run is a JSON object"):
        finished_of([])


@FUZZ
@given(st.data())
def test_anything_else_is_refused_or_taken(data: st.DataObject) -> None:
    """Whatever is sent, the answer is a run or what is wrong with it."""
    try:
        finished_of(data.draw(mutated(TOLD) | ANY_JSON))
    except UsageError as error:
        assert error.message
