"""What parallel runs and a long record cost: our memory with eight runs at once, the time until a long run goes on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import events
from loopwright.registry import kinds
from loopwright.store import open_store

RUNS, EVENTS, MAX_MB = 8, 1_000, 250.0
LONG, MAX_S = 100_000, 1.0
PROGRAM = str(Path(sys.executable).with_name("loopwright"))
AGENT = """
import json, sys, time
for number in range({events}):
    text = "I look at file number " + str(number) + ". " * 20
    content = [{{"type": "text", "text": text}}]
    print(json.dumps({{"type": "assistant", "message": {{"id": str(number), "content": content}}}}))
    sys.stdout.flush()
    time.sleep(0.002)
print(json.dumps({{"type": "result", "subtype": "success", "is_error": False, "result": "ok"}}))
open("answer", "w").write("42\\n")
"""


def measure_memory() -> list[str]:
    """Look at all processes that carry our mark and are Loopwright's own: the command and its shims, not the agents."""
    with tempfile.TemporaryDirectory() as folder:
        repository, environment = _repository(Path(folder))
        files = []
        for number in range(RUNS):
            files.append(repository / f"{number}.toml")
            files[-1].write_text('goal = "Fix it"\ncriteria = [{ test = "sh test.sh" }]\n')
        agent = Path(folder) / "agent.py"
        agent.write_text(AGENT.format(events=EVENTS))
        command = f"{sys.executable} {agent}"
        argv = [PROGRAM, "batch", *map(str, files), "--parallel", str(RUNS), "--agent-command", command, "--json"]
        process = subprocess.Popen(
            argv, cwd=repository, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        peak = 0.0
        with process:
            while process.poll() is None:
                peak = max(peak, _memory_of(process.pid))
                time.sleep(0.05)
            assert process.stdout is not None
            ends = [result["status"] for result in json.loads(process.stdout.read())]
        assert ends == ["done"] * RUNS, ends
        with open_store(repository / ".loopwright/store.sqlite", kinds) as store:
            assert all(store.last_seq(run.id) > EVENTS for run in store.runs())
    state = "ok" if peak < MAX_MB else "OVER"
    return [f"{RUNS} parallel runs, {EVENTS:,} events each: our memory|{peak:.0f} MB|{MAX_MB:.0f} MB|{state}"]


def measure_resume() -> list[str]:
    """Give a run 100,000 events, and see how much longer it takes to be taken up than one that has few."""
    with tempfile.TemporaryDirectory() as folder:
        repository, environment = _repository(Path(folder))
        long = Path(folder) / "hold.sh"
        long.write_text("[ -e .go ] && echo 42 > answer; touch .go; exit 0\n")
        flags = ["--test", "sh test.sh", "--max-iterations", "1", "--agent-command", f"sh {long}"]
        subprocess.run([PROGRAM, "run", "Fix it", *flags], cwd=repository, env=environment, capture_output=True)
        with open_store(repository / ".loopwright/store.sqlite", kinds) as store:
            run = store.runs()[0]
            first = store.last_seq(run.id) + 1
            attempt = store.attempts(run.id)[0]
            for start in range(first, first + LONG, 500):
                store.append_events(run.id, [events.make_event(attempt.id, seq) for seq in range(start, start + 500)])
        began = time.perf_counter()
        out, err = subprocess.DEVNULL, subprocess.PIPE
        argv = [PROGRAM, "resume", "last"]
        process = subprocess.Popen(argv, cwd=repository, env=environment, stdout=out, stderr=err, text=True)
        assert process.stderr is not None
        for line in process.stderr:
            if "iteration" in line:
                break
        seconds = time.perf_counter() - began
        process.communicate()
        assert process.returncode == 0
    state = "ok" if seconds < MAX_S else "OVER"
    return [f"resume of a run with {LONG:,} events, until its agent starts|{seconds:.2f} s|{MAX_S:.0f} s|{state}"]


def _repository(folder: Path) -> tuple[Path, dict[str, str]]:
    repository = folder / "project"
    repository.mkdir()
    (repository / "answer").write_text("41\n")
    (repository / "test.sh").write_text("grep -qx 42 answer\n")
    git = ["git", "-C", str(repository), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run([*git, *words], check=True)
    return repository, {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}


def _memory_of(pid: int) -> float:
    """Sum up the memory of a command and of the shims below it in MB; what they share counts once (PSS)."""
    total = 0
    for process in [pid, *_shims(pid)]:
        try:
            total += sum(
                int(kb) for kb in re.findall(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.M)
            )
        except OSError:
            continue
    return total / 1000


def _shims(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task").glob("*/children")
    found: list[int] = []
    for file in children:
        try:
            found += [int(child) for child in file.read_text().split()]
        except OSError:
            continue
    return [child for child in found if b"import shim" in _command_line(child)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
