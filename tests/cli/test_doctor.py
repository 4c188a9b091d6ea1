from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from playing import stand_in
from world import Loopwright, Repo, agent


def states(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["name"]: row["state"] for row in rows}


def test_in_a_repository(repo: Repo, loopwright: Loopwright) -> None:
    """Where all is well it leaves with 0, says what it found, and makes nothing."""
    called = loopwright("doctor", "--json")
    assert called.code == 0
    found = states(called.json)
    needed = ("python", "git", "repository", "store", "clones")
    assert [found[name] for name in needed] == ["ok"] * len(needed)
    assert {"agent command", "agent api", "agent acp", "sandbox"} <= set(found)
    assert "agent scripted" not in found
    assert found["settings"] == "note"  # no agent is set, and none is installed
    assert all(set(row) == {"name", "state", "detail", "hint"} for row in called.json)
    assert not (repo.root / ".loopwright").exists()
    out = loopwright("doctor").out
    assert "✓ python" in out and str(repo.root) in out


def test_outside_of_a_repository(loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of a repository it leaves with 1 and says how to make one."""
    monkeypatch.chdir(tmp_path)
    called = loopwright("doctor", "--json")
    assert called.code == 1
    assert states(called.json)["repository"] == "missing"
    called = loopwright("doctor")
    assert called.code == 1
    assert "✗ repository" in called.out and "git init" in called.out


def test_a_dirty_checkout_is_noted(repo: Repo, loopwright: Loopwright) -> None:
    """Uncommitted changes are not part of a run, which is said and is no fault; the settings are read as they are."""
    repo.write("loopwright.toml", "[run]\nmax_iterations = 3\n")
    assert states(loopwright("doctor", "--json").json)["repository"] == "ok"
    repo.write("answer", "43\n")
    called = loopwright("doctor", "--json")
    assert called.code == 0
    assert states(called.json)["repository"] == "note"
    assert "1 uncommitted change\n" in loopwright("doctor").out


def test_broken_settings(repo: Repo, loopwright: Loopwright) -> None:
    """Settings that can't be read are missing, with the place of the mistake."""
    repo.write("loopwright.toml", "[run]\nmax_iteration = 1\n")
    called = loopwright("doctor")
    assert called.code == 1
    assert "✗ settings" in called.out and called.out.count("did you mean `max_iterations`?") == 1
    repo.write("loopwright.toml", "[profile.fast]\n")
    assert "did you mean `[profiles]`?" in loopwright("doctor").out
    repo.write("loopwright.toml", "[run\n")
    called = loopwright("doctor")
    assert called.out.count("`loopwright.toml` can't be read") == 1
    assert "→ mend it there" in called.out


def test_the_queue_is_counted(repo: Repo, loopwright: Loopwright) -> None:
    """The store's line says how many runs wait for a human."""
    loopwright("run", "x", "--test", "sh test.sh", *agent("true"), "--max-iterations", 1)
    assert "1 in the queue" in loopwright("doctor").out


def test_a_broken_store(repo: Repo, loopwright: Loopwright) -> None:
    """A broken store is told with exit code 1 and with the way to mend it, and stays as it is."""
    loopwright("run", "x", "--test", "sh test.sh", *agent("echo 42 > answer"))
    store = repo.root / ".loopwright" / "store.sqlite"
    store.write_bytes(store.read_bytes()[:9000])
    called = loopwright("doctor")
    assert called.code == 1
    assert "✗ store" in called.out and "is broken" in called.out and "loopwright restore FILE --force" in called.out
    assert store.stat().st_size == 9000


def test_an_older_store_is_left_as_it_is(repo: Repo, loopwright: Loopwright) -> None:
    """A store that was not migrated yet is noted, and is not migrated by looking at it."""
    loopwright("run", "x", "--test", "sh test.sh", *agent("echo 42 > answer"))
    with closing(sqlite3.connect(repo.root / ".loopwright" / "store.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
        connection.commit()
    called = loopwright("doctor")
    assert called.code == 0
    assert "· store" in called.out and "will be migrated by the next command, with a backup first" in called.out
    assert "version 0002: 1 runs, 0 running, 0 in the queue; sound" in called.out
    assert repo.query("SELECT version_num FROM alembic_version") == [("0002",)]


def test_no_git(repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git it says so, with exit code 1 and no traceback; and so does a run."""
    monkeypatch.setenv("PATH", str(tmp_path))
    called = loopwright("doctor")
    assert called.code == 1
    assert "✗ git" in called.out
    assert "Traceback" not in called.err
    called = loopwright("run", "x", "--file", "answer")
    assert called.code == 1
    assert "git is not installed" in called.err


def test_the_settings_are_as_good_as_their_agent(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the agent that would be picked is not logged in or too old, so says the line of the settings."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    repo.write("loopwright.toml", '[run]\nagent = "codex"\n')
    tools = tmp_path / "tools"
    tools.mkdir()
    program = stand_in(tools, "codex", "codex-cli 0.166.0")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    assert "· settings" in (out := loopwright("doctor").out) and "the agent `codex` is not logged in" in out
    monkeypatch.setenv("CODEX_API_KEY", "x")
    assert "✓ settings" in loopwright("doctor").out
    stand_in(tools, Path(program).name, "codex-cli 0.119.0")
    assert "· settings" in (out := loopwright("doctor").out) and "Codex 0.119.0 is too old" in out
