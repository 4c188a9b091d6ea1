"""What the loop writes down while it works, and the ends that only it can tell apart."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from pathlib import Path

import pytest

from loopwright import FileCriteria, Result, Task, TestCriteria, resume, run
from loopwright.errors import AgentError, LoopwrightError
from loopwright.process.identity import alive
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
    assert (attempt.number, attempt.ending, attempt.exit_code, attempt.process) == (1, Ending.ERROR, 3, "")
    assert attempt.detail == "exit code 3: trouble"
    assert attempt.output == "some words"
    assert attempt.commit == result.commit
    assert attempt.tree == repo.git("rev-parse", f"{result.branch}^{{tree}}")
    assert attempt.files_changed == "1 file changed, 1 insertion(+), 1 deletion(-)"
    assert attempt.started_at < str(attempt.ended_at)
    assert attempt.duration_s > 0
    assert (attempt.environment.agent, attempt.environment.profile) == ("command", "default")
    assert attempt.environment.interpreter and attempt.environment.platform
    assert sorted(event.kind for event in events) == ["error", "message", *2 * ["note"], "stderr", *3 * ["verdict"]]
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
                    seen.append((attempt.ending, attempt.process))

    work(Task("Fix it", [TEST]), "echo hello; sleep 0.2; echo 42 > answer", watcher=Look())
    assert seen[0][0] is None
    assert alive(str(seen[0][1])) is False


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


TAMPER = "echo 42 > answer; echo '# easier' >> test.sh"
UNDO = "git show $(git rev-list --max-parents=0 HEAD):test.sh > test.sh"


def test_one_warning_and_then_tainted(repo: Repo) -> None:
    """Protected files that stay changed after a warning end the run, whatever is left to spend."""
    result = work(Task("Fix it", [TEST]), TAMPER)
    assert (result.status, result.reason, result.iterations) == (Status.ESCALATED, Reason.TAINTED, 2)
    assert (result.exit_code, "stayed so: test.sh" in result.detail) == (3, True)
    told = (Path(result.artifacts.dir) / "prompts" / "002.md").read_text()
    assert "# Protected files" in told and "- `test.sh` was changed" in told
    assert "+# easier" in Path(result.artifacts.tampering).read_text()
    assert [check.verdict for check in result.checks] == ["tainted"]


def test_warned_and_put_back(repo: Repo) -> None:
    """An agent that puts the files back is done: what counts is what it leaves."""
    result = work(Task("Fix it", [TEST]), f'if [ "$LOOPWRIGHT_ITERATION" = 1 ]; then {TAMPER}; else {UNDO}; fi')
    assert (result.status, result.iterations) == (Status.DONE, 2)
    assert Path(result.artifacts.tampering).read_text() == ""
    assert result.checks[0].proof.tampering == ()


def test_a_second_warning_after_it_was_put_back(repo: Repo) -> None:
    """Only two iterations in a row are too many: in between, the files were as they should be."""
    script = f'case "$LOOPWRIGHT_ITERATION" in 1|3) {TAMPER}; echo 41 > answer;; *) {UNDO};; esac; date +%N >> notes'
    result = work(Task("Fix it", [TEST], max_iterations=4), script)
    assert (result.reason, result.iterations) == (Reason.CRITERIA_UNMET, 4)


def test_tainted_goes_before_a_limit(repo: Repo) -> None:
    """A run whose iterations or money end with protected files changed is tainted, with both in its words."""
    result = work(Task("Fix it", [TEST], max_iterations=1), TAMPER)
    assert (result.reason, result.exit_code) == (Reason.TAINTED, 3)
    assert "iterations used up: 1; protected files were changed: test.sh" in result.detail
    line = '{"type": "result", "is_error": false, "result": "ok", "total_cost_usd": 5}'
    result = work(Task("Fix it", [TEST], max_cost=1.0), f"{TAMPER}; echo '{line}'")
    assert (result.reason, result.exit_code, result.iterations) == (Reason.TAINTED, 3, 1)
    assert "protected files were changed: test.sh" in result.detail


def test_tainted_goes_before_a_failure_that_nobody_wants_to_hear_of(repo: Repo) -> None:
    """Where an unmet run is not put into the queue, a tainted one fails with its reason."""
    result = work(Task("Fix it", [TEST], max_iterations=1, escalate_on_failure=False), f"{TAMPER}; echo 41 > answer")
    assert (result.status, result.reason, result.exit_code) == (Status.FAILED, Reason.TAINTED, 3)


def test_a_runner_that_lies_ends_the_run(repo: Repo) -> None:
    """A runner that was found out is put before a person at once: there is nothing to put back."""
    case = "import unittest\nimport code_\nclass A(unittest.TestCase):\n    def test_a(self): code_.check()\n"
    repo.write("test_a.py", case)
    repo.write("code_.py", "def check(): raise ValueError\n")
    repo.commit()
    criterion = TestCriteria(f"{sys.executable} -m unittest", timeout_s=60)
    lie = "printf 'import atexit, os\\natexit.register(os._exit, 0)\\ndef check(): pass\\n' > code_.py"
    result = work(Task("Fix it", [criterion]), lie)
    assert (result.reason, result.iterations) == (Reason.TAINTED, 1)
    assert "was made to fail" in result.detail


def test_an_own_exam_that_is_refused(repo: Repo) -> None:
    """No agent is started where its own file would decide and the settings refuse that."""
    repo.write("loopwright.toml", '[checks]\nself_graded = "refuse"\n')
    repo.commit()
    result = work(Task("x", [TestCriteria("sh mine.sh")]), "echo exit 0 > mine.sh")
    assert (result.reason, result.exit_code, result.iterations) == (Reason.UNVERIFIABLE, 4, 0)


def test_an_environment_that_cannot_be_made(repo: Repo) -> None:
    """A setup command that fails at the base is unverifiable, and nothing is spent."""
    repo.write("loopwright.toml", '[checks]\nplace = "setup"\nsetup = "echo no network; exit 1"\n')
    repo.commit()
    result = work(Task("Fix it", [TEST]), "echo 42 > answer")
    assert (result.reason, result.iterations) == (Reason.UNVERIFIABLE, 0)
    assert "no network" in result.detail


def test_a_reset_that_fails(repo: Repo) -> None:
    """A reset command that fails at the base is unverifiable as well."""
    repo.write("loopwright.toml", '[checks]\nreset = "echo no database; exit 1"\n')
    repo.commit()
    result = work(Task("Fix it", [TEST]), "echo 42 > answer")
    assert (result.reason, result.iterations) == (Reason.UNVERIFIABLE, 0)
    assert "no database" in result.checks[0].evidence


def test_the_agent_finds_its_criteria(repo: Repo, tmp_path: Path) -> None:
    """The note beside the prompt has the visible criteria, the base and the protection, and is written each time."""
    criteria = [TEST, TestCriteria("grep secret-word answer", held_out=True)]
    task = Task("Fix it", criteria, protect=["a/**"], allow=["b"], max_iterations=2)
    result = work(
        task, f"cp $LOOPWRIGHT_CHECK {tmp_path}/$LOOPWRIGHT_ITERATION.json; rm $LOOPWRIGHT_CHECK; date > notes"
    )
    for number in (1, 2):
        text = (tmp_path / f"{number}.json").read_text()
        note = json.loads(text)
        assert (note["repository"], note["base"]) == (str(repo.root), repo.git("rev-parse", "HEAD"))
        assert note["task"]["criteria"] == [{"kind": "test", "command": "sh test.sh"}]
        assert (note["task"]["protect"], note["task"]["allow"]) == (["a/**"], ["b"])
        assert "secret-word" not in text
    assert result.iterations == 2


def test_a_name_that_is_no_text(repo: Repo) -> None:
    """A file whose name is no text is told of, written down and judged like any other."""
    script = "touch \"$(printf '\\377.pth')\"; date +%N > notes"
    result = work(Task("Fix it", [TEST], max_iterations=2), script)
    assert (result.reason, result.iterations) == (Reason.CRITERIA_UNMET, 2)
    assert result.checks[0].proof.left_out == ("\udcff.pth",)
    assert "- `\\udcff.pth`" in (Path(result.artifacts.dir) / "prompts" / "002.md").read_text()
    with stored(repo) as store:
        assert store.checks(result.run_id)[-1].proof.left_out == ("\udcff.pth",)


def test_the_time_of_a_run_ends_a_preflight(repo: Repo) -> None:
    """A check that would take longer than the whole run may take is cut short, and no agent is started."""
    began = time.monotonic()
    result = work(Task("Fix it", [TestCriteria("sleep 303")], timeout_s=0.5), "echo 42 > answer")
    assert time.monotonic() - began < 10
    assert (result.reason, result.exit_code, result.iterations, result.checks) == (Reason.BUDGET, 7, 0, ())


def test_a_check_that_is_cut_short_is_no_verdict(repo: Repo, tmp_path: Path) -> None:
    """A run whose time is up while its work is judged says so, and not that the agent failed; resumed, it is judged."""
    repo.write("slow.sh", f"if [ -e slow ] && [ ! -e {tmp_path}/quick ]; then sleep 300; fi; sh test.sh")
    repo.commit()
    task = Task("Fix it", [TestCriteria("sh slow.sh")], timeout_s=2.5)
    began = time.monotonic()
    result = work(task, "touch slow; echo 42 > answer")
    assert 2 < time.monotonic() - began < 15
    assert (result.reason, result.exit_code, result.iterations) == (Reason.BUDGET, 7, 1)
    with stored(repo) as store:
        assert [check.iteration for check in store.checks(result.run_id)] == [0]
    (tmp_path / "quick").touch()
    again = resume(result.run_id)
    assert (again.reason, again.iterations) == (Reason.CRITERIA_MET, 1)


def test_an_agent_that_uses_up_the_time_is_judged_all_the_same(repo: Repo) -> None:
    """What the checks took at the base is left for them: work that was finished in time counts."""
    task = Task("Fix it", [TestCriteria("sh -c 'sleep 0.5; sh test.sh'")], timeout_s=6)
    result = work(task, "echo 42 > answer; sleep 300")
    assert (result.reason, result.iterations) == (Reason.CRITERIA_MET, 1)
