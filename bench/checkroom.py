"""What the checkroom costs: a check at the repository's own path, and the room made clean again."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from loop import make_repository
from loopwright.run.checkroom import Checkroom
from loopwright.run.git import Repository
from loopwright.run.place import Site

ROUNDS = 9
LEFT = "touch left-over folder0/left-over; rm folder1/file100.txt"


def measure_place(allowed_s: float) -> list[str]:
    """A check that takes no time, mounted over the repository's path against one in a copy."""
    with tempfile.TemporaryDirectory(prefix="loopwright-bench-") as name:
        place = Path(name)
        root = make_repository(place / "repository", 1000)
        (root / ".venv" / "bin").mkdir(parents=True)
        seconds = {kind: _check(root, place / kind, kind) for kind in ("same-path", "relocate")}
    more = seconds["same-path"] - seconds["relocate"]
    figures = (
        f"{more * 1000:.1f} ms more ({seconds['same-path'] * 1000:.1f} against {seconds['relocate'] * 1000:.1f} ms)"
    )
    state = "ok" if more <= allowed_s else "OVER"
    return [
        f"a check at the repository's own path, against one in a copy|{figures}|{allowed_s * 1000:.0f} ms more|{state}"
    ]


def measure_reset(files: int, allowed_s: float) -> list[str]:
    """A room in which a command has left files, made clean again."""
    with tempfile.TemporaryDirectory(prefix="loopwright-bench-") as name:
        place = Path(name)
        root = make_repository(place / "repository", files)
        room, commit = _room(root, place / "run", "auto")
        room.enter(commit)
        seconds = []
        for _ in range(3):
            room.run(f"sh -c '{LEFT}'", shell=False, timeout_s=60)
            began = time.perf_counter()
            room.enter(commit)
            seconds.append(time.perf_counter() - began)
    median = statistics.median(seconds)
    state = "ok" if median <= allowed_s else "OVER"
    return [f"a room of {files:,} files, made clean again|{median * 1000:.0f} ms|{allowed_s * 1000:.0f} ms|{state}"]


def _room(root: Path, folder: Path, kind: str) -> tuple[Checkroom, str]:
    repository = Repository.find(root)
    return Checkroom(repository, folder, repository.common / "objects", site=Site(kind)), repository.commit("HEAD")


def _check(root: Path, folder: Path, kind: str) -> float:
    room, commit = _room(root, folder, kind)
    room.enter(commit)
    seconds = []
    for _ in range(ROUNDS):
        room.enter(commit)
        began = time.perf_counter()
        room.run("true", shell=False, timeout_s=60)
        seconds.append(time.perf_counter() - began)
    room.close()
    return statistics.median(seconds)
