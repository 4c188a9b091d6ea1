from __future__ import annotations

from pathlib import Path

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def test_a_backup_says_what_it_holds(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """The file is written and its content told; a second one needs another name or --force."""
    file = tmp_path / "copy.backup"
    assert "there is no store" in loopwright("backup", file).err
    loopwright("run", "One", *TEST, *agent("echo 42 > answer"))
    called = loopwright("backup", file)
    assert (called.code, called.out) == (0, "")
    assert called.err.startswith(f"wrote {file}: 1 run, ")
    assert file.is_file()
    called = loopwright("backup", file)
    assert called.code == 2
    assert "is there already" in called.err
    assert loopwright("backup", file, "--force").code == 0


def test_a_restored_run_can_be_resumed(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run that waits for a human is resumed from a backup as if nothing had happened."""
    later = agent("date +%N >> notes", '[ "$LOOPWRIGHT_ITERATION" = 1 ] || echo 42 > answer')
    waiting = loopwright("run", "Two", *TEST, *later, "--max-iterations", 1, "--json").json
    file = tmp_path / "copy.backup"
    loopwright("backup", file)
    shown = loopwright("show", "--json").json
    for part in (repo.root / ".loopwright").glob("store.sqlite*"):
        part.unlink()
    called = loopwright("restore", file)
    assert (called.code, called.out) == (0, "")
    assert "store.sqlite: 1 run, " in called.err
    assert loopwright("show", "--json").json == shown
    called = loopwright("resume", waiting["run_id"], "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
