"""A model that can't be asked just now, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def result(**told: object) -> str:
    line = {"type": "result", "subtype": "success", "is_error": True, "result": "API Error", **told}
    return f"echo '{json.dumps(line)}'"


def test_a_rate_limit_is_waited_for(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """An attempt that met a limit uses up no iteration: the only one that is allowed is still there after the pause."""
    trace = tmp_path / "trace"
    limited = agent(
        f"[ -e {trace} ] || {{ touch {trace}; {result(api_error_status=429)}; exit 1; }}", "echo 42 > answer"
    )
    repo.write("loopwright.toml", '[limits]\nunavailable = "6s"\n')
    called = loopwright("run", "Fix it", *TEST, *limited, "--max-iterations", 1, "--json")
    assert (called.code, called.json["iterations"]) == (0, 1)
    assert "paused: the model is not available" in called.err
    assert [attempt["ending"] for attempt in loopwright("show", "--json").json["attempts"]] == [
        "unavailable",
        "finished",
    ]


def test_one_that_lasts_is_put_before_a_human(repo: Repo, loopwright: Loopwright) -> None:
    """A quota that is used up for hours is not waited for; the run says when it can go on, and then does."""
    words = "usage limit reached, try again in 5 hours"
    limited = agent(f"[ -e answer2 ] || {{ {result(result=words)}; exit 1; }}", "echo 42 > answer")
    called = loopwright("run", "Fix it", *TEST, *limited, "--json")
    assert (called.code, called.json["status"], called.json["reason"]) == (5, "escalated", "unavailable")
    assert called.json["iterations"] == 0
    assert "it can go on at 2" in called.json["detail"]


def test_without_access_nothing_is_tried_twice(repo: Repo, loopwright: Loopwright) -> None:
    """A wrong key is a person's business at once."""
    called = loopwright("run", "Fix it", *TEST, *agent(f"{result(api_error_status=401)}; exit 1"), "--json")
    assert (called.json["reason"], called.json["iterations"]) == ("no_access", 0)
    assert "loopwright doctor" in called.json["detail"]
    assert len(loopwright("show", "--json").json["attempts"]) == 1


def test_a_refusal_has_its_own_reason(repo: Repo, loopwright: Loopwright) -> None:
    """A model that refuses again and again ends the run with that reason, and its words."""
    refusal = agent(f"{result(stop_reason='refusal', result='I would rather not')}; exit 1")
    called = loopwright("run", "Fix it", *TEST, *refusal, "--json")
    assert (called.json["reason"], called.json["iterations"]) == ("refused", 3)
    assert "I would rather not" in called.json["detail"]
