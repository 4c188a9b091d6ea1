from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from samples import attempt, check

from loopwright import Profile, Task, TestCriteria
from loopwright.records.budget import Spent, Usage
from loopwright.records.check import last_checks
from loopwright.records.run import Ending, Reason, Run, Status
from loopwright.run.artifacts import result_of, write_artifacts


@pytest.fixture
def run(tmp_path: Path) -> Run:
    task = Task("Fix it\nall of it", [TestCriteria("pytest")])
    return Run(
        "01a1e017-c453-786f-a436-02bf2823fb9f",
        task,
        Profile(agent="command", model="m-1"),
        "/repo",
        "b" * 40,
        "loopwright/x",
        "/clones/x",
        str(tmp_path / "runs" / "x"),
        task.budget,
        "2026-01-01T00:00:00.000Z",
        Status.DONE,
        Reason.CRITERIA_MET,
        commit="c" * 40,
        spent=Spent(2, 0.1234567, Usage(1, 2, 3, 4), 12.3456),
    )


def test_the_last_checks() -> None:
    """A result has the checks of the last iteration, the newest for each criterion, at the tree judged last."""
    assert last_checks([]) == []
    old = [check("one", 0), check("two", 0)]
    partial = [check("one", 1)]
    whole = [check("one", 1, "pass"), check("two", 1, "pass")]
    assert last_checks([*old, *partial, *whole]) == whole
    moved = [check("one", 1, tree_hash="by hand")]
    assert last_checks([*old, *whole, *moved]) == moved


def test_the_result_sums_up(run: Run) -> None:
    """Money, tokens, time and iterations are those of the whole run; the checks those of its last iteration."""
    checks = [check("one", 1), check("one", 2, "pass")]
    result = result_of(run, [attempt(1), attempt(2)], checks)
    assert (result.iterations, result.cost_usd, result.duration_s) == (2, 0.123457, 12.346)
    assert result.tokens == Usage(1, 2, 3, 4)
    assert result.checks == (checks[1],)
    assert result.commit == "c" * 40


def test_internals_are_not_in_the_json(run: Run) -> None:
    """The JSON of a check holds what is promised, not how it is stored."""
    data = result_of(run, [attempt(1)], [check("one", 1)]).to_dict()
    assert {"id", "run_id", "attempt_id", "iteration"}.isdisjoint(data["checks"][0])
    assert next(iter(data)) == "schema"
    json.dumps(data)


def test_all_is_written(run: Run) -> None:
    """Diff, output, log and result are written, whatever the agent said."""
    last = attempt(1, output="last words: ü \ud800")
    result = write_artifacts(run, [last], [check("one", 1, "pass")], b"diff \xff bytes")
    assert Path(result.artifacts.diff).read_bytes() == b"diff \xff bytes"
    assert Path(result.artifacts.output).read_text(encoding="utf-8") == "last words: ü ?"
    assert json.loads(Path(result.artifacts.result).read_text()) == json.loads(json.dumps(result.to_dict()))


def test_the_log_tells_of_every_attempt(run: Run) -> None:
    """An attempt that was not judged is in the log too."""
    attempts = [attempt(1, files_changed="1 file changed"), attempt(2, Ending.CANCELLED, detail="interrupted")]
    checks = [check("one", 0), check("one", 1), check("hidden", 1, held_out=True, self_graded=True)]
    result = write_artifacts(run, attempts, checks, b"")
    log = Path(result.artifacts.log).read_text()
    assert "> Fix it\n> all of it" in log
    assert "### Before the start" in log and "### After iteration 1" in log and "### After iteration 2" in log
    assert "1 file changed (finished)" in log and "no file changed (interrupted)" in log
    assert "✗ hidden (held-out, self-graded)" in log
    assert "model `m-1`" in log
    assert "evidence of one at 1" in log


def test_a_run_without_an_attempt(run: Run) -> None:
    """A run that needed no agent has an empty output and a whole result."""
    result = write_artifacts(run, [], [check("one", 0, "pass")], b"")
    assert Path(result.artifacts.output).read_text() == ""
    assert result.iterations == 0
    assert len(result.checks) == 1


def test_what_next(run: Run) -> None:
    """The work is offered where there is any, and only where it is done to be taken."""

    def log(status: Status, reason: Reason, commit: str) -> str:
        ended = replace(run, status=status, reason=reason, commit=commit)
        return Path(write_artifacts(ended, [attempt(1)], [check("one", 1)], b"").artifacts.log).read_text()

    done = log(Status.DONE, Reason.CRITERIA_MET, "c" * 40)
    assert "- 1 iteration, $" in done and "git diff" in done and "loopwright land" in done
    unmet = log(Status.ESCALATED, Reason.STALLED, "c" * 40)
    assert "git diff" in unmet and "git merge" not in unmet
    assert "git diff" not in log(Status.ESCALATED, Reason.STALLED, run.base)
    assert "git diff" not in log(Status.DONE, Reason.ALREADY_MET, run.base)
