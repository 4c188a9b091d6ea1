from __future__ import annotations

from pathlib import Path

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def test_runs_are_kept(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A store with runs is refused, with how to go on; by force it is replaced, and kept where it is said to be."""
    file = tmp_path / "copy.backup"
    loopwright("run", "One", *TEST, *agent("echo 42 > answer"))
    loopwright("backup", file)
    loopwright("run", "Two", *TEST, *agent("echo 42 > answer"))
    called = loopwright("restore", file)
    assert called.code == 2
    assert "holds 2 runs already" in called.err and "--force" in called.err
    called = loopwright("restore", file, "--force")
    assert called.code == 0
    assert repo.statuses() == ["done"]
    kept = called.err.splitlines()[0].removeprefix("what was there is in ")
    assert loopwright("restore", kept, "--force").code == 0
    assert repo.statuses() == ["done", "done"]


def test_what_is_no_backup(repo: Repo, loopwright: Loopwright) -> None:
    """A file that is no backup is refused without a traceback, and no store is made."""
    called = loopwright("restore", "README.md")
    assert called.code == 1
    assert "the backup `README.md` is broken" in called.err
    assert loopwright("restore", "nowhere").code == 2
    assert not (repo.root / ".loopwright" / "store.sqlite").exists()
