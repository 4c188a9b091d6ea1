"""What a replay of 100 tasks on two profiles takes beside the agents' and the checks' own time."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TASKS, ROUNDS, MOST_MS = 100, 9, 150.0
PROGRAM = str(Path(sys.executable).with_name("loopwright"))
AGENT = "sleep 0.05\necho agent >> {log}\necho {answer} > answer\necho $$ > notes\n"
"""No two leave the same tree: what is remembered of one is of no use to the next."""
UNITTEST = """import pathlib, unittest
pathlib.Path("{log}").open("a").write("check\\n")


class Answer(unittest.TestCase):
    def test_it(self):
        self.assertEqual(pathlib.Path("answer").read_text(), "42\\n")
"""
CHECKS = {
    "a script": ("sh test.sh", "test.sh", "echo check >> {log}\ngrep -qx 42 answer\n"),
    "unittest": ("python3 -m unittest", "test_answer.py", UNITTEST),
}
SETTINGS = """
[run]
max_iterations = 1

[profiles.one]
agent = "command"
agent_options = {{ command = "sh {folder}/bad.sh" }}

[profiles.two]
agent = "command"
agent_options = {{ command = "sh {folder}/good.sh" }}
"""


@dataclass(frozen=True)
class World:
    """A project with finished tasks; agents and checks leave a line each time that they run."""

    folder: Path
    command: str

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def root(self) -> Path:
        return self.folder / "project"

    def loopwright(self, *words: str) -> None:
        """Run it; what it says is of interest where it fails."""
        environment = {**os.environ, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        done = subprocess.run([PROGRAM, *words], cwd=self.root, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def alone(self, *argv: str) -> float:
        """Give the seconds that a command takes without us."""
        seconds = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            subprocess.run(argv, cwd=self.root, capture_output=True)
            seconds.append(time.perf_counter() - began)
        return statistics.median(seconds)


def measure() -> list[str]:
    """Replay by one at a time and by two, with a check of a few milliseconds and one that has a runner."""
    rows = []
    for kind, parallel in (("a script", 1), ("a script", 2), ("unittest", 1)):
        with world(kind) as made:
            rows += _replayed(made, kind, parallel)
    return rows


@contextmanager
def world(kind: str) -> Iterator[World]:
    """Make a project of which every task was finished once."""
    command, file, check = CHECKS[kind]
    with tempfile.TemporaryDirectory(prefix="loopwright-bench-") as name:
        made = World(Path(name), command)
        made.root.mkdir()
        for agent, answer in (("good", 42), ("bad", 43)):
            (made.folder / f"{agent}.sh").write_text(AGENT.format(log=made.log, answer=answer))
        (made.root / "answer").write_text("41\n")
        (made.root / file).write_text(check.format(log=made.log))
        (made.root / "loopwright.toml").write_text(SETTINGS.format(folder=name))
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
            identity = ["-c", "user.name=b", "-c", "user.email=b@localhost"]
            subprocess.run(["git", "-C", str(made.root), *identity, *words], check=True)
        _finish(made)
        yield made


def _finish(made: World) -> None:
    files = []
    for number in range(TASKS):
        files.append(made.folder / f"{number}.toml")
        files[-1].write_text(f'goal = "Fix it {number}"\ncriteria = [{{ test = "{made.command}" }}]\n')
    made.loopwright("batch", *map(str, files), "--parallel", "2", "--profile", "two", "--json")


def _replayed(made: World, kind: str, parallel: int) -> list[str]:
    made.log.unlink()
    began, worked = time.perf_counter(), _cpu()
    made.loopwright("replay", "--profile", "one", "--profile", "two", "--yes", "--json", "--parallel", str(parallel))
    took, worked = (time.perf_counter() - began) * parallel, _cpu() - worked
    seen = made.log.read_text().split()
    done = seen.count("agent") / 2  # it ends as soon as the evidence decides
    whole, worked, times = took / done, worked / done, seen.count("check") / done
    agents = 2 * made.alone("sh", str(made.folder / "good.sh"))
    checks = times * made.alone(*made.command.split())
    ours = 1000 * (whole - agents - checks)
    figures = f"{ours:.0f} ms ({ours / 2:.0f} a run); {worked * 1000:.0f} ms of a core"
    beside = f"{whole * 1000:.0f} ms: agents {agents * 1000:.0f}, checks {checks * 1000:.0f} ({times:.1f} times)"
    state = "ok" if ours <= MOST_MS else "OVER"
    return [
        f"a replayed task by 2 profiles, {kind}, {parallel} at once, {done:.0f} tasks|{beside}||ok",
        f"  beside agents and checks|{figures}|{MOST_MS:.0f} ms|{state}",
    ]


def _cpu() -> float:
    """What all that was started has used of the cores: a busy machine changes that less than the time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
