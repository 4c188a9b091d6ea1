"""The views for people who write SQL say what happened."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.errors import UnknownName
from loopwright.records.budget import Spent, Usage
from loopwright.records.check import Verdict
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Attempt, Reason, Run, Status
from loopwright.records.task import Task
from loopwright.store import Store

from .samples import AT, Says, make_attempt, make_check, make_run, make_step, numbered

CALL, RESULT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT


@pytest.fixture
def run(store: Store) -> Run:
    """Give a run that took two attempts."""
    run = make_run(
        task=Task("Fix the login", [Says("ok")], task_type="bug_fix"),
        profile=Profile(agent="claude_code", model="asked-for"),
        status=Status.DONE,
        reason=Reason.CRITERIA_MET,
        ended_at="2026-01-02T03:05:00.000Z",
        commit="f" * 40,
        spent=Spent(2, 0.5, Usage(1, 2, 3, 4), 30.5),
    )
    store.add_run(run, make_step(run))
    return run


@pytest.fixture
def attempts(store: Store, run: Run) -> list[Attempt]:
    step = store.step(run.id)
    made = [
        make_attempt(step, number, environment=Environment(agent="claude_code", model=f"model-{number}"))
        for number in (1, 2)
    ]
    for attempt in made:
        store.save_attempt(attempt)
    return made


def other_run(store: Store) -> Run:
    """Put a run beside it whose rows must not be seen."""
    other = make_run(started_at="2026-02-01T00:00:00.000Z")
    store.add_run(other, make_step(other))
    error = Event(
        RESULT, "other", "Bash", "1", command="other", is_error=True, error_kind="EXIT_ERROR", duration_s=100.0
    )
    store.append_events(other.id, numbered(Event(CALL, tool="Bash", call_id="1"), error))
    store.add_checks([make_check(other.id, 9)])
    return other


def test_run_summary_has_one_row_a_run(store: Store, run: Run, attempts: list[Attempt]) -> None:
    """A run's summary holds its end, its cost, the checks of its last iteration, its errors and its calls."""
    other = other_run(store)
    last = attempts[1].id
    store.add_checks([make_check(run.id, 0, Verdict.FAIL), make_check(run.id, 1, Verdict.FAIL)])
    verdicts = (Verdict.PASS, Verdict.PASS, Verdict.FAIL, Verdict.TAINTED, Verdict.UNVERIFIABLE)
    store.add_checks([make_check(run.id, 2, verdict, attempt_id=last) for verdict in verdicts])
    call, failed = Event(CALL, tool="Bash"), Event(RESULT, is_error=True, error_kind="EXIT_ERROR")
    verdict = Event(EventKind.VERDICT, "red", is_error=True)
    store.append_events(run.id, numbered(call, failed, call, Event(RESULT), call, failed, verdict))
    first, second = store.view("run_summary")
    assert first == {
        "run_id": run.id,
        "started_at": AT,
        "ended_at": "2026-01-02T03:05:00.000Z",
        "status": "done",
        "reason": "criteria_met",
        "task_type": "bug_fix",
        "goal": "Fix the login",
        "agent": "claude_code",
        "model": "model-2",
        "iterations": 2,
        "cost_usd": 0.5,
        "tokens_input": 1,
        "tokens_output": 2,
        "tokens_cache_read": 3,
        "tokens_cache_write": 4,
        "duration_s": 30.5,
        "checks_passed": 2,
        "checks_failed": 3,
        "errors": 2,
        "tool_calls": 3,
        "branch": run.branch,
        "commit_hash": "f" * 40,
    }
    assert (second["run_id"], second["checks_passed"], second["errors"]) == (other.id, 1, 1)


def test_run_summary_of_a_run_that_has_done_nothing(store: Store, run: Run) -> None:
    """A run without attempts, events or checks has a row of zeros, and the model that was asked for."""
    (row,) = store.view("run_summary", run.id)
    names = ("iterations", "checks_passed", "checks_failed", "errors", "tool_calls")
    assert [row[name] for name in names] == [0] * 5
    assert (row["agent"], row["model"]) == ("claude_code", "asked-for")


def test_run_summary_passes_over_an_attempt_without_a_model(store: Store, run: Run, attempts: list[Attempt]) -> None:
    """The model is the last one that an attempt saw: one that died early saw none."""
    store.save_attempt(dataclasses.replace(attempts[1], environment=Environment()))
    (row,) = store.view("run_summary", run.id)
    assert row["model"] == "model-1"


