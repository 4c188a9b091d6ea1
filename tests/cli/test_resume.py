from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, prompts

TEST = ("--test", "sh test.sh")
BUSY = agent("date +%N >> notes")
"""Always changes something, and never what is asked for."""


def later(iteration: int) -> list[str]:
    """Give an agent that gets it right at its n-th go."""
    return [*agent("date +%N >> notes", f'[ "$LOOPWRIGHT_ITERATION" -lt {iteration} ] || echo 42 > answer')]


def test_an_escalated_run_gets_its_allowance_once_more(repo: Repo, loopwright: Loopwright) -> None:
    """Resumed without a word, an escalated run may try as often as the task says, again; it prints a result."""
    first = loopwright("run", "Fix it", *TEST, *later(3), "--max-iterations", 2, "--json")
    assert (first.code, first.json["iterations"]) == (5, 2)
    called = loopwright("resume", first.json["run_id"], "--json")
    assert (called.code, called.json["status"], called.json["iterations"]) == (0, "done", 3)
    assert called.json["run_id"] == first.json["run_id"]
    assert set(called.json) == set(first.json)
    assert called.json == json.loads(Path(called.json["artifacts"]["result"]).read_text())
    assert loopwright("queue", "--json").json == []


def test_a_failed_run_gets_its_allowance_once_more(repo: Repo, loopwright: Loopwright) -> None:
    """A run that ended as failed can be taken up like an escalated one."""
    assert loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1, "--no-escalate").code == 5
    called = loopwright("resume", "last", "--json")
    assert (called.code, called.json["status"], called.json["iterations"]) == (5, "failed", 2)


def test_what_is_granted_counts_from_now_on(repo: Repo, loopwright: Loopwright) -> None:
    """--max-iterations grants so many more, whatever the task said."""
    assert loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 2).code == 5
    called = loopwright("resume", "last", "--max-iterations", 1, "--json")
    assert (called.code, called.json["iterations"]) == (5, 3)
    assert "iterations used up: 3" in called.json["detail"]


def spends(dollars: float) -> list[str]:
    line = json.dumps({"type": "result", "is_error": False, "result": "ok", "total_cost_usd": dollars})
    return [*agent("date +%N >> notes", f"echo '{line}'")]


def test_more_money(repo: Repo, loopwright: Loopwright) -> None:
    """--max-cost grants so much more; without it, the task's own limit is granted again."""
    assert loopwright("run", "Fix it", *TEST, *spends(1), "--max-cost", 1).code == 7
    called = loopwright("resume", "last", "--max-cost", 2, "--json")
    assert (called.code, called.json["cost_usd"], called.json["iterations"]) == (7, 3.0, 3)
    called = loopwright("resume", "last", "--json")
    assert (called.code, called.json["cost_usd"], called.json["iterations"]) == (7, 4.0, 4)


def test_more_time(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """--timeout grants so much more time of work; waiting for a person does not count."""
    slow = agent(f"[ -e {tmp_path}/quick ] || sleep 60", "echo 42 > answer")
    assert loopwright("run", "Fix it", *TEST, *slow, "--timeout", "1s").code == 7
    (tmp_path / "quick").touch()
    assert loopwright("resume", "last", "--timeout", "1m").code == 0


def test_a_comment_is_the_next_instruction(repo: Repo, loopwright: Loopwright) -> None:
    """A person's comment is in the prompts from then on, and not before: an agent remembers nothing."""
    assert loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1).code == 5
    called = loopwright("resume", "last", "--comment", "Look at the file `answer`.", "--max-iterations", 2, "--json")
    before, *after = prompts(called.json)
    assert "Look at the file" not in before
    assert len(after) == 2
    assert all("# A person says\n\nLook at the file `answer`.\n" in prompt for prompt in after)
    assert loopwright("show", "--json").json["comments"][0]["text"] == "Look at the file `answer`."


