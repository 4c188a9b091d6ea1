"""Planner, worker and verifier as three agents, each a process of its own kind."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from loopwright.process.sandbox import obstacle
from world import Loopwright, Repo, agent, prompts, start, wait_for

TEST = ("--test", "sh test.sh")
PLAN = """
[[attempt]]
says = "First look, then write 42."
cost_usd = 0.25
tokens = { input = 1000, output = 100 }
"""
CLAUDE = """#!/bin/sh
[ "$1" = --version ] && echo 2.1.325 && exit
HANGS
echo '{"type": "system", "subtype": "init", "session_id": "c1", "model": "sonnet-9"}'
echo '{"type": "result", "subtype": "success", "is_error": false, "session_id": "c1", "total_cost_usd": 0.5,'\
' "result": "approved"}'
"""
WORKS = agent("cat > ../prompt.txt", "grep -q 'then write 42' ../prompt.txt && echo 42 > answer")
FLAGS = (*TEST, "--profile", "three", "--planner-model", "m-plan", "--verifier-model", "m-look")


@pytest.fixture
def three(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository whose profile `three` has a scripted planner and Claude Code as the verifier."""
    (tmp_path / "plan.toml").write_text(PLAN)
    claude(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    repo.write(
        "loopwright.toml",
        '[profiles.three]\nplanning = "plan_then_execute"\nreview = "separate"\nsystem_prompt = "Be kind."\n'
        f'[profiles.three.planner]\nagent = "scripted"\nagent_options = {{ script = "{tmp_path / "plan.toml"}" }}\n'
        '[profiles.three.verifier]\nagent = "claude_code"\nmax_turns = 7\n',
    )
    return repo


def claude(folder: Path, hangs: str = "") -> None:
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "claude").write_text(CLAUDE.replace("HANGS", hangs))
    (folder / "bin" / "claude").chmod(0o755)


def attempts(loopwright: Loopwright) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = loopwright("show", "--json").json["attempts"]
    return found


def who(attempt: dict[str, Any]) -> tuple[str, str, str]:
    around = attempt["environment"]
    return attempt["role"], around["agent"], around["model"]


def test_each_part_is_done_by_its_own_agent(three: Repo, loopwright: Loopwright) -> None:
    """Each attempt's record names who did it, with which model; money of all of them counts, and none is mixed up."""
    called = loopwright("run", "Fix it", *FLAGS, *WORKS, "--model", "m-work", "--sandbox", "off", "--json")
    assert (called.code, called.json["iterations"]) == (0, 1), called.err
    found = attempts(loopwright)
    assert [who(attempt) for attempt in found] == [
        ("planner", "scripted", "m-plan"),
        ("worker", "command", "m-work"),
        ("reviewer", "claude_code", "sonnet-9"),
    ]
    assert [attempt["environment"]["agent_version"] for attempt in found] == ["scripted", "", "2.1.325"]
    assert called.json["cost_usd"] == pytest.approx(0.75)
    assert three.query("SELECT agent, model FROM attempts ORDER BY number")[2] == ("claude_code", "sonnet-9")
    assert "reviewer claude_code, sonnet-9" in loopwright("show").out
    assert "planner scripted (m-plan)" in called.err
    assert "Be kind." in prompts(called.json)[1]
    assert not any("Be kind." in prompts(called.json)[place] for place in (0, 2))


def test_each_is_told_what_its_own_profile_sets(three: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """The verifier is started with its own turns and model, and without what the worker is told."""
    (tmp_path / "bin" / "claude").write_text(CLAUDE.replace("HANGS", f'echo "$@" > {tmp_path / "words"}'))
    assert loopwright("run", "Fix it", *FLAGS, *WORKS, "--model", "m-work", "--sandbox", "off").code == 0
    words = (tmp_path / "words").read_text()
    assert "--model m-look" in words
    assert "--max-turns 7" in words
    assert "Be kind." not in words


@pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")
def test_each_is_confined_by_what_it_is(three: Repo, loopwright: Loopwright) -> None:
    """A program of the user's own is not confined by itself, and an agent that reviews its work is."""
    called = loopwright("run", "Fix it", *FLAGS, *WORKS)
    assert called.code == 0, called.err
    assert [attempt["environment"]["confined"] for attempt in attempts(loopwright)] == [False, False, True]


def test_a_run_goes_on_with_the_same_three(three: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run that died while it was reviewed goes on with the agents of its record, whatever the settings say now."""
    claude(tmp_path, f"touch {tmp_path / 'at-work'}; sleep 60")
    wrong = agent("cat > ../prompt.txt", f"[ -e {tmp_path / 'at-work'} ] && echo 42 > answer || echo 40 > answer")
    process = start("run", "Fix it", *FLAGS, *wrong, "--sandbox", "off", cwd=three.root)
    wait_for((tmp_path / "at-work").exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    claude(tmp_path)
    three.write("loopwright.toml", '[run]\nagent = "codex"\nplanner = "codex"\nverifier = "codex"\n')
    called = loopwright("resume", three.query("SELECT id FROM runs")[0][0], "--json")
    assert called.code == 0, called.err
    parts = [(attempt["role"], attempt["environment"]["agent"], attempt["ending"]) for attempt in attempts(loopwright)]
    assert parts == [
        ("planner", "scripted", "finished"),
        ("worker", "command", "finished"),
        ("reviewer", "claude_code", "lost"),
        ("worker", "command", "finished"),
        ("reviewer", "claude_code", "finished"),
    ]


def test_a_role_in_use_takes_part(repo: Repo, loopwright: Loopwright) -> None:
    """What is in use for the verifier is who reviews, its version is in the run's record, and rolled back it is not."""
    repo.write("loopwright.toml", '[profiles.p]\nreview = "separate"\n')
    set_to = ("verifier/bug_fix", "model=m-look", "--reason", "x")
    assert loopwright("profiles", "set", *set_to).code == 0
    works = agent("cat > ../prompt.txt", "echo $LOOPWRIGHT_MODEL", "echo 42 > answer; echo approved")
    run = ("run", "Fix it", *TEST, *works, "--profile", "p", "--model", "m-work", "--task-type", "bug_fix")
    assert loopwright(*run).code == 0
    assert [who(attempt)[2] for attempt in attempts(loopwright)] == ["m-work", "m-look"]
    assert loopwright("show", "--json").json["profile"]["versions"]["profile verifier/bug_fix"] == 2
    assert loopwright("profiles", "rollback", "verifier/bug_fix").code == 0
    assert loopwright(*run).code == 0
    assert [who(attempt)[2] for attempt in attempts(loopwright)] == ["m-work", "m-work"]


def test_who_can_not_be_had_is_said_before_anything_is_spent(repo: Repo, loopwright: Loopwright) -> None:
    """A verifier that is unknown or can't be told its tools refuses the run, and nothing is written."""
    repo.write("loopwright.toml", '[profiles.p]\nreview = "separate"\n[profiles.p.verifier]\ntools = "restricted"\n')
    flags = ("run", "Fix it", *TEST, *WORKS, "--profile", "p")
    called = loopwright(*flags, "--verifier", "comand")
    assert (called.code, "did you mean `command`" in called.err) == (2, True), called.err
    called = loopwright(*flags)
    assert (called.code, "the profile `p.verifier` sets `tools`" in called.err) == (1, True), called.err
    assert repo.query("SELECT count(*) FROM runs") == [(0,)]
