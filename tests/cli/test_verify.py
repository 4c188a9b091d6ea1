from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, start, wait_for

TEST = ("--test", "sh test.sh")
FIX = agent("echo 42 > answer")


def test_a_proof_that_holds(repo: Repo, loopwright: Loopwright) -> None:
    """The checks of a run are computed once more from its commit, whatever lies in the checkout now."""
    result = loopwright("run", "Fix it", *TEST, "--held-out-test", "grep 42 answer", *FIX, "--json").json
    repo.write("answer", "0\n")
    called = loopwright("verify")
    assert called.code == 0
    assert "holds" in called.out and "✓ test sh test.sh" in called.out
    found = loopwright("verify", result["run_id"], "--json").json
    assert (found["schema"], found["run_id"], found["holds"]) == (1, result["run_id"], True)
    assert [item["criterion"] for item in found["checks"]] == ["test sh test.sh", "test grep 42 answer"]
    for item, check in zip(found["checks"], result["checks"], strict=True):
        assert (item["recorded"], item["verdict"], item["trouble"]) == ("pass", "pass", "")
        assert item["proof"]["judged_tree"] == check["proof"]["judged_tree"]
        assert item["tree_hash"] == check["tree_hash"]


def test_a_proof_that_does_not_hold_any_more(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """5 where a check comes out otherwise now, with what was and what is."""
    flags = ("--test", f"sh -c 'grep -qx 42 answer && test ! -e {tmp_path}/gone'", *FIX)
    assert loopwright("run", "Fix it", *flags).code == 0
    (tmp_path / "gone").touch()
    called = loopwright("verify", "last")
    assert called.code == 5
    assert "does not hold any more" in called.out and "it was pass, and is fail now" in called.out
    assert loopwright("verify", "--json").json["holds"] is False


def test_a_record_that_was_forged(repo: Repo, loopwright: Loopwright) -> None:
    """A record of another tree than the one that is judged is found out."""
    assert loopwright("run", "Fix it", *TEST, *FIX).code == 0
    with closing(sqlite3.connect(repo.root / ".loopwright" / "store.sqlite")) as connection:
        for check_id, proof in connection.execute("SELECT id, proof FROM checks").fetchall():
            forged = json.dumps({**json.loads(proof), "judged_tree": "1" * 40})
            connection.execute("UPDATE checks SET proof = ? WHERE id = ?", (forged, check_id))
        connection.commit()
    called = loopwright("verify")
    assert called.code == 5
    assert "another tree would be judged" in called.out


def test_an_unmet_run(repo: Repo, loopwright: Loopwright) -> None:
    """A run that was not done is verified as well: its checks fail as they did."""
    assert loopwright("run", "Fix it", *TEST, *agent("true"), "--max-iterations", 1).code == 5
    assert loopwright("verify").code == 0


def test_a_tainted_run_that_was_accepted(repo: Repo, loopwright: Loopwright) -> None:
    """What a person has accepted is accepted here too."""
    cheat = agent("echo 42 > answer; echo '# better' >> test.sh")
    assert loopwright("run", "Fix it", *TEST, *cheat, "--max-iterations", 1).code == 3
    assert loopwright("verify", "--json").json["checks"][0]["verdict"] == "tainted"
    assert loopwright("resume", "last", "--accept-taint", "--by", "Ada", "--reason", "right").code == 0
    found = loopwright("verify", "--json")
    assert (found.code, found.json["checks"][0]["verdict"]) == (0, "pass")


def test_work_that_is_gone(repo: Repo, loopwright: Loopwright) -> None:
    """A commit that nobody has any more can't be verified, which is said."""
    branch = loopwright("run", "Fix it", *TEST, *FIX, "--json").json["branch"]
    loopwright("gc")
    repo.git("branch", "-D", branch)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    called = loopwright("verify")
    assert called.code == 1
    assert "is not in the repository any more" in called.err


@pytest.mark.parametrize("name", ["last", "abcdef12"])
def test_no_such_run(name: str, repo: Repo, loopwright: Loopwright) -> None:
    """2 where nobody knows the run."""
    assert loopwright("verify", name).code == 2


def test_a_run_at_work(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run that has not ended has no proof yet."""
    process = start("run", "x", *TEST, *agent(f"touch {tmp_path}/trace; sleep 60"), cwd=repo.root)
    wait_for((tmp_path / "trace").exists)
    called = loopwright("verify")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert called.code == 2
    assert "has not ended" in called.err