def test_an_empty_comment_is_refused(repo: Repo, loopwright: Loopwright) -> None:
    """A comment that says nothing is a mistake."""
    loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1)
    called = loopwright("resume", "last", "--comment", " ")
    assert (called.code, called.out) == (2, "")
    assert "the comment is empty" in called.err


def test_unknown(repo: Repo, loopwright: Loopwright) -> None:
    """A run that nobody knows is refused, and it is said where the known ones are."""
    called = loopwright("resume", "abcdef12")
    assert called.code == 2
    assert "no run `abcdef12`" in called.err
    loopwright("run", "x", "--file", "answer", *BUSY)
    assert "loopwright runs" in loopwright("resume", "abcdef12").err


def test_ambiguous(repo: Repo, loopwright: Loopwright) -> None:
    """The first digits of an id are the time, and may mean two runs: both are named."""
    first = loopwright("run", "one", "--file", "answer", *BUSY, "--json").json["run_id"]
    second = loopwright("run", "two", "--file", "answer", *BUSY, "--json").json["run_id"]
    called = loopwright("resume", first[:6])
    assert called.code == 2
    assert first in called.err and second in called.err


def test_done(repo: Repo, loopwright: Loopwright) -> None:
    """A run that is done is not resumed; it says how to take the work."""
    branch = loopwright("run", "x", "--file", "answer", *BUSY, "--json").json["branch"]
    called = loopwright("resume", "last", "--comment", "more")
    assert called.code == 2
    assert f"git merge {branch}" in called.err
    assert repo.statuses() == ["done"]
    assert loopwright("show", "--json").json["comments"] == []


def test_closed(repo: Repo, loopwright: Loopwright) -> None:
    """A closed run is not resumed; it says why it was closed."""
    loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1)
    loopwright("close", "last", "--reason", "done by hand")
    called = loopwright("resume", "last")
    assert called.code == 2
    assert "done by hand" in called.err


def test_an_unverifiable_run_is_looked_at_again(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Resumed without the missing program it is still unverifiable; with it, the run goes on."""
    tool = tmp_path / "tools" / "my-runner"
    flags = ("--test", str(tool), *agent("echo 42 > answer"), "--json")
    assert loopwright("run", "Fix it", *flags).code == 4
    called = loopwright("resume", "last", "--json")
    assert (called.code, called.json["iterations"]) == (4, 0)
    assert len(called.json["checks"]) == 1
    assert len(loopwright("queue", "--json").json[0]["failed"]) == 1
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\ngrep -qx 42 answer\n")
    tool.chmod(0o755)
    assert loopwright("resume", "last").code == 0


def test_what_a_person_did_on_the_branch_is_judged_first(repo: Repo, loopwright: Loopwright) -> None:
    """A person who finishes the work on the run's branch gets it judged, and no agent is started for it."""
    first = loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1, "--json").json
    repo.git("switch", "-q", first["branch"])
    repo.write("answer", "42\n")
    repo.commit("by hand")
    repo.git("switch", "-q", "main")
    called = loopwright("resume", "last", "--json")
    assert (called.code, called.json["iterations"], called.json["reason"]) == (0, 1, "criteria_met")
    assert [check["verdict"] for check in called.json["checks"]] == ["pass"]


CHEAT = agent("echo 42 > answer", 'echo "# $(date +%N)" >> test.sh')
ACCEPT = ("--accept-taint", "--by", "Ada", "--reason", "the test was wrong")


@pytest.mark.parametrize(
    "flags",
    [
        ("--accept-taint",),
        ("--accept-taint", "--by", "Ada"),
        ("--accept-taint", "--reason", "x"),
        ("--accept-taint", "--by", " ", "--reason", "x"),
        ("--accept-taint", "--by", "Ada", "--reason", " "),
        ("--by", "Ada"),
        ("--reason", "x"),
        ("--by", "Ada", "--reason", "x"),
    ],
    ids=" ".join,
)
def test_a_persons_word_is_whole(flags: tuple[str, ...], repo: Repo, loopwright: Loopwright) -> None:
    """Without a name and a reason nothing is accepted, and a name without an acceptance is a mistake."""
    called = loopwright("resume", "last", *flags)
    assert (called.code, called.out) == (2, "")
    assert "--accept-taint, --by and --reason go together" in called.err


