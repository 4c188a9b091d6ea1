"""What the loop writes down while it works, and the ends that only it can tell apart."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from loopwright import FileCriteria, Result, Task, TestCriteria, resume, run
from loopwright.errors import AgentError, LoopwrightError
from loopwright.records.event import EventKind
from loopwright.records.run import Ending, Reason, Run, Status
from loopwright.registry import kinds
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody
from world import Repo

TEST = TestCriteria("sh test.sh")


def work(task: Task, script: str, **more: object) -> Result:
    return run(task, agent_options={"command": script, "shell": True}, **more)  # type: ignore[arg-type]


def stored(repo: Repo) -> Store:
    return open_store(repo.root / ".loopwright" / "store.sqlite", kinds)


def test_what_is_written_of_an_attempt(repo: Repo) -> None:
    """An attempt is stored with its end, its commit and tree, what changed, its words, its time and where it ran."""
    result = work(Task("Fix it", [TEST]), "echo 42 > answer; echo some words; echo trouble >&2; exit 3")
    with stored(repo) as store:
        (attempt,) = store.attempts(result.run_id)
        events = store.events(result.run_id)
    assert (attempt.number, attempt.ending, attempt.exit_code, attempt.pid) == (1, Ending.ERROR, 3, None)
    assert attempt.detail == "exit code 3: trouble"
    assert attempt.output == "some words"
    assert attempt.commit == result.commit
    assert attempt.tree == repo.git("rev-parse", f"{result.branch}^{{tree}}")
    assert attempt.files_changed == "1 file changed, 1 insertion(+), 1 deletion(-)"
    assert attempt.started_at < str(attempt.ended_at)
    assert attempt.duration_s > 0
    assert (attempt.environment.agent, attempt.environment.profile) == ("command", "default")
    assert attempt.environment.interpreter and attempt.environment.platform
    assert sorted(event.kind for event in events) == ["error", "message", "note", "stderr", "verdict", "verdict"]
    error = next(event for event in events if event.kind is EventKind.ERROR)
    assert (error.error_kind, error.exit_code, error.text) == ("EXIT_ERROR", 3, "trouble")
    assert error.fingerprint


def test_an_attempt_is_written_before_it_starts(repo: Repo) -> None:
    """While the agent works, the store already says so, with the process that can be ended."""
    seen: list[tuple[object, object]] = []

    class Look(Nobody):
        def event(self, run: Run, event: object) -> None:
            with stored(repo) as store:
                for attempt in store.attempts(run.id):
                    seen.append((attempt.ending, attempt.pid))

    work(Task("Fix it", [TEST]), "echo hello; sleep 0.2; echo 42 > answer", watcher=Look())
    assert seen[0][0] is None
    assert isinstance(seen[0][1], int)


def test_what_can_no_longer_be_judged_is_unverifiable(repo: Repo, tmp_path: Path) -> None:
    """When all that fails can't be judged any more, the agent is not sent after it."""
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\ngrep -qx 42 answer\n")
    tool.chmod(0o755)
    result = work(Task("Fix it", [TestCriteria(str(tool))]), f"echo 42 > answer; rm {tool}")
    assert (result.status, result.reason, result.exit_code, result.iterations) == ("escalated", "unverifiable", 4, 1)
    tool.write_text("#!/bin/sh\nexit 1\n")
    tool.chmod(0o755)
    both = Task("Fix it", [TestCriteria(str(tool)), TEST], max_iterations=2)
    result = work(both, f"date +%N >> notes; rm -f {tool}")
    assert (result.reason, result.iterations) == (Reason.CRITERIA_UNMET, 2)


