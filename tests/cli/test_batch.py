from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from world import Loopwright, MakeRepo, Repo, agent, alive, start, wait_for


def tasks(repo: Repo, **texts: str) -> list[str]:
    return [str(repo.write(f"tasks/{name}.toml", text)) for name, text in texts.items()]


DONE = 'goal = "done"\ncriteria = [{ test = "sh test.sh" }]\n'
MET = 'goal = "met"\ncriteria = [{ file = "answer" }]\n'
UNMET = 'goal = "unmet"\nmax_iterations = 1\ncriteria = [{ grep = "answer", pattern = "43" }]\n'
UNVERIFIABLE = 'goal = "unverifiable"\ncriteria = [{ test = "no-such-runner" }]\n'
BAD_BASE = 'goal = "bad"\nbase = "nowhere"\ncriteria = [{ file = "new" }]\n'
OUT_OF_TIME = 'goal = "slow"\ntimeout = 0.01\ncriteria = [{ file = "new" }]\n'
FIX = agent("echo 42 > answer")


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ([DONE, MET], 0),
        ([DONE, UNMET, MET], 5),
        ([UNVERIFIABLE, MET], 4),
        ([UNVERIFIABLE, UNMET, MET], 5),
        ([UNMET, OUT_OF_TIME, UNVERIFIABLE], 7),
        ([BAD_BASE, DONE], 1),
        ([BAD_BASE, UNMET], 5),
    ],
)
def test_the_highest_code(repo: Repo, loopwright: Loopwright, texts: list[str], code: int) -> None:
    """A batch leaves with 0 when all are done, else with the highest of their codes; results come in order."""
    files = tasks(repo, **{f"t{number}": text for number, text in enumerate(texts)})
    called = loopwright("batch", *files, *FIX, "--json")
    assert called.code == code
    assert "Traceback" not in called.err
    wanted = [text.split('"')[1] for text in texts if text is not BAD_BASE]
    rows = {row["run_id"]: row["goal"] for row in loopwright("runs", "--json").json}
    assert [rows[result["run_id"]] for result in called.json] == wanted
    assert all("schema" in result and "checks" in result for result in called.json)


def test_for_people(repo: Repo, loopwright: Loopwright) -> None:
    """A table sums the batch up on stdout; what happens meanwhile is on stderr, each line with its run."""
    called = loopwright("batch", *tasks(repo, a=DONE, b=UNMET), *FIX)
    assert called.code == 5
    assert "criteria_met" in called.out and "criteria_unmet" in called.out
    assert "iteration 1" in called.err and "iteration 1" not in called.out


def test_a_file_that_cannot_be_read_stops_it_before_the_start(
    repo: Repo, loopwright: Loopwright, tmp_path: Path
) -> None:
    """All files are read first: one mistake, and nothing is started."""
    files = tasks(repo, a=DONE, b='goal = "x"\ncriteria = [{ fiel = "a" }]\n')
    called = loopwright("batch", *files, *agent(f"touch {tmp_path / 'trace'}"))
    assert called.code == 2
    assert "b.toml`, line 2: " in called.err
    assert repo.statuses() == []
    assert loopwright("batch", files[0], "gone.toml", *FIX).code == 2
    assert repo.statuses() == []


