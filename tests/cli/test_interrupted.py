from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, alive, prompts, start, wait_for

TEST = ("--test", "sh test.sh")
BUSY = agent("date +%N >> notes")
"""Always changes something, and never what is asked for."""


def slow_at_first(trace: Path) -> list[str]:
    """Give an agent that leaves half of its work at its first go, with its process in a file, and then does it all."""
    return agent(
        'if [ "$LOOPWRIGHT_ITERATION" = 1 ]; then',
        f"  echo half > notes; echo $$ > {trace}.new; mv {trace}.new {trace}; sleep 60",
        "fi",
        "echo 42 > answer",
    )


def test_at_work(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """While a run works, it can be neither resumed nor closed nor cleared away; the process is named."""
    trace = tmp_path / "trace"
    waiting = agent(f"touch {trace}", f"while [ -e {trace} ]; do sleep 0.05; done", "echo 42 > answer")
    process = start("run", "Fix it", *TEST, *waiting, "--json", cwd=repo.root)
    wait_for(trace.exists)
    for command in (["resume", "last"], ["close", "last", "--reason", "x"]):
        called = loopwright(*command)
        assert called.code == 1
        assert f"process {process.pid}" in called.err
        assert "hint: " in called.err
    assert loopwright("runs", "--json").json[0]["status"] == "running"
    assert "removed clones: 0" in loopwright("gc").err
    trace.unlink()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert json.loads(out)["status"] == "done"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_goes_on(repo: Repo, loopwright: Loopwright, tmp_path: Path, number: signal.Signals) -> None:
    """130: a signal ends the run cleanly, its work is on the branch, and resume goes on from there."""
    trace = tmp_path / "trace"
    process = start("run", "Fix it", *TEST, *slow_at_first(trace), "--max-iterations", 1, "--json", cwd=repo.root)
    pid = int(wait_for(lambda: trace.exists() and trace.read_text()))
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    result = json.loads(out)
    assert (result["status"], result["iterations"]) == ("cancelled", 1)
    assert repo.show(result["branch"], "notes") == "half"
    assert not Path(f"/proc/{pid}").exists()
    assert repo.statuses() == ["cancelled"]
    assert "interrupted" in Path(result["artifacts"]["log"]).read_text()
    called = loopwright("resume", result["run_id"], "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert repo.show(result["branch"], "notes") == "half"
    assert "Attempt 1 (interrupted): 1 file changed" in prompts(called.json)[1]


def test_ctrl_c_reaches_the_whole_group(repo: Repo, tmp_path: Path) -> None:
    """Ctrl-C at a terminal reaches every process of the group at once, and the run still ends cleanly."""
    trace = tmp_path / "trace"
    slow = agent("echo half > notes", f"touch {trace}", "sleep 60")
    process = start("run", "Fix it", *TEST, *slow, "--json", cwd=repo.root, start_new_session=True)
    wait_for(trace.exists)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert repo.show(json.loads(out)["branch"], "notes") == "half"


def test_interrupted_before_the_agent_began(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run that is interrupted in its preflight is looked at from the beginning when it is resumed."""
    trace = tmp_path / "trace"
    repo.write("slow.sh", f"[ -e {trace}.go ] || {{ touch {trace}; sleep 60; }}\n")
    repo.commit()
    flags = ("--test", "true", "--test", "sh slow.sh", *agent(f"touch {trace}.agent"))
    process = start("run", "x", *flags, "--json", cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    Path(f"{trace}.go").touch()
    called = loopwright("resume", json.loads(out)["run_id"], "--json")
    assert (called.code, called.json["reason"]) == (0, "already_met")
    assert [check["criterion"] for check in called.json["checks"]] == ["test true", "test sh slow.sh"]
    assert not Path(f"{trace}.agent").exists()


def test_interrupted_while_it_is_judged(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Work that was finished but not judged is judged when the run is resumed, before an agent is paid again."""
    trace = tmp_path / "trace"
    repo.write("slow.sh", f"grep -qx 42 answer || exit 1; [ -e {trace}.go ] || {{ touch {trace}; sleep 60; }}\n")
    repo.commit()
    process = start("run", "x", "--test", "sh slow.sh", *agent("echo 42 > answer"), "--json", cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    Path(f"{trace}.go").touch()
    called = loopwright("resume", json.loads(out)["run_id"], "--json")
    assert (called.code, called.json["reason"], called.json["iterations"]) == (0, "criteria_met", 1)


def test_interrupted_twice(repo: Repo, tmp_path: Path) -> None:
    """A second Ctrl-C does not wait for the run's own end, and leaves no run that looks as if it were at work."""
    trace = tmp_path / "trace"
    repo.write("deaf.sh", f"trap '' TERM INT; touch {trace}; while true; do sleep 0.1; done\n")
    repo.commit()
    process = start("run", "x", "--test", "sh deaf.sh", *BUSY, cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)  # two at once would be one
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.endswith("interrupted; go on with what was at work: loopwright resume --all\n")
    assert repo.statuses() == ["cancelled"]


def test_work_that_was_interrupted_twice_is_on_the_branch(repo: Repo, tmp_path: Path) -> None:
    """What an agent wrote that was not given its grace is brought home all the same."""
    trace = tmp_path / "trace"
    deaf = agent("trap '' TERM INT", "echo half > notes", f"touch {trace}", "while true; do sleep 0.1; done")
    process = start("run", "x", *TEST, *deaf, cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)  # two at once would be one
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    [(branch, commit)] = repo.query("SELECT branch, commit_hash FROM runs")
    assert repo.show(branch, "notes") == "half"
    assert repo.git("rev-parse", branch) == commit


def test_a_killed_run(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """After kill -9 no agent lives on, the run shows as cancelled, its work is on the branch, and it can go on."""
    result_branch, pid = _kill(repo, tmp_path)
    wait_for(lambda: not Path(f"/proc/{pid}").exists())
    row = loopwright("runs", "--json").json[0]
    assert (row["status"], row["branch"]) == ("cancelled", result_branch)
    assert "loopwright resume" in row["detail"]
    assert repo.show(result_branch, "notes") == "half"
    called = loopwright("resume", "last", "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert repo.show(result_branch, "notes") == "half"
    assert [attempt["ending"] for attempt in loopwright("show", "--json").json["attempts"]] == ["lost", "finished"]


def test_a_killed_run_that_is_resumed_at_once(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What is granted to a killed run is granted beyond the attempt that was lost."""
    branch, _ = _kill(repo, tmp_path)
    called = loopwright("resume", "last", "--max-iterations", 1, "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert repo.show(branch, "notes") == "half"


def test_a_killed_run_that_is_cleared_away_keeps_its_work(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """gc brings home what only a clone holds before it removes the clone."""
    branch, _ = _kill(repo, tmp_path)
    assert "removed clones: 1" in loopwright("gc").err
    assert repo.show(branch, "notes") == "half"
    assert loopwright("resume", "last").code == 0


def _kill(repo: Repo, tmp_path: Path) -> tuple[str, int]:
    """Kill a run whose agent has written something; give its branch and the agent's process."""
    trace = tmp_path / "trace"
    process = start("run", "Fix it", *TEST, *slow_at_first(trace), "--max-iterations", 1, cwd=repo.root)
    pid = int(wait_for(lambda: trace.exists() and trace.read_text()))
    process.kill()
    process.communicate(timeout=30)
    assert repo.statuses() == ["running"]
    return repo.query("SELECT branch FROM runs")[0][0], pid


def test_all_but_old_ones(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What was interrupted long ago is not begun again by surprise; it says so, and how to."""
    _kill(repo, tmp_path)
    loopwright("runs")
    with closing(sqlite3.connect(repo.root / ".loopwright/store.sqlite")) as connection:
        connection.execute("UPDATE runs SET ended_at = '2026-01-01T00:00:00.000Z'")
        connection.commit()
    called = loopwright("resume", "--all")
    assert called.code == 0
    assert "1 that ended longer ago stay as they are; --since" in called.err
    assert repo.statuses() == ["cancelled"]
    assert loopwright("resume", "--all", "--since", "9999d").code == 0
    assert repo.statuses() == ["done"]


def test_an_agent_that_hides_from_its_killed_keeper(repo: Repo, tmp_path: Path) -> None:
    """It kills the process that keeps it, with a child in a session and an environment of its own: that ends, too."""
    trace = tmp_path / "trace"
    hides = agent(
        f"env -i setsid sh -c 'echo $$ > {trace}.new; mv {trace}.new {trace}; sleep 60' &",
        f"while [ ! -e {trace} ]; do sleep 0.05; done",
        "kill -9 $PPID",
        "sleep 60",
    )
    process = start("run", "x", *TEST, *hides, "--max-iterations", 1, "--sandbox", "off", cwd=repo.root)
    process.communicate(timeout=60)
    assert process.returncode == 5
    assert not alive(int(trace.read_text()))
