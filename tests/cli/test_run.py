from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from world import PROGRAM, Loopwright, Repo, agent, prompts

FIX = agent("echo 42 > answer", "echo fixed it")
TEST = ("--test", "sh test.sh")

RESULT = {
    "schema": int,
    "run_id": str,
    "status": str,
    "reason": str,
    "iterations": int,
    "cost_usd": float,
    "tokens": dict,
    "duration_s": float,
    "checks": list,
    "branch": str,
    "commit": str,
    "artifacts": dict,
}
CHECK = {
    "criterion": str,
    "kind": str,
    "verdict": str,
    "held_out": bool,
    "self_graded": bool,
    "flaky": bool,
    "accounting": (str, type(None)),
    "evidence": str,
    "criterion_hash": str,
    "tree_hash": str,
    "command": (str, type(None)),
    "exit_code": (int, type(None)),
    "output_hash": (str, type(None)),
    "duration_s": float,
}


def test_json_has_every_field_with_its_type(repo: Repo, loopwright: Loopwright) -> None:
    """`run --json` prints every field that is promised, with the promised types."""
    called = loopwright("run", "Fix the answer", *TEST, "--file", "answer:size>=3", *FIX, "--json")
    result = called.json
    assert {name: isinstance(result[name], kind) for name, kind in RESULT.items()} == dict.fromkeys(RESULT, True)
    assert result["schema"] == 1
    assert result["tokens"] == {"input": 0, "output": 0, "cache_read": 0, "cache_write": 0}
    assert len(result["checks"]) == 2
    for check in result["checks"]:
        assert {name: isinstance(check[name], kind) for name, kind in CHECK.items()} == dict.fromkeys(CHECK, True)
    test, file = result["checks"]
    assert (test["kind"], test["command"], test["exit_code"], test["accounting"]) == (
        "test",
        "sh test.sh",
        0,
        "exit_code",
    )
    assert (file["kind"], file["command"], file["exit_code"], file["accounting"]) == ("file", None, None, None)
    assert {test["verdict"], file["verdict"]} == {"pass"}
    assert re.fullmatch(r"[0-9a-f]{64}", test["criterion_hash"])
    assert re.fullmatch(r"[0-9a-f]{64}", test["output_hash"])
    assert test["tree_hash"] == repo.git("rev-parse", f"{result['branch']}^{{tree}}")
    assert result["commit"] == repo.git("rev-parse", result["branch"])
    assert set(result["artifacts"]) == {"dir", "diff", "tampering", "log", "output", "result"}
    assert all(Path(path).is_absolute() and Path(path).exists() for path in result["artifacts"].values())


