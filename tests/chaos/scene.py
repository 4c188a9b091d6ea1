"""A repository in which things go wrong, and what must hold afterwards: by the word of the store, git and /proc."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from loopwright.process.identity import alive
from world import Repo

WORDS = 8
"""So much an agent says in one go."""
DRIVER = Path(__file__).with_name("driver.py")


@dataclass
class Scene:
    """One repository, one store, one agent that notes when it works and whether it is alone."""

    repo: Repo
    folder: Path
    url: str = ""
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    crashes: int = 0

    @property
    def acknowledged(self) -> Path:
        return self.folder / "acknowledged"

    @property
    def trace(self) -> Path:
        return self.folder / "trace"

    def agent(self, seconds: float = 0.05) -> str:
        """Write an agent that needs two goes; it says `doubled` when another one is at work in the same clone."""
        script = self.folder / "agent.sh"
        script.write_text(
            f"exec 9> {self.folder}/alone-$(basename $(dirname $(dirname $PWD)))\n"
            f"flock -n 9 || echo doubled >> {self.trace}\n"
            f"echo begin $$ >> {self.trace}\n"
            "cat > /dev/null\n"
            f"for n in $(seq {WORDS}); do echo word $n; done\n"
            f"sleep {seconds}\n"
            "if [ -e half ]; then echo 42 > answer; else echo half > half; fi\n"
            f"echo end $$ >> {self.trace}\n"
        )
        return f"sh {script}"

    def environment(self) -> dict[str, str]:
        store = {"LOOPWRIGHT_STORE": self.url} if self.url else {}
        return {**os.environ, "CHAOS_MARK": self.mark, **store}

    def drive(self, *words: object, at: int = 0, side: str = "after") -> subprocess.CompletedProcess[str]:
        """Run the driver to its end, or to its death."""
        argv = [sys.executable, str(DRIVER), str(at), side, str(self.acknowledged), *map(str, words)]
        return subprocess.run(
            argv, cwd=self.repo.root, env=self.environment(), capture_output=True, text=True, timeout=120
        )

    def start(self, *words: object) -> subprocess.Popen[str]:
        """Start the command line."""

        argv = [str(Path(sys.executable).with_name("loopwright")), *map(str, words)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            argv,
            cwd=self.repo.root,
            env=self.environment(),
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the database, without Loopwright; there is nothing where it was not made yet."""
        if not self.url and not (self.repo.root / ".loopwright/store.sqlite").exists():
            return []
        url = self.url.replace("postgresql://", "postgresql+psycopg://") or (
            f"sqlite:///{self.repo.root}/.loopwright/store.sqlite"
        )
        engine = create_engine(url)
        try:
            with engine.connect() as connection:
                return [tuple(row) for row in connection.execute(text(sql))]
        except OperationalError as error:
            if "no such table" in str(error):
                return []
            raise
        finally:
            engine.dispose()

    def is_locked(self) -> bool:
        """Whether somebody is within a write to the file, so that nobody else can write."""
        if self.url:
            return False
        with closing(sqlite3.connect(self.repo.root / ".loopwright/store.sqlite", timeout=0.1)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
        return False

    def living(self) -> list[str]:
        """Name the processes that carry our mark, ourselves apart."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                try:
                    if f"CHAOS_MARK={self.mark}".encode() in (folder / "environ").read_bytes():
                        found.append(f"{folder.name} {(folder / 'cmdline').read_bytes()[:80]!r}")
                except OSError:
                    continue
        return found

    def lost(self) -> int:
        """Count the events that the store acknowledged and does not have, and words of agents that are not in it."""
        finished = self.query("SELECT id FROM attempts WHERE ending = 'finished'")
        said = dict(self.query("SELECT attempt_id, count(*) FROM events WHERE kind = 'message' GROUP BY attempt_id"))
        missing = sum(WORDS - said.get(attempt, 0) for (attempt,) in finished)
        if not self.acknowledged.exists():
            return missing
        told = [tuple(line.split()) for line in self.acknowledged.read_text().splitlines()]
        there = {(str(seq), kind) for seq, kind in self.query("SELECT seq, kind FROM events")}
        return missing + sum(event not in there for event in told)

    def doubled(self) -> int:
        """Count the agents that were not alone, and events that have gaps or come twice."""
        lines = self.trace.read_text().splitlines() if self.trace.exists() else []
        gaps = self.query("SELECT run_id FROM events GROUP BY run_id HAVING max(seq) <> count(*)")
        return lines.count("doubled") + len(gaps)

    def begun(self) -> int:
        """Count how often an agent began."""
        return self.trace.read_text().count("begin") if self.trace.exists() else 0

    def assert_whole(self, runs: int = 1, goes: int = 2) -> None:
        """Everything has ended well, and no more was done twice than crashes explain."""
        assert [row[0] for row in self.query("SELECT status FROM runs")] == ["done"] * runs
        assert self.lost() == 0, "acknowledged events are not in the store"
        assert self.doubled() == 0, "two agents in one clone, or events with gaps"
        assert self.begun() <= runs * goes + self.crashes, "more than one attempt was done again for a crash"
        open_attempts = self.query("SELECT id FROM attempts WHERE ending IS NULL")
        assert open_attempts == []
        assert not [
            holder
            for (holder,) in self.query("SELECT holder FROM leases")
            if holder and alive(holder.partition(" ")[0])
        ]
        for branch, commit in self.query("SELECT branch, commit_hash FROM runs"):
            assert self.repo.git("rev-parse", branch) == commit
            assert self.repo.show(branch, "answer") == "42"
        assert self.living() == []


def moments(total: int, seed: int, count: int) -> Sequence[tuple[int, str]]:
    """Choose moments: all of them, or so many by a seed."""
    every = [(at, side) for at in range(1, total + 1) for side in ("before", "after")]
    return every if count >= len(every) else sorted(random.Random(seed).sample(every, count))


def until(condition: Any, seconds: float = 30) -> float:
    """Wait until something holds; give how long that took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it did not come true in time"
        time.sleep(0.02)
    return time.monotonic() - began


def tasks(repo: Repo, count: int) -> list[str]:
    """Write task files; give their names."""
    text = 'goal = "Fix it {}"\ncriteria = [{{ test = "sh test.sh" }}]\n'
    return [str(repo.write(f"tasks/{number}.toml", text.format(number))) for number in range(count)]
