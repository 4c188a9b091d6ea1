"""Signals are heard whatever keeps us: a store that can't be written, a closed terminal, a reader that has left."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from world import PROGRAM, Loopwright, Repo, agent, alive, start, wait_for

TEST = ("--test", "sh test.sh")


@contextmanager
def locked(repo: Repo) -> Iterator[None]:
    """Keep everybody from writing to the store."""
    with closing(sqlite3.connect(repo.root / ".loopwright/store.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("BEGIN IMMEDIATE")
        yield


def talks(trace: Path) -> tuple[str, ...]:
    """Give an agent that says something all the time, and so makes us write."""
    return agent(f"echo $$ > {trace}.new; mv {trace}.new {trace}", "while true; do echo tick; sleep 0.1; done")


def test_twice_while_the_store_can_not_be_written(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Once ends the agent although we wait for the store; twice ends us within seconds. The run can be resumed."""
    trace = tmp_path / "trace"
    process = start("run", "x", *TEST, *talks(trace), cwd=repo.root)
    pid = int(wait_for(lambda: trace.exists() and trace.read_text()))
    with locked(repo):
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        wait_for(lambda: not alive(pid), 8)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert "loopwright resume --all" in err and "Traceback" not in err
    assert "1 run was cut short" in loopwright("run", "met", "--file", "answer", *agent("true")).err


def test_a_time_limit_holds_while_the_store_can_not_be_written(repo: Repo, tmp_path: Path) -> None:
    """An agent that keeps us from writing does not get more time by it."""
    trace = tmp_path / "trace"
    process = start("run", "x", *TEST, *talks(trace), "--timeout", "3s", cwd=repo.root)
    pid = int(wait_for(lambda: trace.exists() and trace.read_text()))
    with locked(repo):
        wait_for(lambda: not alive(pid), 10)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 7, err


def test_a_closed_terminal_cancels(repo: Repo, tmp_path: Path) -> None:
    """SIGHUP is as good as Ctrl-C; who was started with nohup does not hear it."""
    trace = tmp_path / "trace"
    process = start("run", "x", *TEST, *talks(trace), cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert repo.statuses() == ["cancelled"]


def test_nobody_reads_any_more(repo: Repo, tmp_path: Path) -> None:
    """A run whose output leads nowhere, as of `| head -1`, works on to its end."""
    reader, writer = os.pipe()
    argv = [*PROGRAM, "run", "x", *TEST, *agent("sleep 0.3", "echo 42 > answer")]
    with subprocess.Popen(argv, cwd=repo.root, stdout=writer, stderr=writer):
        os.close(writer)
        os.read(reader, 10)
        os.close(reader)
    assert repo.statuses() == ["done"]


def test_an_agent_that_stops_its_keeper(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Who stops the process that watches it is watched all the same: that one is woken up."""
    stops = agent("echo 42 > answer; kill -STOP $PPID; echo stopped")
    began = time.monotonic()
    assert loopwright("run", "x", *TEST, *stops, "--idle-timeout", "60s").code == 0
    assert time.monotonic() - began < 15


def test_time_is_not_forgotten_at_a_kill(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What an attempt had used when we were killed counts for the time of the run."""
    trace = tmp_path / "trace"
    process = start("run", "x", *TEST, *talks(trace), "--timeout", "4s", cwd=repo.root)
    wait_for(trace.exists)
    wait_for(lambda: repo.query("SELECT 1 FROM attempts WHERE duration_s > 1.5"))
    process.kill()
    process.communicate(timeout=30)
    began = time.monotonic()
    assert loopwright("resume", "last").code == 7
    assert time.monotonic() - began < 10
    (spent,) = repo.query("SELECT duration_s FROM runs")[0]
    assert spent >= 4


@pytest.mark.parametrize("keep", ["1000000d", "0s"])
def test_any_time_to_keep(repo: Repo, loopwright: Loopwright, keep: str) -> None:
    """A time longer than there has been is no mistake."""
    assert loopwright("gc", "--keep", keep).code == 0


@pytest.mark.parametrize("how", ["rm", "mv"])
def test_the_store_is_taken_away(repo: Repo, tmp_path: Path, how: str) -> None:
    """A run whose record is gone says so, and does not call itself done."""
    trace = tmp_path / "trace"
    waits = agent(f"touch {trace}", f"while [ -e {trace} ]; do sleep 0.05; done", "echo 42 > answer")
    process = start("run", "x", *TEST, *waits, cwd=repo.root)
    wait_for(trace.exists)
    store = repo.root / ".loopwright/store.sqlite"
    store.unlink() if how == "rm" else store.rename(tmp_path / "store.sqlite")
    trace.unlink()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1, out
    assert "was removed or replaced while it was in use" in err and "Traceback" not in err


def test_no_restore_over_runs_at_work(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Also by force a store is not replaced under those who write to it."""
    loopwright("run", "met", "--file", "answer", *agent("true"))
    assert loopwright("backup", tmp_path / "backup").code == 0
    trace = tmp_path / "trace"
    process = start("run", "x", *TEST, *talks(trace), cwd=repo.root)
    wait_for(trace.exists)
    called = loopwright("restore", tmp_path / "backup", "--force")
    assert called.code == 2 and f"process {process.pid} is at work" in called.err
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert loopwright("restore", tmp_path / "backup", "--force").code == 0
    assert repo.statuses() == ["done"]


def test_a_clone_that_was_made_a_link(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """An agent that puts a link to the checkout in the place of its clone does not make us write there."""
    before = sorted(path.name for path in repo.root.iterdir())
    evil = agent('clone=$(dirname $(dirname "$PWD"))', f'mv "$clone" {tmp_path}/moved; ln -s {repo.root} "$clone"')
    loopwright("run", "x", *TEST, *evil, "--max-iterations", 1)
    loopwright("resume", "last", "--max-iterations", 1)
    loopwright("gc", "--keep", "0s")
    after = sorted(path.name for path in repo.root.iterdir() if path.name != ".loopwright")
    assert after == [name for name in before if name != ".loopwright"]
