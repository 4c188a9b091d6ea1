"""`loopwright classify`."""

from __future__ import annotations

import pytest

from world import Loopwright, Repo, agent


def test_all_runs_and_one(repo: Repo, loopwright: Loopwright) -> None:
    """Steps are listed with their class and why, for people and as JSON; one run with each hypothesis and its route."""
    empty = loopwright("classify")
    assert (empty.code, empty.out) == (0, "")
    assert "loopwright run" in empty.err
    loopwright("run", "Fix the answer", "--test", "sh test.sh", *agent("echo 42 > answer"))
    wanted = ("--test", "sh test.sh", "--file", "docs/answer.md")
    loopwright("run", "Say more", *wanted, *agent("echo 42 > answer"), "--max-iterations", "1")
    every = loopwright("classify")
    assert "2 steps of 2 runs: 1 architectural, 1 clean pass" in every.out
    assert "1 failure likely misunderstood → task decomposition prompt" in every.out
    one = loopwright("classify", "last")
    assert "architectural  60% sure" in one.out
    assert "likely misunderstood/untouched_criterion, 60% sure (untouched) → task decomposition prompt" in one.out
    assert "hypotheses" in one.err
    told = loopwright("classify", "--force", "--json").json
    assert [run["steps"][0]["kind"] for run in told["runs"]] == ["clean_pass", "architectural"]
    (failure,) = told["runs"][1]["failures"]
    assert (failure["cause"], failure["route"]) == ("misunderstood", "task decomposition prompt")
    assert told["wanted"] == []


def test_a_patch_that_is_asked_for(repo: Repo, loopwright: Loopwright) -> None:
    """When enough runs failed for one root cause, it is listed."""
    repo.write("loopwright.toml", "[failures]\nper_patch = 2\n")
    for _ in range(2):
        loopwright("run", "Say more", "--file", "a.md", *agent("echo 1 > answer"), "--max-iterations", "1")
    found = loopwright("classify")
    assert "Patches asked for" in found.out
    assert "misunderstood/untouched_criterion in worker/other: 2 runs → task decomposition prompt" in found.out


@pytest.mark.parametrize("columns", ["60", "100"])
def test_hostile_words_on_a_narrow_screen(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """No control character reaches the terminal, and no line is wider than it."""
    monkeypatch.setenv("COLUMNS", columns)
    goal = "Say \x1b[31mred\x1b]0;t\x07 " + "very " * 40
    loopwright("run", goal, "--grep", "README.md:\x1b]x", *agent("echo x > other"), "--max-iterations", "1")
    for words in (("classify",), ("classify", "last"), ("graph", "last")):
        shown = loopwright(*words).out
        assert shown
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert max(map(len, shown.splitlines())) <= int(columns)


def test_a_model_is_asked_by_name(repo: Repo, loopwright: Loopwright) -> None:
    """It looks at one run at a time, and must be set."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("true"), "--max-iterations", "1")
    assert "one run at a time" in loopwright("classify", "--judge").err
    assert "[models] judge" in loopwright("classify", "last", "--judge").err