def test_stdout_is_one_json_object_and_progress_is_on_stderr(repo: Repo) -> None:
    """As a process of its own, `run --json` puts one JSON object on stdout, and everything else on stderr."""
    done = subprocess.run(
        [*PROGRAM, "run", "Fix the answer", *TEST, *FIX, "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == "done"
    assert done.stdout.startswith("{\n") and done.stdout.endswith("}\n")
    assert "Fix the answer" in done.stderr
    assert "iteration 1 of 12" in done.stderr
    assert "✓ test sh test.sh" in done.stderr


def test_without_json_the_end_is_told_with_what_to_do_next(repo: Repo, loopwright: Loopwright) -> None:
    """A person reads how it ended, where the diff and the log are, and the next command."""
    called = loopwright("run", "Fix the answer", *TEST, *FIX)
    assert called.code == 0
    assert "done (criteria_met)" in called.out
    assert "changes.diff" in called.out and "completion.md" in called.out
    assert "git merge loopwright/" in called.out


def end(called: object) -> tuple[object, ...]:
    assert hasattr(called, "json")
    return called.code, called.json["status"], called.json["reason"]  # type: ignore[attr-defined]


def test_done(repo: Repo, loopwright: Loopwright) -> None:
    """0: every criterion holds."""
    called = loopwright("run", "Fix the answer", *TEST, *FIX, "--json")
    assert end(called) == (0, "done", "criteria_met")
    assert called.json["iterations"] == 1


def test_already_met(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """0: what holds at the base is done at once, and no agent is started."""
    trace = tmp_path / "trace"
    called = loopwright("run", "Nothing to do", "--file", "answer", *agent(f"touch {trace}"), "--json")
    assert end(called) == (0, "done", "already_met")
    assert called.json["iterations"] == 0
    assert not trace.exists()
    assert called.json["commit"] == repo.git("rev-parse", "HEAD")
    assert [check["verdict"] for check in called.json["checks"]] == ["pass"]
    assert Path(called.json["artifacts"]["diff"]).read_bytes() == b""


def test_held_out_criteria_count_for_already_met(repo: Repo, loopwright: Loopwright) -> None:
    """A base at which a held-out criterion does not hold is not done."""
    held_out = ("--held-out-test", "sh test.sh")
    called = loopwright("run", "Fix it", "--file", "answer", *held_out, *FIX, "--json")
    assert end(called) == (0, "done", "criteria_met")
    assert called.json["iterations"] == 1


def test_unverifiable(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """4: a test whose program is not on this machine can't be judged, and nothing is spent on it."""
    trace = tmp_path / "trace"
    called = loopwright("run", "Fix it", "--test", "no-such-runner -q", *agent(f"touch {trace}"), "--json")
    assert end(called) == (4, "escalated", "unverifiable")
    assert "no-such-runner" in called.json["detail"]
    assert [check["verdict"] for check in called.json["checks"]] == ["unverifiable"]
    assert not trace.exists()


def test_iterations_used_up(repo: Repo, loopwright: Loopwright) -> None:
    """5: the agent tried as often as it may."""
    called = loopwright("run", "Fix it", *TEST, *agent("date +%N >> notes"), "--max-iterations", 2, "--json")
    assert end(called) == (5, "escalated", "criteria_unmet")
    assert called.json["iterations"] == 2
    assert called.json["detail"] == "iterations used up: 2"
    called = loopwright("run", "Fix it", *TEST, *agent("no-such-program"), "--max-iterations", 2, "--json")
    assert called.json["detail"].startswith("iterations used up: 2; the last attempt failed: exit code 127")


def test_stalled(repo: Repo, loopwright: Loopwright) -> None:
    """5: three iterations that leave the same files and the same failures are enough."""
    called = loopwright("run", "Fix it", *TEST, *agent("echo I did it"), "--json")
    assert end(called) == (5, "escalated", "stalled")
    assert called.json["iterations"] == 3


def test_agent_failed(repo: Repo, loopwright: Loopwright) -> None:
    """5: an agent that fails three times in a row and changes nothing has failed."""
    called = loopwright("run", "Fix it", *TEST, *agent("echo no credit left >&2; exit 3"), "--json")
    assert end(called) == (5, "escalated", "agent_failed")
    assert "no credit left" in called.json["detail"]


def test_impossible(repo: Repo, loopwright: Loopwright) -> None:
    """5: an agent that says why it can't be done is believed so far that a person looks at it."""
    called = loopwright("run", "Fix it", *TEST, *agent("echo 'impossible, because 41 is prime'"), "--json")
    assert end(called) == (5, "escalated", "impossible")
    assert called.json["iterations"] == 1
    assert called.json["detail"] == "41 is prime"


def test_impossible_is_not_believed_when_the_criteria_hold(repo: Repo, loopwright: Loopwright) -> None:
    """What the agent says never outweighs what is seen."""
    called = loopwright("run", "Fix it", *TEST, *agent("echo 42 > answer; echo IMPOSSIBLE: no way"), "--json")
    assert end(called) == (0, "done", "criteria_met")


def test_no_escalate(repo: Repo, loopwright: Loopwright) -> None:
    """5: with --no-escalate an unmet run is failed, and nobody is asked."""
    called = loopwright("run", "Fix it", *TEST, *agent("true"), "--max-iterations", 1, "--no-escalate", "--json")
    assert end(called) == (5, "failed", "criteria_unmet")
    assert loopwright("queue", "--json").json == []


def assistant(number: int, **usage: int) -> str:
    message = {"id": f"m{number}", "content": [{"type": "text", "text": "working"}], "usage": usage}
    return json.dumps({"type": "assistant", "message": message})


def final(cost: float, **usage: int) -> str:
    return json.dumps(
        {"type": "result", "is_error": False, "result": "ok", "total_cost_usd": cost, "usage": usage, "session_id": "s"}
    )


def test_money_over_all_iterations(repo: Repo, loopwright: Loopwright) -> None:
    """7: what the iterations cost is added up, and the next one is not begun once the money is spent."""
    spends = agent(f"cat <<'END'\n{final(0.4, input_tokens=10)}\nEND", "date +%N >> notes")
    called = loopwright("run", "Fix it", *TEST, *spends, "--max-cost", "1", "--json")
    assert end(called) == (7, "escalated", "budget")
    assert called.json["iterations"] == 3
    assert called.json["cost_usd"] == pytest.approx(1.2)
    assert called.json["tokens"]["input"] == 30


def test_tokens_while_the_agent_runs(repo: Repo, loopwright: Loopwright) -> None:
    """7: an agent is ended as soon as its stream says that the tokens are used up."""
    tokens = {
        "input_tokens": 600,
        "output_tokens": 50,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 100,
    }
    spends = agent("echo half > notes", f"cat <<'END'\n{assistant(1, **tokens)}\nEND", "sleep 60")
    called = loopwright("run", "Fix it", *TEST, *spends, "--max-tokens", "1000", "--json")
    assert end(called) == (7, "escalated", "budget")
    assert called.json["iterations"] == 1
    assert called.json["tokens"] == {"input": 600, "output": 50, "cache_read": 300, "cache_write": 100}
    assert called.json["duration_s"] < 30
    assert repo.show(called.json["branch"], "notes") == "half"


def test_time(repo: Repo, loopwright: Loopwright) -> None:
    """7: --timeout is the wall time of the whole run."""
    called = loopwright("run", "Fix it", *TEST, *agent("sleep 60"), "--timeout", "1.5s", "--json")
    assert end(called) == (7, "escalated", "budget")
    assert called.json["duration_s"] < 30


def test_an_agent_over_budget_that_did_the_work_is_done(repo: Repo, loopwright: Loopwright) -> None:
    """What is left when the money runs out is judged like anything else."""
    spends = agent("echo 42 > answer", f"cat <<'END'\n{final(5, input_tokens=10)}\nEND", "sleep 60")
    called = loopwright("run", "Fix it", *TEST, *spends, "--max-cost", "1", "--json")
    assert end(called) == (0, "done", "criteria_met")
    assert called.json["cost_usd"] == 5


@pytest.mark.parametrize("flags", [(), ("--no-escalate",)])
def test_a_missing_runner_has_its_own_code_either_way(repo: Repo, loopwright: Loopwright, flags: tuple[str]) -> None:
    """4 stands for unverifiable, whether a person is asked or not."""
    assert loopwright("run", "Fix it", "--test", "no-such-runner", *FIX, *flags).code == 4


def test_every_kind_of_flag_makes_its_criterion(repo: Repo, loopwright: Loopwright) -> None:
    """Each criterion flag can be given several times and ends up in the result as its kind."""
    digest = "084c799cd551dd1d8d5c5f9a5d593b2e931f5e36122ee5c793c1d08a19839cc0"
    flags = [
        *("--test", "sh test.sh", "--test", "true"),
        *("--file", "README.md", "--file", "!gone", "--file", f"answer:sha256={digest}"),
        *("--file", "answer:size>=3", "--file", "answer:size<=3", "--file", "answer:size=3"),
        *("--grep", "answer:^42$", "--not-grep", "answer:41"),
        *("--held-out-test", "grep -q 2 answer"),
    ]
    called = loopwright("run", "Fix it", *flags, *FIX, "--json")
    assert called.code == 0
    shown = [(check["kind"], check["criterion"], check["held_out"]) for check in called.json["checks"]]
    assert shown == [
        ("test", "test sh test.sh", False),
        ("test", "test true", False),
        ("file", "file README.md exists", False),
        ("file", "file gone does not exist", False),
        ("file", f"file answer exists, sha256={digest}", False),
        ("file", "file answer exists, size>=3", False),
        ("file", "file answer exists, size<=3", False),
        ("file", "file answer exists, size=3", False),
        ("grep", "grep answer for `^42$`", False),
        ("grep", "grep answer without `41`", False),
        ("test", "test grep -q 2 answer", True),
    ]


def test_a_test_that_the_agent_wrote_is_self_graded(repo: Repo, loopwright: Loopwright) -> None:
    """A criterion whose own file is not there at the base is marked as the agent's own exam."""
    called = loopwright("run", "Write a test", "--test", "sh new_test.sh", *agent("echo true > new_test.sh"), "--json")
    assert called.code == 0
    assert called.json["checks"][0]["self_graded"] is True
    assert loopwright("run", "Fix it", *TEST, *FIX, "--json").json["checks"][0]["self_graded"] is False


def test_the_base_can_be_named(repo: Repo, loopwright: Loopwright) -> None:
    """--base starts from that commit and not from what is checked out."""
    first = repo.git("rev-parse", "HEAD")
    repo.write("later", "x")
    repo.commit()
    called = loopwright("run", "Fix it", *TEST, *FIX, "--base", "HEAD~1", "--json")
    assert called.code == 0
    assert "later" not in repo.files(called.json["branch"])
    assert repo.git("rev-parse", f"{called.json['branch']}~1") == first


def test_another_repository_and_another_home(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """--repo and --home say where the work and the state are, from wherever it is called."""
    sub = repo.root / "deep" / "down"
    sub.mkdir(parents=True)
    called = loopwright("run", "Fix it", *TEST, *FIX, "--repo", sub, "--home", tmp_path / "state", "--json")
    assert called.code == 0
    assert Path(called.json["artifacts"]["dir"]).parent == tmp_path / "state" / "runs"
    assert (tmp_path / "state" / "store.sqlite").is_file()
    assert not (repo.root / ".loopwright").exists()
    assert loopwright("runs", "--json").json == []
    assert len(loopwright("runs", "--home", tmp_path / "state", "--json").json) == 1


@pytest.mark.parametrize("home", [".loopwright", "state", "build/state"])
def test_a_home_inside_of_the_repository_is_kept_out_of_git(repo: Repo, loopwright: Loopwright, home: str) -> None:
    """Wherever the state lies in the repository, git does not see it."""
    assert loopwright("run", "Fix it", *TEST, *FIX, "--home", home).code == 0
    assert repo.git("status", "--porcelain") == ""
    assert (repo.root / home / "store.sqlite").is_file()


def test_the_home_and_the_store_come_from_the_environment(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOOPWRIGHT_HOME moves the state and LOOPWRIGHT_STORE the database."""
    monkeypatch.setenv("LOOPWRIGHT_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("LOOPWRIGHT_STORE", f"sqlite:///{tmp_path / 'db' / 'my.sqlite'}")
    called = loopwright("run", "Fix it", *TEST, *FIX, "--json")
    assert called.code == 0
    assert Path(called.json["artifacts"]["dir"]).is_relative_to(tmp_path / "elsewhere")
    assert (tmp_path / "db" / "my.sqlite").is_file()
    assert not (tmp_path / "elsewhere" / "store.sqlite").exists()


def test_the_agent_gets_what_is_promised(repo: Repo, loopwright: Loopwright) -> None:
    """The prompt is on stdin and in LOOPWRIGHT_PROMPT_FILE; the iteration and the model are in the environment."""
    notes = agent(
        "cat > stdin.txt",
        'cat "$LOOPWRIGHT_PROMPT_FILE" > file.txt',
        'echo "$LOOPWRIGHT_ITERATION $LOOPWRIGHT_MODEL" >> iterations.txt',
    )
    called = loopwright("run", "Fix it", *TEST, *notes, "--model", "small-1", "--max-iterations", 2, "--json")
    branch = called.json["branch"]
    assert repo.show(branch, "iterations.txt").splitlines() == ["1 small-1", "2 small-1"]
    assert repo.show(branch, "stdin.txt") == repo.show(branch, "file.txt") == prompts(called.json)[1].strip()


def test_the_task_type_is_given_or_read_from_the_goal(repo: Repo, loopwright: Loopwright) -> None:
    """--task-type wins; without it the goal's words decide."""
    loopwright("run", "Fix the crash in the answer", "--file", "answer", *FIX)
    loopwright("run", "Fix the crash in the answer", "--file", "answer", *FIX, "--task-type", "docs")
    assert [row["task_type"] for row in loopwright("runs", "--json").json] == ["docs", "bug_fix"]


def test_an_agent_that_uses_too_much(repo: Repo, loopwright: Loopwright) -> None:
    """An agent that is over a limit of the settings is ended; its attempt says so, and the next one may do better."""
    repo.write("loopwright.toml", "[limits]\nprocesses = 20\n")
    greedy = "test -e tried && echo 42 > answer && exit; touch tried; for i in $(seq 100); do sleep 20 & done; wait"
    called = loopwright("run", "Fix the answer", *TEST, *agent(greedy), "--json")
    shown = loopwright("show", called.json["run_id"], "--json").json
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert [(attempt["ending"], attempt["detail"]) for attempt in shown["attempts"]] == [
        ("error", "it had more than 20 processes at a time and was ended"),
        ("finished", ""),
    ]
