"""Whole experiments with real agents: live tasks, shared out by lot, each done by a program that tosses a coin."""

from __future__ import annotations

from pathlib import Path

import pytest

from world import Called, Loopwright, Repo

PAIRS, EXPERIMENTS = 30, 5
"""As many pairs as a decision needs at the least: with fewer, nothing could be promoted whatever it is."""
COIN = "[ $(od -An -N1 -tu1 /dev/urandom) -lt {below} ] && touch passed\n{more}\nexit 0\n"
LISTENS = 'grep -q "read your whole change once more" "$LOOPWRIGHT_PROMPT_FILE" && touch passed'
TASK = """
goal = "Describe part {number}"
task_type = "docs"
max_iterations = 1
critic = "off"
criteria = [{{ file = "passed" }}]
"""


def experiment(repo: Repo, loopwright: Loopwright, agent: Path) -> Called:
    """Let live tasks take part in an experiment until there are enough pairs, and show what came of it."""
    flags = ("--parameter", "review", "--b", "self", "--task-type", "docs", "--guardrail", "cost", "--json")
    name = loopwright("experiments", "create", *flags).json["name"]
    files = []
    for number in range(2 * PAIRS):
        files.append(repo.root.parent / f"{number}.toml")
        files[-1].write_text(TASK.format(number=number))
    loopwright("batch", *files, "--parallel", 2, "--agent-command", f"sh {agent}", "--json")
    shown = loopwright("experiments", "show", name, "--json")
    if shown.json["status"] == "running":
        loopwright("experiments", "stop", name)
    return shown


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return tmp_path / "agent.sh"


def test_five_of_two_arms_that_are_alike(repo: Repo, loopwright: Loopwright, agent: Path) -> None:
    """Agents that toss a coin, whichever arm they are told: what is counted is what their runs came to."""
    agent.write_text(COIN.format(below=128, more=""))
    found = [experiment(repo, loopwright, agent).json for _ in range(EXPERIMENTS)]
    for told in found:
        outcomes = repo.query(
            "SELECT trials.arm, count(*), sum(runs.status = 'done') FROM trials JOIN runs ON runs.id = trials.run_id"
            f" WHERE experiment_id = '{told['id']}' GROUP BY arm ORDER BY arm"
        )
        evidence = told["evidence"]
        assert [(arm, count) for arm, count, _ in outcomes] == [("A", PAIRS), ("B", PAIRS)]
        assert evidence["pairs"] == PAIRS
        assert evidence["wins"] - evidence["losses"] == outcomes[1][2] - outcomes[0][2]
    # A single look at the thirtieth pair promotes 0.093 % of fair coins (summed over all wins and losses, E >= 17.19):
    # one of five once in 215 times, two once in 115,000.
    assert [told["status"] for told in found].count("proven") <= 1, found


def test_one_that_is_better_is_promoted(repo: Repo, loopwright: Loopwright, agent: Path) -> None:
    """The same way, with an agent that does better by 80 points when it is told to look again: that is proven."""
    agent.write_text(COIN.format(below=51, more=LISTENS))
    told = experiment(repo, loopwright, agent).json
    assert told["status"] == "proven", told["evidence"]
    assert "is in use now" in loopwright("experiments", "release", told["name"]).err
