"""`loopwright replay`: finished tasks done again by two profiles, with real agents, checks and clones."""

from __future__ import annotations

import signal

import pytest

from world import Called, Loopwright, Repo, agent, start, wait_for

SETTINGS = """
[run]
max_iterations = 1

[profiles.bad]
agent = "command"
agent_options = { command = "sh -c 'echo 43 > answer'" }

[profiles.good]
agent = "command"
agent_options = { command = "sh -c 'echo 42 > answer'" }

[profiles.slow]
agent = "command"
agent_options = { command = "sh -c 'sleep 0.5; echo 42 > answer'" }
"""
TWO = ("--profile", "bad", "--profile", "good")


@pytest.fixture
def tasks(repo: Repo, loopwright: Loopwright) -> list[str]:
    """Finish three tasks; give their runs. Their criterion starts no program: what is replayed is the point here."""
    repo.write("loopwright.toml", SETTINGS)
    return [finish(loopwright, f"Fix it {number}") for number in range(3)]


def finish(loopwright: Loopwright, goal: str, *words: object) -> str:
    flags = ("--grep", "answer:42", "--critic", "off", "--json", *agent("echo 42 > answer"))
    return str(loopwright("run", goal, *flags, *words).json["run_id"])


def replayed(loopwright: Loopwright, *words: object) -> Called:
    return loopwright("replay", *words, "--yes", "--json")


def test_each_task_by_both(repo: Repo, loopwright: Loopwright, tasks: list[str]) -> None:
    """Every task is done once by each, from its base, in clones; what came of it is printed, and it is over."""
    done = replayed(loopwright, *TWO)
    assert done.code == 0, done.err
    assert "6 runs of 3 tasks: about $0.00" in done.err
    assert "fewer than 30 pairs decide nothing" in done.err
    assert "Fix it 1: A failed, B passed" in done.err
    told = done.json["evidence"]
    assert (told["pairs"], told["wins"], told["losses"]) == (3, 3, 0)
    assert (told["totals"]["A"][0], told["totals"]["B"][0]) == (0, 3)
    assert done.json["status"] == "stopped"
    assert "do not decide" in done.json["outcome"]
    assert repo.query("SELECT DISTINCT base FROM runs") == [(repo.git("rev-parse", "HEAD"),)]
    assert (repo.root / "answer").read_text() == "41\n"


def test_enough_pairs_prove_it(repo: Repo, loopwright: Loopwright, tasks: list[str]) -> None:
    """Thirty pairs in rounds prove a profile that always passes; it is drawn, and what can be released is said."""
    done = loopwright("replay", *TWO, "--sample", 30, "--parallel", 2, "--yes")
    assert done.code == 0, done.err
    assert "60 runs of 3 tasks" in done.err
    assert "30 pairs, of which B alone passed 30" in done.out
    assert "so many pairs show a lift of" in done.err
    name = loopwright("experiments", "list", "--json").json[0]["name"]
    refused = loopwright("experiments", "release", name)
    assert "compared with `bad`, which is not in use" in refused.err


def test_nobody_to_ask(repo: Repo, loopwright: Loopwright, tasks: list[str]) -> None:
    """Without a terminal and without --yes the forecast is printed, and nothing is begun."""
    done = loopwright("replay", *TWO)
    assert done.code == 2
    assert "6 runs of 3 tasks" in done.err
    assert "--yes" in done.err
    assert repo.query("SELECT id FROM experiments") == []


def test_what_can_not_be_meant(repo: Repo, loopwright: Loopwright) -> None:
    """Each is refused with what would be right, before anything is begun."""
    repo.write("loopwright.toml", SETTINGS)
    for words, told in [
        (("--profile", "bad"), "two profiles are compared"),
        ((*TWO, "--experiment", "x"), "two profiles are compared"),
        (("--profile", "bad", "--profile", "god"), "no profile `god`"),
        (TWO, "no finished task"),
        (("--experiment", "nobody"), "no experiment `nobody`"),
    ]:
        done = replayed(loopwright, *words)
        assert (done.code, told in done.err) == (2, True), done.err
    finish(loopwright, "Fix it")
    assert "both arms" in replayed(loopwright, "--profile", "bad", "--profile", "bad").err
    assert repo.query("SELECT id FROM experiments") == []


def test_only_some(repo: Repo, loopwright: Loopwright, tasks: list[str]) -> None:
    """A task type, a half and a number choose; the halves share nothing."""
    finish(loopwright, "Say it", "--task-type", "docs")
    assert replayed(loopwright, *TWO, "--task-type", "docs").json["evidence"]["strata"].keys() == {"docs"}
    assert replayed(loopwright, *TWO, "--sample", 2).json["evidence"]["pairs"] == 2
    halves = []
    for half in ("development", "held_out"):
        done = replayed(loopwright, *TWO, "--half", half)
        halves.append(done.json["evidence"]["pairs"] if done.code == 0 else 0)
    assert sum(halves) == 4


def test_doubtful_tasks_are_left_out(repo: Repo, loopwright: Loopwright) -> None:
    """A base that is gone and a check that comes to something else now are found out before anything is spent."""
    repo.write("loopwright.toml", SETTINGS)
    repo.commit()
    outside = repo.root.parent / "weather"
    outside.write_text("fine\n")
    finish(loopwright, "Fix the weather", "--test", f"grep -q fine {outside}")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("more", "x")
    repo.commit()
    gone = finish(loopwright, "Fix the side")
    repo.git("checkout", "-q", "main")
    finish(loopwright, "Fix it")
    repo.git("branch", "-D", "side", f"loopwright/{gone}")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    outside.write_text("rain\n")
    done = replayed(loopwright, *TWO)
    assert done.code == 0, done.err
    assert done.json["evidence"]["pairs"] == 1
    assert sorted(done.json["doubts"].values()) == [
        f"its checks do not come to the same twice: test grep -q fine {outside}",
        "the commit that it starts from is gone",
    ]
    assert "left out: Fix the side: the commit that it starts from is gone" in done.err


def test_interrupted_and_taken_up_again(repo: Repo, loopwright: Loopwright, tasks: list[str]) -> None:
    """Ctrl-C leaves the pairs that are done, says how to go on, and there each pair is counted once."""
    process = start("replay", "--profile", "slow", "--profile", "good", "--yes", cwd=repo.root)
    wait_for(lambda: repo.query("SELECT id FROM trials WHERE delivered_at IS NOT NULL"), 30)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert "go on with: loopwright replay --experiment profile-" in said
    name = loopwright("experiments", "list", "--json").json[0]["name"]
    done = replayed(loopwright, "--experiment", name)
    assert done.json["evidence"]["pairs"] == 3
    assert repo.query("SELECT count(*) FROM trials") == [(6,)]
    assert repo.query("SELECT count(*) FROM looks") == [(3,)]
