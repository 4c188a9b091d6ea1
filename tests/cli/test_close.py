from __future__ import annotations

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def test_a_closed_run_leaves_the_queue(repo: Repo, loopwright: Loopwright) -> None:
    """Closing takes a run out of the queue, keeps the reason, and leaves its branch and its record."""
    result = loopwright("run", "Fix it", *TEST, *agent("echo x > notes"), "--max-iterations", 1, "--json").json
    called = loopwright("close", result["run_id"], "--reason", "done by hand")
    assert (called.code, called.out) == (0, "")
    assert result["branch"] in called.err
    assert loopwright("queue", "--json").json == []
    assert loopwright("runs", "--json").json[0]["closed"] == "done by hand"
    assert "done by hand" in loopwright("show").out
    assert repo.show(result["branch"], "notes") == "x"
    again = loopwright("close", result["run_id"], "--reason", "another")
    assert again.code == 2
    assert "was closed already: done by hand" in again.err


def test_a_reason_is_asked_for(repo: Repo, loopwright: Loopwright) -> None:
    """Without a reason, or with an empty one, nothing is closed."""
    loopwright("run", "Fix it", *TEST, *agent("true"), "--max-iterations", 1)
    assert loopwright("close", "last").code == 2
    called = loopwright("close", "last", "--reason", " ")
    assert called.code == 2
    assert "the reason is empty" in called.err
    assert len(loopwright("queue", "--json").json) == 1


def test_unknown(repo: Repo, loopwright: Loopwright) -> None:
    """A run that nobody knows can't be closed."""
    called = loopwright("close", "abcdef12", "--reason", "x")
    assert called.code == 2
    assert "no run `abcdef12`" in called.err
