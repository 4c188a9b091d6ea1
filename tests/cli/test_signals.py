"""`loopwright signals` and `loopwright insights`."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import record_run
from loopwright.records.identity import timestamp
from loopwright.records.signal import Signal
from loopwright.wire import open_record
from world import Loopwright, Repo

SCRIPT = """
[[attempt]]
actions = [ { run = "make it" }, { run = "make it" }, { run = "make it" }, { write = "answer", content = "42\\n" } ]
says = "Done."
"""


@pytest.fixture
def looped(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text(SCRIPT)
    repo.write("loopwright.toml", f'[profiles.s]\nagent = "scripted"\nagent_options = {{ script = "{script}" }}\n')
    assert loopwright("run", "Fix the answer", "--test", "sh test.sh", "--profile", "s", "--json").code == 0


def test_a_loop_is_shown_and_can_be_called_wrong(looped: None, loopwright: Loopwright) -> None:
    """A run's signal has its evidence, is listed for people and as JSON, and a human's word on it is kept."""
    (signal,) = loopwright("signals", "last", "--json").json
    assert signal["type"] == "error_loop"
    assert len(signal["events"]) == 3
    said = loopwright("signals")
    assert "failed 3 times in a row" in said.out
    marked = loopwright("signals", "wrong", signal["id"][:8], "--reason", "it was meant", "--json")
    assert marked.code == 0
    assert marked.json == signal | {"is_wrong": True}
    assert "called wrong" in loopwright("signals").out
    assert loopwright("signals", "--json").json[0]["is_wrong"] is True
    assert loopwright("signals", "precision", "--json").json == [
        {"type": "error_loop", "signals": 1, "right": 0, "wrong": 1}
    ]
    assert "0% (0% to 79%)" in loopwright("signals", "precision").out
    assert loopwright("signals", "right", signal["id"]).code == 0
    assert loopwright("signals", "--json").json[0]["is_wrong"] is False


def test_the_newest_are_listed(looped: None, loopwright: Loopwright, repo: Repo) -> None:
    """Of many the newest 50 are listed, as many as are asked for, or those since a moment; how many more is said."""
    run_id = loopwright("signals", "--json").json[0]["run_id"]
    with open_record(repo.root).store as store:
        many = [(f"s{day:03d}", timestamp(1.6e9 + 86_400 * day)) for day in range(70)]
        store.measured.add([Signal(name, run_id, "timeout", "low", name, (1,), at) for name, at in many])
    listed = loopwright("signals", "--json")
    assert [one["id"] for one in listed.json[:-1]] == [name for name, _ in many[21:]]
    assert "21 older ones are not listed" in listed.err
    assert len(loopwright("signals", "--all", "--json").json) == 71
    few = loopwright("signals", "last", "--limit", "3")
    assert "s068" in few.out and "s067" not in few.out and "68 older ones" in few.err
    since = loopwright("signals", "--since", "1h", "--json")
    assert ([one["type"] for one in since.json], since.err) == (["error_loop"], "")
    assert loopwright("signals", "--limit", "0").code == 2


def test_a_run_without_a_reason(repo: Repo, loopwright: Loopwright) -> None:
    """A run that failed for no reason that was told has whole words all the same."""
    record_run("chore", passed=False)
    record_run("chore", passed=False, reason="two tests fail")
    found = {one["description"] for one in loopwright("signals", "--json").json}
    assert "the work was judged, and did not pass; no reason was given" in found
    assert "the work was judged, and did not pass: two tests fail" in found


def test_wrong_words(looped: None, loopwright: Loopwright) -> None:
    """A type, a signal or a run that is not there gets a hint."""
    called = loopwright("signals", "--type", "error_lop")
    assert (called.code, "did you mean `error_loop`" in called.err) == (2, True)
    assert loopwright("signals", "wrong").code == 2
    assert loopwright("signals", "wrong", "zzzz").code == 2
    (signal,) = loopwright("signals", "--json").json
    short = loopwright("signals", "wrong", signal["id"][:1])
    assert (short.code, "4 characters" in short.err) == (2, True)
    assert loopwright("signals", "--json").json[0]["is_wrong"] is None
    assert loopwright("signals", "a", "b").code == 2


def test_nothing_yet(repo: Repo, loopwright: Loopwright) -> None:
    """Where there is nothing, the next command is named."""
    for command in ("signals", "insights"):
        called = loopwright(command)
        assert (called.code, "loopwright scan" in called.err) == (0, True)


def test_insights(looped: None, loopwright: Loopwright) -> None:
    """The three answers are there for people and as JSON."""
    said = loopwright("insights", "--runs", "1").out
    assert "What keeps failing" in said
    assert "tried again, unchanged" in said
    found = loopwright("insights", "--json", "--runs", "1").json
    assert found["runs"] == 1
    assert {one["remedy"] for one in found["recovery"]} >= {"retry"}
    assert found["comparison"] == []
