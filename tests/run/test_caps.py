"""One cap on money for all runs of a day and of a month."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, start, wait_for

RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "ok", "total_cost_usd": 0.6}
TEST = ("--test", "sh test.sh")
SPENDS = agent(f"echo '{json.dumps(RESULT)}'", "date +%N >> notes")


@pytest.mark.parametrize("name", ["day", "month"])
def test_what_all_have_spent_counts(repo: Repo, loopwright: Loopwright, name: str) -> None:
    """A run that would begin when the cap is reached does not; the one before ended at it, and says so."""
    repo.write("loopwright.toml", f"[limits]\ncost_per_{name} = 1.0\n")
    first = loopwright("run", "one", *TEST, *SPENDS, "--json")
    assert (first.code, first.json["reason"], first.json["iterations"]) == (7, "budget", 2)
    assert first.json["detail"].startswith(f"$1.20 spent by all runs of this {name}, and $1.00 are allowed")
    second = loopwright("run", "two", *TEST, *SPENDS, "--json")
    assert (second.code, second.json["reason"], second.json["iterations"]) == (7, "budget", 0)
    repo.write("loopwright.toml", f"[limits]\ncost_per_{name} = 10.0\n")
    third = loopwright("run", "three", *TEST, *agent("echo 42 > answer"), "--json")
    assert third.code == 0


def test_runs_that_the_cap_ended_go_on_without_a_humans_word(repo: Repo, loopwright: Loopwright) -> None:
    """What waits for money alone is cut short and not escalated: it goes on with all others that were."""
    repo.write("loopwright.toml", "[limits]\ncost_per_day = 0.5\n")
    spends = agent(f"echo '{json.dumps(RESULT)}'", '[ "$LOOPWRIGHT_ITERATION" = 1 ] || echo 42 > answer')
    ended = loopwright("run", "one", *TEST, *spends, "--json")
    assert (ended.code, ended.json["status"], ended.json["reason"]) == (7, "cancelled", "budget")
    assert loopwright("resume", "--all").code == 7
    repo.write("loopwright.toml", "[limits]\ncost_per_day = 5\n")
    assert loopwright("resume", "--all").code == 0
    assert repo.statuses() == ["done"]


def test_an_agent_at_work_is_ended_when_others_reach_the_cap(
    repo: Repo, loopwright: Loopwright, tmp_path: Path
) -> None:
    """The cap is shared while runs work: one process spends, the agent of another is ended for it."""
    repo.write("loopwright.toml", "[limits]\ncost_per_day = 0.5\n")
    trace = tmp_path / "trace"
    waits = agent(f"touch {trace}", "sleep 60")
    process = start("run", "waits", *TEST, *waits, "--json", cwd=repo.root)
    wait_for(trace.exists)
    assert loopwright("run", "spends", *TEST, *SPENDS).code == 7
    out, err = process.communicate(timeout=20)
    assert process.returncode == 7, err
    assert json.loads(out)["detail"].startswith("$0.60 spent by all runs of this day")