def test_nothing_to_accept(repo: Repo, loopwright: Loopwright) -> None:
    """A run that is not tainted has nothing that could be accepted, and stays as it is."""
    loopwright("run", "Fix it", *TEST, *BUSY, "--max-iterations", 1)
    called = loopwright("resume", "last", *ACCEPT)
    assert called.code == 2
    assert "is not tainted" in called.err
    assert repo.statuses() == ["escalated"]


def test_accepted(repo: Repo, loopwright: Loopwright) -> None:
    """What a person accepts ends the run as done, without another go of the agent, and with their word on record."""
    first = loopwright("run", "Fix it", *TEST, *CHEAT, "--max-iterations", 1, "--json")
    assert (first.code, first.json["reason"]) == (3, "tainted")
    assert "test.sh" in Path(first.json["artifacts"]["tampering"]).read_text()
    called = loopwright("resume", "last", *ACCEPT, "--json")
    assert (called.code, called.json["reason"], called.json["iterations"]) == (0, "criteria_met", 1)
    assert "accepted by Ada (the test was wrong)" in called.json["detail"]
    assert called.json["checks"][0]["proof"]["tampering"] == []
    assert repo.query("SELECT by, reason FROM acceptances") == [("Ada", "the test was wrong")]


def test_what_was_accepted_and_changed_again(repo: Repo, loopwright: Loopwright) -> None:
    """A person's word is for the content that they saw: another change of the same file taints again."""
    flags = (*TEST, "--file", "never", *CHEAT, "--max-iterations", 1, "--json")
    assert loopwright("run", "Fix it", *flags).code == 3
    called = loopwright("resume", "last", *ACCEPT, "--max-iterations", 1, "--json")
    assert (called.code, called.json["reason"], called.json["iterations"]) == (3, "tainted", 2)
    assert [item["path"] for item in called.json["checks"][0]["proof"]["tampering"]] == ["test.sh"]
    again = loopwright("resume", "last", *ACCEPT, "--max-iterations", 1, "--json")
    assert (again.code, again.json["iterations"]) == (3, 3)
    assert repo.query("SELECT count(*) FROM acceptances") == [(2,)]


def test_an_accepted_run_can_stay_unmet(repo: Repo, loopwright: Loopwright) -> None:
    """An acceptance says nothing of the other criteria."""
    once = agent("[ -e done ] || echo '# more' >> test.sh", "touch done; date +%N > notes")
    assert loopwright("run", "Fix it", *TEST, *once, "--max-iterations", 1).code == 3
    called = loopwright("resume", "last", *ACCEPT, "--max-iterations", 1, "--json")
    assert (called.code, called.json["reason"]) == (5, "criteria_unmet")


def test_a_lying_runner_that_is_accepted(repo: Repo, loopwright: Loopwright) -> None:
    """A taint without a file can be accepted as well: the runner is not put to the proof again in this run."""
    case = "import unittest\nimport code_\nclass A(unittest.TestCase):\n    def test_a(self): code_.check()\n"
    repo.write("test_a.py", case)
    repo.write("code_.py", "def check(): raise ValueError\n")
    repo.commit()
    lie = agent("printf 'import atexit, os\\natexit.register(os._exit, 0)\\ndef check(): pass\\n' > code_.py")
    unittest = ("--test", f"{sys.executable} -m unittest")
    assert loopwright("run", "Fix it", *unittest, *lie, "--max-iterations", 1).code == 3
    called = loopwright("resume", "last", *ACCEPT, "--json")
    assert (called.code, called.json["iterations"]) == (0, 1), called.err
    assert "accepted by Ada" in called.json["detail"]
    assert loopwright("verify").code == 0