def test_a_flaky_test_is_marked_and_sends_nobody_on_a_hunt(repo: Repo, tmp_path: Path) -> None:
    """A test that fails and passes at the same tree passes, and is said to be flaky."""
    marker = tmp_path / "marker"
    repo.write("flaky.sh", f"grep -qx 42 answer || exit 1; [ -e {marker} ] || {{ touch {marker}; exit 1; }}\n")
    repo.commit()
    result = work(Task("Fix it", [TestCriteria("sh flaky.sh")]), "echo 42 > answer")
    assert (result.status, result.iterations) == (Status.DONE, 1)
    assert result.checks[0].flaky is True


def test_a_criterion_that_breaks_is_unverifiable(repo: Repo) -> None:
    """A criterion that raises is a verdict, not a crash."""

    @dataclasses.dataclass(frozen=True)
    class Broken(FileCriteria):
        def evaluate(self, room: object) -> object:  # type: ignore[override]
            raise RuntimeError("boom")

    result = work(Task("x", [Broken("answer")]), "true")
    assert (result.exit_code, result.reason) == (4, "unverifiable")
    assert "boom" in result.checks[0].evidence


def test_an_error_on_the_way_leaves_a_run_that_can_go_on(repo: Repo) -> None:
    """When something of ours breaks, the run is cancelled with what happened, and nothing of the agent is lost."""

    class Breaks(Nobody):
        def checked(self, run: Run, checks: object) -> None:
            if run.commit != run.base:
                raise RuntimeError("the watcher broke")

    with pytest.raises(RuntimeError, match="the watcher broke"):
        work(Task("Fix it", [TEST]), "echo 40 > answer", watcher=Breaks())
    with stored(repo) as store:
        (found,) = store.runs()
    assert (found.status, found.detail) == (Status.CANCELLED, "the watcher broke")
    assert repo.show(found.branch, "answer") == "40"


def test_a_program_that_is_not_there(repo: Repo) -> None:
    """An agent whose program is missing in the clone ends the run with an error that names it."""
    with pytest.raises(AgentError, match=r"`\./gone`"):
        run(Task("Fix it", [TEST]), agent_options={"command": "./gone"})
    with stored(repo) as store:
        (found,) = store.runs()
        (attempt,) = store.attempts(found.id)
    assert (found.status, found.reason) == (Status.CANCELLED, Reason.AGENT_FAILED)
    assert attempt.ending is Ending.ERROR


def test_output_that_is_no_text(repo: Repo) -> None:
    """An agent that prints bytes, endless lines and half of a JSON line is followed to its end."""
    script = "head -c 300000 /dev/zero | tr '\\0' x; printf '\\377\\376\\n{\"type\": \"assistant\"'; echo 42 > answer"
    assert work(Task("Fix it", [TEST]), script).status == "done"


def test_signs_in_a_goal(repo: Repo) -> None:
    """Quotes, newlines and other signs in a goal reach the agent and the commit as they are."""
    goal = "Fix \"it\" -- $HOME `x` 'y'\n\n\t- and \\this"
    result = work(Task(goal, [TEST]), "cat > goal.txt; echo 42 > answer")
    assert goal in repo.show(result.branch, "goal.txt")
    assert repo.git("log", "-1", "--format=%b", result.branch) == goal.strip()


def test_a_message_that_git_would_not_take(repo: Repo) -> None:
    """A goal that looks like a comment to git is kept all the same."""
    result = work(Task("# 42 is the answer", [TEST]), "echo 42 > answer")
    assert "# 42 is the answer" in repo.git("log", "-1", "--format=%B", result.branch)


def test_limits_are_checked_before_the_first_iteration(repo: Repo) -> None:
    """A time that is over before the agent could begin starts no agent."""
    result = work(Task("Fix it", [TEST], timeout_s=0.001), "touch ran")
    assert (result.exit_code, result.iterations) == (7, 0)


def test_no_lock_is_left(repo: Repo) -> None:
    """A run that has ended can be taken up in the same process, over and over."""
    result = work(Task("Fix it", [TEST], max_iterations=1), "true")
    for number in (2, 3):
        assert resume(result.run_id).iterations == number
    with pytest.raises(LoopwrightError):
        resume("not-a-run")