def test_errors_lists_what_went_wrong(store: Store, run: Run, attempts: list[Attempt]) -> None:
    """Every normalised error has a row, with the attempt that it happened in; a red verdict is none."""
    other_run(store)
    exit_error = Event(
        *(RESULT, "No such table", "Bash", "1"),
        command="make",
        exit_code=2,
        is_error=True,
        error_kind="EXIT_ERROR",
        fingerprint="feed",
        attempt_id=attempts[1].id,
    )
    parsed = Event(EventKind.ERROR, "overloaded", is_error=True, error_kind="PARSED_ERROR")
    verdict = Event(EventKind.VERDICT, "red", is_error=True)
    store.append_events(run.id, numbered(Event(EventKind.MESSAGE, "fine"), exit_error, verdict, parsed))
    names = ("seq", "at", "attempt", "error_kind", "tool", "fingerprint", "message", "command", "exit_code")
    told = [tuple(row[name] for name in names) for row in store.view("errors", run.id)]
    assert told == [
        (2, AT, 2, "EXIT_ERROR", "Bash", "feed", "No such table", "make", 2),
        (4, AT, None, "PARSED_ERROR", None, None, "overloaded", None, None),
    ]
    assert len(store.view("errors")) == 3


def test_tool_usage_counts_calls_errors_and_time(store: Store, run: Run) -> None:
    """Each tool has a row: how often it was called, how often it failed, how long it took in all and on average."""
    other_run(store)
    store.append_events(
        run.id,
        numbered(
            Event(CALL, tool="Bash", call_id="1"),
            Event(RESULT, tool="Bash", call_id="1", duration_s=1.0),
            Event(CALL, tool="Read", call_id="2"),
            Event(CALL, tool="Bash", call_id="3"),
            Event(RESULT, tool="Bash", call_id="3", duration_s=2.0, is_error=True),
            Event(RESULT, call_id="unheard of", duration_s=9.0),
            Event(EventKind.DENIAL, tool="Bash", is_error=True, duration_s=9.0),
        ),
    )
    assert store.view("tool_usage", run.id) == [
        usage(run, "Bash", calls=2, errors=1, total=3.0, mean=1.5),
        usage(run, "Read", calls=1, errors=0, total=0.0, mean=None),
    ]


def test_tool_usage_joins_a_result_to_the_call_before_it(store: Store, run: Run) -> None:
    """A result that does not name its tool counts for the last call with its id, also where ids are used again."""
    store.append_events(
        run.id,
        numbered(
            Event(CALL, tool="Read", call_id="1"),
            Event(RESULT, call_id="1", duration_s=1.0),
            Event(CALL, tool="Edit", call_id="1"),
            Event(RESULT, call_id="1", duration_s=5.0, is_error=True),
        ),
    )
    assert store.view("tool_usage", run.id) == [
        usage(run, "Edit", calls=1, errors=1, total=5.0, mean=5.0),
        usage(run, "Read", calls=1, errors=0, total=1.0, mean=1.0),
    ]


def usage(run: Run, tool: str, *, calls: int, errors: int, total: float, mean: float | None) -> dict[str, object]:
    counts = {"run_id": run.id, "tool": tool, "calls": calls, "errors": errors}
    return {**counts, "total_duration_s": total, "mean_duration_s": mean}


def test_commands_lists_what_was_run(store: Store, run: Run, attempts: list[Attempt]) -> None:
    """Each command has one row, with its end; one whose end nobody saw has a row without it."""
    other_run(store)
    first, second = (attempt.id for attempt in attempts)
    store.append_events(
        run.id,
        numbered(
            Event(CALL, tool="Bash", call_id="1", command="make", attempt_id=first),
            Event(RESULT, "done", "Bash", "1", command="make", exit_code=0, duration_s=0.5, attempt_id=first),
            Event(CALL, tool="Read", call_id="2", path="x", attempt_id=first),
            Event(CALL, tool="Bash", call_id="3", command="sleep 999", attempt_id=first),
            Event(CALL, tool="Bash", call_id="3", command="false", attempt_id=second),
            Event(RESULT, "", "Bash", "3", command="false", exit_code=1, is_error=True, attempt_id=second),
            Event(CALL, tool="Bash", command="without an id"),
            Event(RESULT, "ok", "Bash", command="without an id"),
        ),
    )
    told = [
        (
            row["seq"],
            row["attempt"],
            row["command"],
            row["exit_code"],
            row["duration_s"],
            row["is_error"],
            row["output"],
        )
        for row in store.view("commands", run.id)
    ]
    assert told == [
        (2, 1, "make", 0, 0.5, False, "done"),
        (4, 1, "sleep 999", None, None, False, ""),
        (6, 2, "false", 1, None, True, ""),
        (8, None, "without an id", None, None, False, "ok"),
    ]
    assert {(row["run_id"], row["at"]) for row in store.view("commands", run.id)} == {(run.id, AT)}


def test_an_unknown_view_is_refused(store: Store) -> None:
    """Only the views can be read this way, and a slip gets a guess."""
    with pytest.raises(UnknownName, match="did you mean `errors`"):
        store.view("error")
    with pytest.raises(UnknownName):
        store.view("runs; DROP TABLE runs")
