"""A 10-iteration loop against a shell script that does the same in a plain clone."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITERATIONS = 10
ROUNDS = 5
"""Creating files takes two to five times as long when the disk is busy: the median of some rounds is told."""
SCRIPT = """
set -e
git clone --quiet --shared --no-tags "$1" "$2"
cd "$2"
git checkout --quiet -b work
for number in $(seq {iterations}); do
  sh -c "echo $number > progress.txt" < /dev/null
  git add -A
  git -c user.name=b -c user.email=b@localhost commit --quiet -m "iteration $number"
  git push --quiet origin HEAD:"$3"
  sh -c "grep -q '^{iterations}$' progress.txt" || true
done
"""


def measure(files: int, allowed_s: float) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="loopwright-bench-") as name:
        place = Path(name)
        repository = make_repository(place / "repository", files)
        rounds = [_round(repository, place / str(number)) for number in range(ROUNDS)]
    script, loop = map(statistics.median, zip(*rounds, strict=True))
    more = (loop - script) / ITERATIONS
    figures = f"{more * 1000:.0f} ms more ({loop / ITERATIONS * 1000:.0f} against {script / ITERATIONS * 1000:.0f} ms)"
    state = "ok" if more <= allowed_s else "OVER"
    return [f"an iteration, {files:,} files, against a shell script|{figures}|{allowed_s * 1000:.0f} ms more|{state}"]


def make_repository(folder: Path, files: int) -> Path:
    for number in range(files):
        path = folder / f"folder{number // 100}" / f"file{number}.txt"
        if number % 100 == 0:
            path.parent.mkdir(parents=True)
        path.write_text(f"{number}\n")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "start"]):
        identity = ["-c", "user.name=b", "-c", "user.email=b@localhost"]
        subprocess.run(["git", "-C", str(folder), *identity, *words], check=True)
    return folder


def _round(repository: Path, place: Path) -> tuple[float, float]:
    """The seconds of the script and of the loop, one right after the other."""
    place.mkdir()
    return _script(repository, place), _loopwright(repository, place)


def _script(repository: Path, place: Path) -> float:
    began = time.perf_counter()
    script = SCRIPT.format(iterations=ITERATIONS)
    subprocess.run(["sh", "-c", script, "sh", str(repository), str(place / "clone"), place.name], check=True)
    return time.perf_counter() - began


def _loopwright(repository: Path, place: Path) -> float:
    """The same work: the agent writes a number, and the check wants the last one."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(place / "cache"), "LOOPWRIGHT_HOME": str(place / "home")}
    program = str(Path(sys.executable).parent / "loopwright")
    agent = "sh -c 'echo $LOOPWRIGHT_ITERATION > progress.txt'"
    command = [program, "run", "Count", "--test", f"grep -q ^{ITERATIONS}$ progress.txt", "--agent-command", agent]
    began = time.perf_counter()
    done = subprocess.run(
        [*command, "--json", "--repo", str(repository)], env=environment, capture_output=True, text=True
    )
    seconds = time.perf_counter() - began
    if done.returncode or f'"iterations": {ITERATIONS}' not in done.stdout:
        raise SystemExit(f"the loop did not end as it should: {done.stdout}{done.stderr}")
    return seconds
