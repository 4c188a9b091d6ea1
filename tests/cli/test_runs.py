from __future__ import annotations

from world import Loopwright, Repo, agent

FIX = agent("echo 42 > answer")
TEST = ("--test", "sh test.sh")


def test_newest_first(repo: Repo, loopwright: Loopwright) -> None:
    """`runs --json` is a list, the newest first, each with what is promised."""
    first = loopwright("run", "One\nwith more lines", *TEST, *FIX, "--json").json
    second = loopwright("run", "Two", *TEST, *agent("true"), "--max-iterations", 1, "--json").json
    rows = loopwright("runs", "--json").json
    assert [row["run_id"] for row in rows] == [second["run_id"], first["run_id"]]
    assert [(row["status"], row["reason"]) for row in rows] == [
        ("escalated", "criteria_unmet"),
        ("done", "criteria_met"),
    ]
    assert [row["goal"] for row in rows] == ["Two", "One\nwith more lines"]
    assert rows[0]["started_at"] > rows[1]["started_at"]
    assert rows[0]["started_at"].endswith("Z")
    assert [row["run_id"] for row in loopwright("runs", "--limit", 1, "--json").json] == [second["run_id"]]


def test_for_people(repo: Repo, loopwright: Loopwright) -> None:
    """The table names each run by the digits that other commands take, with its end and its goal."""
    result = loopwright("run", "Fix the answer", *TEST, *FIX, "--json").json
    called = loopwright("runs")
    assert (called.code, called.err) == (0, "")
    assert result["run_id"][-8:] in called.out
    assert "criteria_met" in called.out and "Fix the answer" in called.out


def test_a_narrow_terminal_does_not_cut_ids(repo: Repo, loopwright: Loopwright, monkeypatch: object) -> None:
    """In 80 columns the ids can still be read and used."""
    run_id = loopwright("run", "Fix the answer " * 20, *TEST, *agent("true"), "--json").json["run_id"]
    loopwright("close", run_id, "--reason", "x")
    monkeypatch.setenv("COLUMNS", "80")  # type: ignore[attr-defined]
    assert run_id[-8:] in loopwright("runs").out


def test_nothing_yet(repo: Repo, loopwright: Loopwright) -> None:
    """Where there is no run, the command that makes one is named."""
    called = loopwright("runs")
    assert (called.code, called.out) == (0, "")
    assert "loopwright run " in called.err
    assert loopwright("runs", "--json").json == []
