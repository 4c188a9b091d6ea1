from __future__ import annotations

from pathlib import Path

import pytest

from export.samples import observed
from loopwright.wire import open_record
from store.samples import make_run, make_step
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


def test_the_newest_fifty(repo: Repo, loopwright: Loopwright) -> None:
    """Fifty are listed unless more are asked for, and stderr says how many more there are."""
    with open_record(repo.root).store as store:
        for number in range(53):
            run = make_run(started_at=f"2026-01-01T00:00:{number:02}.000Z", task=observed().run.task, source="codex")
            store.add_run(run, make_step(run))
    called = loopwright("runs", "--json")
    assert len(called.json) == 50
    assert "3 older ones are not listed" in called.err
    assert len(loopwright("runs", "--json", "--all").json) == 53
    assert "older" not in loopwright("runs", "--all").err
    assert len(loopwright("runs", "--json", "--limit", 51).json) == 51


def test_of_one_source_outside_of_a_repository(
    loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's own store is listed where there is no repository, narrowed to one source."""
    monkeypatch.chdir(tmp_path)
    assert "loopwright scan" in loopwright("runs").err
    assert list(tmp_path.iterdir()) == []
    bundle = observed()
    with open_record(tmp_path).store as store:
        store.recorded.bring(bundle)
    out = loopwright("runs").out
    assert "observed" in out and "claude_code" in out and bundle.run.id[-8:] in out
    (row,) = loopwright("runs", "--source", "claude_code", "--json").json
    assert (row["source"], row["agent"], row["model"]) == ("claude_code", "claude_code", "claude-opus-4-6")
    assert loopwright("runs", "--source", "here", "--json").json == []
    wrong = loopwright("runs", "--source", "claude_cod")
    assert wrong.code == 2 and "did you mean `claude_code`" in wrong.err
