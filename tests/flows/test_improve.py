"""A day: sessions, a review, an answer, and the next day's view of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from world import Called, Loopwright, Repo

WEAK = """
[run]
agent_command = "sh {script}"

[patches]
runs = 3
"""
# Says that it is done, and has done nothing.
SCRIPT = "echo 'All done: I fixed it, and every test passes.'\n"
RUN = ("--test", "sh test.sh", "--task-type", "bug_fix", "--max-iterations", "1", "--no-escalate")


@pytest.fixture
def weak(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    script = tmp_path / "agent.sh"
    script.write_text(SCRIPT)
    repo.write("loopwright.toml", WEAK.format(script=script))
    for number in range(5):
        loopwright("run", f"Fix it {number}", *RUN)


def improved(loopwright: Loopwright, *words: object) -> Called:
    done = loopwright("improve", "--json", *words)
    assert done.code == 0, done.err
    return done


def test_nothing_found(repo: Repo, loopwright: Loopwright) -> None:
    """Where nothing was done, it says so, and there is nothing to answer."""
    done = loopwright("improve")
    assert done.code == 0
    assert "Nothing found that is worth a change." in done.out
    assert "0 sessions" in done.out
    assert "no review" not in loopwright("reviews").err


def test_a_dry_run_writes_nothing(weak: None, repo: Repo, loopwright: Loopwright) -> None:
    """It shows what would be, and leaves no review, patch or sighting behind."""
    found = improved(loopwright, "--dry-run").json
    assert found["review"]["items"]
    for table in ("reviews", "patches", "sightings", "experiments"):
        assert repo.query(f"SELECT count(*) FROM {table}") == [(0,)]


def test_the_same_again_is_the_same_review(weak: None, repo: Repo, loopwright: Loopwright) -> None:
    """Whoever looks twice gets one review; when something is new, the next one takes its place."""
    first = improved(loopwright).json["review"]
    assert improved(loopwright).json["review"] == first
    loopwright("run", "Fix another", *RUN)
    second = improved(loopwright).json["review"]
    assert (first["number"], second["number"]) == (1, 2)
    assert [one["status"] for one in loopwright("reviews", "list", "--json").json] == ["pending", "expired"]
    assert "review 1 is expired" in loopwright("reviews", "answer", "1", "deploy all").err


def test_from_a_weakness_to_an_experiment(weak: None, repo: Repo, loopwright: Loopwright) -> None:
    """The library's remedy is proposed; shown, deployed and begun on a human's word; nothing happens before."""
    review = improved(loopwright).json["review"]
    numbers = [item["number"] for item in review["items"] if item["is_deployable"]]
    assert numbers
    assert repo.query("SELECT count(*) FROM experiments") == [(0,)]
    shown = loopwright("reviews", "answer", "1", f"show me item {numbers[0]}").out
    assert "playbook_change of worker/bug_fix" in shown
    assert "+" in shown.partition("+++ then")[2]
    assert "% sure" in loopwright("reviews", "answer", "1", "tell me more about item 1").out
    done = loopwright("reviews", "answer", "1", f"Please deploy {numbers[0]}, thanks")
    assert "its experiment has begun" in done.out
    assert repo.query("SELECT count(*) FROM experiments WHERE status = 'running'") == [(1,)]
    kept = loopwright("reviews", "show", "1", "--json").json
    assert (kept["status"], kept["answers"][-1]["shown"]) == ("deployed", kept["shown"])


def test_released_on_a_humans_word_and_taken_back(weak: None, repo: Repo, loopwright: Loopwright) -> None:
    """`now` releases what nobody has tested; the next review tells before and after; `roll back` takes it back."""
    review = improved(loopwright).json["review"]
    number = next(item["number"] for item in review["items"] if item["is_deployable"])
    done = loopwright("reviews", "answer", "1", f"deploy {number} now")
    assert "released" in done.out, done.err
    told = loopwright("profiles", "show", "worker/bug_fix", "--json").json
    assert json.loads(told["content"])["library"]
    loopwright("run", "Fix it once more", *RUN)
    (compared,) = improved(loopwright).json["review"]["compared"]
    assert (compared["name"], compared["runs_before"], compared["runs_after"]) == ("worker/bug_fix", 5, 1)
    assert compared["verdict"] == "not more than chance"
    back = loopwright("reviews", "answer", "2", "roll back")
    assert "profile worker/bug_fix@2 was rolled back to @1" in back.out, back.err
    assert loopwright("profiles", "show", "worker/bug_fix", "--json").json["number"] == 1


def test_what_is_not_plain_gets_help(weak: None, repo: Repo, loopwright: Loopwright) -> None:
    """Neither a doubt nor a quotation deploys anything."""
    improved(loopwright)
    for words in ("should we deploy all?", '"deploy all"', "> deploy all", "do whatever you like"):
        assert "You can say" in loopwright("reviews", "answer", "1", words).out
    assert loopwright("reviews", "show", "1", "--json").json["status"] == "pending"
    assert "noted: thumbs down on last" in loopwright("reviews", "answer", "1", "thumbs down last").out
