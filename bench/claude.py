"""An iteration of `loopwright run` with the real Claude Code against the bare `claude -p` and the same check by hand.

An iteration is what is done again and again: a prompt, the agent, a commit, the check, and the record of it. What a run
does once (start, preflight, clone, report) is told beside it: next to a model that thinks it is nothing.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from e2e.anthropic import Answer, Asked, Server, says, uses
from e2e.clis import CLAUDE, folder_of

ROUNDS = 15
"""The ratio is taken of each, and the middle one is told: a machine that is busy for a moment is slow for both."""
CHECK = "sh test.sh"
FLAGS = ["--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits", "--allowedTools", "Bash"]


def measure(allowed: float) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="loopwright-bench-") as name, Server(_script).running() as server:
        place = Path(name)
        environment = _environment(place, server.url)
        repository = _repository(place / "repository")
        rounds = [_round(repository, place / str(number), environment) for number in range(ROUNDS)]
    whole, iteration, bare = (statistics.median(times) for times in zip(*rounds, strict=True))
    ratio = statistics.median(each[1] / each[2] for each in rounds)
    figures = f"{ratio:.2f} times ({iteration:.2f} against {bare:.2f} s; once {whole - iteration:.1f} s)"
    state = "ok" if ratio <= allowed else "OVER"
    return [f"an iteration with Claude Code, against bare claude -p|{figures}|{allowed:g} times|{state}"]


def _script(asked: Asked) -> Answer:
    return says("It is 42 now.") if asked.results else uses("Bash", command="echo 42 > answer", description="Write it")


def _environment(place: Path, url: str) -> dict[str, str]:
    (place / "home").mkdir()
    own = {"PATH": f"{folder_of(CLAUDE)}{os.pathsep}{os.environ['PATH']}", "HOME": str(place / "home")}
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "LANG": "C.UTF-8"}
    return {**own, **quiet, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "dummy", "TMPDIR": str(place)}


def _repository(folder: Path) -> Path:
    folder.mkdir()
    (folder / "answer").write_text("41\n")
    (folder / "test.sh").write_text("grep -qx 42 answer\n")
    (folder / "loopwright.toml").write_text("[checks]\nsabotage = false\n")
    identity = ["-c", "user.name=b", "-c", "user.email=b@localhost"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", "-C", str(folder), *identity, *words], check=True)
    return folder


def _round(repository: Path, place: Path, environment: Mapping[str, str]) -> tuple[float, float, float]:
    """The seconds of a whole run, of its iteration, and of the bare program with the same prompt right after it."""
    place.mkdir()
    own = {**environment, "XDG_CACHE_HOME": str(place / "cache"), "LOOPWRIGHT_HOME": str(place / "home")}
    whole = _loopwright(repository, own)
    (prompt,) = (place / "home").glob("runs/*/prompts/001.md")
    subprocess.run(["git", "clone", "-q", "--shared", str(repository), str(place / "clone")], check=True)
    return whole, _iteration(place / "home" / "store.sqlite"), _bare(place / "clone", prompt, environment)


def _loopwright(repository: Path, environment: Mapping[str, str]) -> float:
    program = str(Path(sys.executable).parent / "loopwright")
    words = ["run", "Make the answer 42", "--test", CHECK, "--agent", "claude_code", "--sandbox", "off", "--json"]
    began = time.perf_counter()
    done = subprocess.run([program, *words, "--repo", str(repository)], env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode or '"iterations": 1,' not in done.stdout:
        raise SystemExit(f"the run did not end as it should: {done.stdout}{done.stderr}")
    return seconds


def _iteration(store: Path) -> float:
    """From the start of the attempt to its verdict, as the record has them."""
    with closing(sqlite3.connect(store)) as connection:
        (began,) = connection.execute("SELECT started_at FROM attempts").fetchone()
        (ended,) = connection.execute("SELECT max(at) FROM events WHERE kind = 'verdict'").fetchone()
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


def _bare(clone: Path, prompt: Path, environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    with prompt.open() as words:
        subprocess.run(
            ["claude", "-p", *FLAGS], stdin=words, cwd=clone, env=environment, check=True, stdout=subprocess.DEVNULL
        )
    subprocess.run(CHECK.split(), cwd=clone, check=True)
    return time.perf_counter() - began
