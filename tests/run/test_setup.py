"""Environments that a command of the user's makes: once for the same lock files, in a checkout of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import RUN, Clone, fingerprint

from loopwright.errors import SetupError
from loopwright.records.check import Verdict
from loopwright.records.environment import Environment
from loopwright.run.baseline import Baseline
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.judge import Judge, Occasion
from loopwright.run.place import Site
from world import Repo, wait_for


@pytest.fixture
def locked(project: Repo) -> Repo:
    """Give a project with a lock file and a script that makes its environment."""
    project.write("uv.lock", "one\n")
    project.write("make_env.sh", "mkdir -p .venv/bin; cp uv.lock .venv/locked; pwd > .venv/made_at; echo x >> $LOG\n")
    project.write(".gitignore", ".venv/\n")
    project.commit()
    return project


@pytest.fixture
def clone(locked: Repo, make_clone: Callable[[Path], Clone], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """Give a clone whose checks need that script."""
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    made = make_clone(locked.root)
    made.room.site = Site("auto", setup="sh make_env.sh", cache=tmp_path / "shared")
    made.prepare()
    return made


def made(tmp_path: Path) -> int:
    """Count how often an environment was made."""
    log = tmp_path / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_made_once_for_the_same_lock_file(clone: Clone, tmp_path: Path) -> None:
    """Commits with the same lock file share an environment, in this run and in the next; another one has its own."""
    start = clone.commit
    clone.room.enter(start)
    assert clone.shell("cat .venv/locked") == "one\n"
    (clone.files / "src" / "app.py").write_text("VALUE = 2\n")
    clone.room.enter(clone.snapshot().commit)
    assert clone.shell("cat .venv/locked src/app.py") == "one\nVALUE = 2\n"
    assert made(tmp_path) == 1
    (clone.files / "uv.lock").write_text("two\n")
    clone.room.enter(clone.snapshot().commit)
    assert clone.shell("cat .venv/locked src/app.py") == "two\nVALUE = 2\n"
    assert made(tmp_path) == 2
    clone.room.enter(start)
    assert clone.shell("cat .venv/locked src/app.py") == "one\nVALUE = 1\n"
    assert (made(tmp_path), clone.room.place_name) == (2, "setup")


def test_the_users_checkout_is_not_involved(clone: Clone, locked: Repo) -> None:
    """The environment is made in a checkout of its own; the user's has neither it nor a trace of it."""
    locked.write(".venv/locked", "the user's\n")
    before = fingerprint(locked.root)
    clone.room.enter(clone.commit)
    said = clone.shell("cat .venv/locked .venv/made_at; pwd").splitlines()
    assert said[0] == "one"
    assert str(locked.root) not in said
    assert fingerprint(locked.root) == before


def test_what_a_check_does_to_it_is_undone(clone: Clone) -> None:
    """A check can't spoil the environment for those after it."""
    clone.room.enter(clone.commit)
    clone.shell("echo spoiled > .venv/locked")
    assert clone.shell("cat .venv/locked") == "one\n"


def test_another_command_makes_another(clone: Clone, tmp_path: Path) -> None:
    """The command is a part of what an environment is known by."""
    clone.room.enter(clone.commit)
    clone.room.close()
    clone.room.site = Site("auto", setup="sh make_env.sh; echo more > .venv/locked", cache=tmp_path / "shared")
    clone.room.enter(clone.commit)
    assert (clone.shell("cat .venv/locked"), made(tmp_path)) == ("more\n", 2)


def test_without_a_lock_file_the_manifest_decides(clone: Clone, tmp_path: Path) -> None:
    """What would be locked decides where nothing is."""
    (clone.files / "uv.lock").unlink()
    (clone.files / "make_env.sh").write_text("mkdir .venv; echo x >> $LOG\n")
    (clone.files / "pyproject.toml").write_text("one")
    for text, expected in (("one", 1), ("one", 1), ("two", 2)):
        (clone.files / "pyproject.toml").write_text(text)
        (clone.files / "notes").write_text(f"{text} {expected}")
        clone.room.enter(clone.snapshot().commit)
        assert made(tmp_path) == expected


def test_a_command_that_fails(clone: Clone, tmp_path: Path) -> None:
    """It is said what it printed, and it is tried again the next time, from a clean checkout."""
    clone.room.site = Site(
        "auto", setup="test ! -e half; touch half; echo no network; exit 1", cache=tmp_path / "shared"
    )
    for _ in range(2):
        with pytest.raises(SetupError, match=r"(?s)setup failed: .*no network"):
            clone.room.enter(clone.commit)


def test_what_a_failing_command_comes_to(clone: Clone, tmp_path: Path) -> None:
    """At the base nothing can be told; at a commit of the agent's, it is the agent who broke it."""
    clone.room.site = Site("auto", setup="grep one uv.lock", cache=tmp_path / "shared")
    judge = Judge(clone.room, clone.commit, RUN, clone.examiner(), Baseline(tmp_path / "baselines", clone.root))
    (clone.files / "uv.lock").write_text("broken\n")
    (check,) = judge.judge([TestCriteria("true")], clone.snapshot().commit, Occasion(Environment()))
    assert check.verdict is Verdict.FAIL
    assert "setup failed" in check.evidence
    clone.room.site = Site("auto", setup="false", cache=tmp_path / "shared")
    (check,) = judge.preflight([TestCriteria("true")], Environment())
    assert check.verdict is Verdict.UNVERIFIABLE


def test_several_at_once_make_one(clone: Clone, locked: Repo, tmp_path: Path) -> None:
    """Runs that start at the same time wait for the one that makes the environment."""
    others = [Clone(locked.root, tmp_path / f"clone{number}") for number in range(3)]
    for other in others:
        other.room.site = clone.room.site
        other.prepare()
    threads = [threading.Thread(target=other.room.enter, args=[other.commit]) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made(tmp_path) == 1
    assert [other.shell("cat .venv/locked") for other in others] == ["one\n"] * 3


def test_cancelled_while_another_makes_it(clone: Clone, locked: Repo, tmp_path: Path) -> None:
    """One who waits for another run's environment stops waiting when it is cancelled."""
    slow = Site("auto", setup=f"touch {tmp_path}/begun; sleep 30", cache=tmp_path / "shared")
    other = Clone(locked.root, tmp_path / "other")
    for each in (clone, other):
        each.room.site = slow
    other.prepare()
    failures: list[object] = []

    def enter() -> None:
        with pytest.raises(SetupError) as error:
            other.room.enter(other.commit)
        failures.append(error.value)

    maker = threading.Thread(target=enter)
    maker.start()
    wait_for((tmp_path / "begun").exists)
    threading.Timer(0.2, clone.room.cancel.set).start()
    started = time.monotonic()
    with pytest.raises(SetupError, match="another run"):
        clone.room.enter(clone.commit)
    assert time.monotonic() - started < 10
    other.room.cancel.set()
    maker.join()
    assert len(failures) == 1