def test_in_parallel(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """With --parallel 2 two runs work at the same time, each in its own clone."""
    meet = agent(
        f"mine=$(mktemp {tmp_path}/here.XXXXXX)",
        f"for i in $(seq 300); do [ $(ls {tmp_path}/here.* | wc -l) = 2 ] && break; sleep 0.05; done",
        f"[ $(ls {tmp_path}/here.* | wc -l) = 2 ] && echo 42 > answer",
    )
    called = loopwright("batch", *tasks(repo, a=DONE, b=DONE.replace("done", "too")), *meet, "--parallel", 2, "--json")
    assert called.code == 0
    assert len({result["branch"] for result in called.json}) == 2
    assert [result["iterations"] for result in called.json] == [1, 1]


def test_more_tasks_than_places(repo: Repo, loopwright: Loopwright) -> None:
    """Tasks that find no place wait for one, and all are done."""
    files = tasks(repo, **{f"t{number}": DONE for number in range(4)})
    called = loopwright("batch", *files, *FIX, "--parallel", 3, "--json")
    assert called.code == 0
    assert [result["status"] for result in called.json] == ["done"] * 4


def test_flags_win_over_the_settings(repo: Repo, loopwright: Loopwright) -> None:
    """--agent-command is used also where the settings name another agent, and --profile and --agent are taken."""
    repo.write("loopwright.toml", '[run]\nagent = "scripted"\n[profiles.p]\nagent = "scripted"\n')
    files = tasks(repo, a=DONE)
    assert loopwright("batch", *files, *FIX).code == 0
    assert loopwright("batch", *files, *FIX, "--profile", "p").code == 0
    assert loopwright("batch", *files, "--agent", "scripted", *FIX).code == 2
    assert loopwright("batch", *files, "--agent", "nobody").code == 2


def test_the_settings_are_the_defaults_of_every_task(repo: Repo, loopwright: Loopwright) -> None:
    """What a file does not say comes from `[run]`."""
    repo.write("loopwright.toml", "[run]\nmax_iterations = 1\nescalate_on_failure = false\n")
    called = loopwright("batch", *tasks(repo, a=DONE, b=DONE + "\n"), *agent("true"), "--json")
    assert [(result["status"], result["iterations"]) for result in called.json] == [("failed", 1), ("failed", 1)]


def test_interrupted(repo: Repo, tmp_path: Path) -> None:
    """130: a signal ends the runs that work and starts no more of them."""
    trace = tmp_path / "trace"
    files = tasks(repo, a=DONE, b=DONE, c=DONE)
    waits = agent(f"touch {trace}", "sleep 60")
    process = start("batch", *files, *waits, "--json", cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert [result["status"] for result in json.loads(out)] == ["cancelled"]
    assert sorted(repo.statuses()) == ["cancelled", "queued", "queued"]
    assert "2 not begun; go on with all that was interrupted: loopwright resume --all" in err


def test_what_was_left_behind_is_told_and_taken_up(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """After kill -9 the next command says what died and what was never begun; `resume --all` goes on with all."""
    trace = tmp_path / "trace"
    files = tasks(repo, a=DONE, b=DONE, c=DONE)
    waits = agent(f"[ -e {trace} ] || {{ touch {trace}; sleep 60; }}", "echo 42 > answer")
    process = start("batch", *files, *waits, cwd=repo.root)
    wait_for(trace.exists)
    process.kill()
    process.communicate(timeout=30)
    assert sorted(repo.statuses()) == ["queued", "queued", "running"]
    called = loopwright("run", "met", "--file", "answer", *waits)
    said = "note: 1 run was cut short when its process ended and 2 runs were never begun"
    assert called.code == 0 and said in called.err and "loopwright resume --all" in called.err
    called = loopwright("resume", "--all", "--parallel", 2, "--json")
    assert (called.code, [result["status"] for result in called.json]) == (0, ["done"] * 3)
    assert "note: " not in loopwright("run", "met", "--file", "answer", *waits).err
    assert "nothing was interrupted" in loopwright("resume", "--all").err


def test_two_who_go_on_share_the_work(repo: Repo, tmp_path: Path) -> None:
    """A batch and a `resume --all` beside it never work on the same run."""
    files = tasks(repo, a=DONE, b=DONE, c=DONE, d=DONE)
    works = agent(f"echo $PWD >> {tmp_path}/seen", "sleep 0.3", "echo 42 > answer")
    batch = start("batch", *files, *works, "--json", cwd=repo.root)
    wait_for(lambda: (tmp_path / "seen").exists())
    batch.kill()
    beside = [start("resume", "--all", "--json", cwd=repo.root) for _ in range(2)]
    ends = [process.communicate(timeout=60) for process in beside]
    assert sorted(repo.statuses()) == ["done"] * 4, ends
    seen = (tmp_path / "seen").read_text().split()
    assert len(set(seen)) == 4 and len(seen) <= 5
    batch.communicate()


def test_interrupted_twice(repo: Repo, tmp_path: Path) -> None:
    """A second signal ends all of it at once, agents that ignore being asked too, and all can be taken up again."""
    trace = tmp_path / "trace"
    deaf = agent("trap '' TERM INT", f"echo $$ >> {trace}", "echo half > half", "[ -e again ] || sleep 300")
    process = start("batch", *tasks(repo, a=DONE, b=DONE, c=DONE), *deaf, "--parallel", 2, cwd=repo.root)
    pids = wait_for(lambda: trace.exists() and len(found := trace.read_text().split()) == 2 and found)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)  # two at once would be one
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    wait_for(lambda: not any(alive(int(pid)) for pid in pids))
    assert time.monotonic() - began < 2
    assert process.returncode == 130
    clones = [Path(row[0]) for row in repo.query("SELECT workspace FROM runs ORDER BY id")]
    assert [(clone / "workspace/project/half").exists() for clone in clones] == [True, True, False]


def test_one_store_for_two_repositories(
    repo: Repo, make_repo: MakeRepo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left behind in one repository is not told or taken up in another, nor is it cleared away there."""
    monkeypatch.setenv("LOOPWRIGHT_STORE", str(tmp_path / "shared.sqlite"))
    trace = tmp_path / "trace"
    waits = agent(f"[ -e {trace} ] || {{ touch {trace}; sleep 60; }}", "echo 42 > answer")
    process = start("batch", *tasks(repo, a=DONE, b=DONE), *waits, cwd=repo.root)
    wait_for(trace.exists)
    process.kill()
    process.communicate(timeout=30)
    other = make_repo("other")
    other.write("file", "x")
    other.commit("start")
    monkeypatch.chdir(other.root)
    called = loopwright("run", "met", "--file", "file", *waits)
    assert called.code == 0 and "note: " not in called.err
    assert "nothing was interrupted" in loopwright("resume", "--all").err
    assert "removed clones: 1," in loopwright("gc").err
    rows = {row["status"]: row["run_id"] for row in loopwright("runs", "--json").json}
    assert sorted(rows) == ["done", "queued", "running"]
    refused = loopwright("resume", rows["running"])
    assert refused.code == 2 and f"is of `{repo.root}`" in refused.err
    assert loopwright("resume", "--all", "--repo", repo.root, "--json").code == 0
