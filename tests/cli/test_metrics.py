"""`loopwright metrics`: how agents do over many runs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from loopwright.records.budget import Spent, Usage
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Status
from loopwright.records.signal import Signal
from loopwright.wire import open_record
from store.samples import make_run, make_step
from world import Loopwright, Repo, agent

DAY_S = 86_400
NOW = 1_790_000_000.0
BRIEF = Profile(system_prompt="Be brief.")


def fill(
    root: Path, days: int = 14, a_day: int = 20, falls_on: int = 99, model: str = "a model", start: float = NOW
) -> None:
    """Write runs of one agent, nine in ten of which pass until a day comes."""
    with open_record(root).store as store:
        for day in range(days):
            for number in range(a_day):
                passed = number >= (a_day // 10 if day < falls_on else a_day // 2)
                run = make_run(
                    id=new_id(),
                    profile=Profile(agent="codex", model=model),
                    started_at=timestamp(start + DAY_S * day + number),
                )
                store.add_run(run, make_step(run))
                spent = Spent(1, 0.25, Usage(1000), 90.0)
                end = (Status.DONE, Reason.CRITERIA_MET) if passed else (Status.ESCALATED, Reason.CRITERIA_UNMET)
                store.save_run(dataclasses.replace(run, status=end[0], reason=end[1], spent=spent))


def test_the_numbers(repo: Repo, loopwright: Loopwright) -> None:
    """`--json` has the whole and each group, with counts, shares and intervals."""
    fill(repo.root, days=2)
    found = loopwright("metrics", "--by", "agent", "--json").json
    [group] = found["groups"]
    assert (found["by"], found["period"], found["trends"], found["alerts"]) == ("agent", None, [], [])
    assert (group["name"], group["runs"], group["cost_usd"]) == ("codex", 40, 10.0)
    assert (group["passed"]["hits"], group["passed"]["tries"], group["passed"]["share"]) == (36, 40, 0.9)
    low, high = group["passed"]["interval"]
    assert 0.76 < low < 0.9 < high < 0.97
    assert (group["seconds_per_task"], group["tokens_per_task"], group["lines_per_task"]) == (90.0, 1000.0, None)
    assert found["whole"]["human"]["hits"] == 4
    periods = loopwright("metrics", "--period", "day", "--json").json["groups"]
    assert [row["runs"] for row in periods] == [20, 20]


@pytest.mark.parametrize("columns", ["80", "120"])
def test_for_people(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """A table with bars and intervals, that fits the terminal, and what to do next."""
    fill(repo.root, days=9)
    monkeypatch.setenv("COLUMNS", columns)
    called = loopwright("metrics", "--by", "agent")
    assert called.code == 0
    assert "180 runs, 180 of them judged" in called.out
    assert "codex" in called.out and "90%" in called.out and "━" in called.out
    assert "over time" in called.out
    assert "loopwright metrics --by agent --period week" in called.out
    assert max(map(len, called.out.splitlines())) <= int(columns)
    hours = loopwright("metrics", "--by", "hour").out
    assert timestamp(NOW)[11:13] + ":00" in hours and "hour (UTC)" in hours


def test_what_got_worse_is_said_and_becomes_a_signal(repo: Repo, loopwright: Loopwright) -> None:
    """A fall beyond chance is at the end of the table, in the JSON, and among the signals, once."""
    fill(repo.root, falls_on=12)
    for _ in range(2):
        called = loopwright("metrics", "--by", "agent", "--period", "day")
        assert "Got worse, beyond chance" in called.out
    assert "pass rate of agent codex fell" in loopwright("metrics", "--by", "agent", "--period", "day", "--json").out
    found = loopwright("signals", "--type", "metric_worse", "--json").json
    assert any("the pass rate of agent codex fell: 50% of 40" in one["description"] for one in found)
    assert len({one["id"] for one in found}) == len(found) <= 4
    assert {one["source"] for one in found} == {"trend"}
    for one in found:
        loopwright("signals", "wrong", one["id"][:8])
    assert loopwright("metrics", "--by", "agent", "--period", "day", "--json").json["trends"] == []


def test_too_many_signals_are_told(repo: Repo, loopwright: Loopwright) -> None:
    """With a limit set, types of signals over it are named; without, it is quiet."""
    fill(repo.root, days=1)
    with open_record(repo.root).store as store:
        runs = store.outcomes.totals([past.run_id for past in store.outcomes.history(["", "bug_fix", "other"])])
        store.measured.add([Signal(f"s{one.run_id}", one.run_id, "error_loop", "low", "x", (1,), "z") for one in runs])
    assert loopwright("metrics", "--json").json["alerts"] == []
    repo.write("loopwright.toml", "[alerts]\nsignals_per_100 = 20\n")
    assert loopwright("metrics", "--json").json["alerts"][0].startswith("error_loop: 100 for 100 runs")
    assert "too few runs to tell what got worse" in loopwright("metrics").out
    repo.write("loopwright.toml", "[alerts]\nsignals_per_100 = 0\n")
    assert "it must be more than 0" in loopwright("metrics").err


def test_nothing_yet(repo: Repo, loopwright: Loopwright) -> None:
    """Where nothing has ended, the commands that bring runs are named; where --since leaves all out, that is said."""
    called = loopwright("metrics")
    assert (called.code, called.out) == (0, "")
    assert "loopwright scan" in called.err
    assert loopwright("metrics", "--json").json["whole"] is None
    fill(repo.root, days=1)
    assert "leave --since out" in loopwright("metrics", "--since", "1s").err


def test_a_real_run_is_counted(repo: Repo, loopwright: Loopwright) -> None:
    """A run that passes at once has its lines against the base, and one that gives up is a failure with a human."""
    loopwright("run", "Fix the answer", "--test", "sh test.sh", *agent("echo 42 > answer; seq 5 > more"))
    loopwright("run", "Fix it", "--test", "sh test.sh", "--max-iterations", 1, *agent("true"))
    asked = "SELECT passed, first_pass, human, lines_added, iterations FROM outcomes ORDER BY started_at"
    done, failed = repo.query(asked)
    assert done[:3] == (1, 1, 0) and done[3] >= 5 and done[4] == 1
    assert failed == (0, 0, 1, 0, 1)
    assert loopwright("metrics", "--json").json["whole"]["passed"]["tries"] == 2


def test_a_run_of_ours_has_a_prompt_version(repo: Repo, loopwright: Loopwright) -> None:
    """What an agent is told has a name of its own: runs that are told other words are other groups."""
    worker = agent("echo 42 > answer")
    loopwright("run", "Fix the answer", "--test", "sh test.sh", *worker)
    repo.write("loopwright.toml", '[profiles.other]\nagent = "command"\nsystem_prompt = "Be brief."\n')
    loopwright("run", "Fix it", "--test", "sh test.sh", "--profile", "other", *worker)
    groups = loopwright("metrics", "--by", "prompt_version", "--json").json["groups"]
    told = {version for (version,) in repo.query("SELECT prompt_version FROM runs")}
    assert {group["name"] for group in groups} == told == {"worker/bug_fix@1", BRIEF.prompt_version}
    assert all(version[:8] in loopwright("metrics", "--by", "prompt_version").out for version in told)


@pytest.mark.parametrize(("since", "runs"), [("1w", 1), ("2020-09-14", 21), ("2020-01-01", 41), ("30d", 1)])
def test_since(repo: Repo, loopwright: Loopwright, since: str, runs: int) -> None:
    """Only runs that began so long ago or later count, or on a day or after it."""
    fill(repo.root, days=2, start=1_600_000_000.0)
    loopwright("run", "Fix the answer", "--test", "sh test.sh", *agent("echo 42 > answer"))
    assert loopwright("metrics", "--since", since, "--json").json["whole"]["runs"] == runs


@pytest.mark.parametrize(
    ("since", "why"), [("soon", "would be right"), ("2026-13-01", "there is no day"), ("7", "has no unit")]
)
def test_nonsense_since(repo: Repo, loopwright: Loopwright, since: str, why: str) -> None:
    """What is no time is named, with what would be right."""
    called = loopwright("metrics", "--since", since)
    assert (called.code, called.out) == (2, "")
    assert f"`{since}`" in called.err and why in called.err


@pytest.mark.parametrize("columns", ["80", "120"])
def test_names_that_differ_at_their_end_stay_apart(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """A name for which there is no room is cut in the middle; figures are whole."""
    names = [f"a-very-long-name-{'of-a-model-' * 9}{end}" for end in ("first", "last")]
    for name in names:
        fill(repo.root, days=9, a_day=4, model=name)
    monkeypatch.setenv("COLUMNS", columns)
    for more in ([], ["--period", "week"]):
        out = loopwright("metrics", "--by", "model", *more).out
        assert "…" in out and "-first " in out and "-last " in out
        assert "$0.25" in out
        assert max(map(len, out.splitlines())) <= int(columns)
