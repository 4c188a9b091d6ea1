from __future__ import annotations

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def test_what_waits_for_a_human(repo: Repo, loopwright: Loopwright) -> None:
    """An escalated run is in the queue with its state, the last output, the failed criteria and what to do next."""
    first = loopwright("run", "One", *TEST, *agent("echo tried it"), "--max-iterations", 1, "--json").json
    second = loopwright("run", "Two", *TEST, "--file", "answer", *agent("echo me too"), "--json").json
    loopwright("run", "Done", "--file", "answer", *agent("true"))
    loopwright("run", "Failed", *TEST, *agent("true"), "--max-iterations", 1, "--no-escalate")
    rows = loopwright("queue", "--json").json
    assert [row["run_id"] for row in rows] == [second["run_id"], first["run_id"]]
    assert all(isinstance(row[name], str) for row in rows for name in ("status", "reason", "goal", "started_at"))
    assert [row["reason"] for row in rows] == ["stalled", "criteria_unmet"]
    assert [check["criterion"] for check in rows[0]["failed"]] == ["test sh test.sh"]
    assert "the answer is 41, not 42" in rows[0]["failed"][0]["evidence"]
    assert [row["output"] for row in rows] == ["me too", "tried it"]
    assert f"loopwright resume {first['run_id'][-8:]}" in " ".join(rows[1]["next"])


def test_for_people(repo: Repo, loopwright: Loopwright) -> None:
    """A person sees what failed, why, the agent's last words, where the work is, and the next commands."""
    result = loopwright("run", "Fix [red] it", *TEST, *agent("echo 'I [bold]tried'"), "--json").json
    name = result["run_id"][-8:]
    called = loopwright("queue")
    assert (called.code, called.err) == (0, "")
    wanted = [
        *("escalated (stalled)", "Fix [red] it", "test sh test.sh", "the answer is 41, not 42", "I [bold]tried"),
        *(f"git diff {repo.git('rev-parse', 'HEAD')[:12]} {result['branch']}", f"loopwright show {name}"),
        *(f"loopwright resume {name} --comment", f"loopwright close {name} --reason"),
    ]
    assert [words for words in wanted if words not in called.out] == []
    assert "loopwright show" not in loopwright("show", name).out  # who is there already is not sent there


def test_what_is_tainted_can_be_accepted(repo: Repo, loopwright: Loopwright) -> None:
    """Of a tainted run the queue says how a person accepts it."""
    changes = agent("echo true > test.sh")
    assert loopwright("run", "x", *TEST, *changes, "--protect", "test.sh", "--max-iterations", 2).code == 3
    assert "--accept-taint" in loopwright("queue").out
    assert any("--accept-taint" in step for step in loopwright("queue", "--json").json[0]["next"])


def test_nobody_waits(repo: Repo, loopwright: Loopwright) -> None:
    """An empty queue says so."""
    called = loopwright("queue")
    assert (called.code, called.out) == (0, "")
    assert "the queue is empty" in called.err
