"""What runs and checks have left on the disk -> room: what gc removes, but for events, which the store sees to."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import BusyError, RepositoryError
from loopwright.records.identity import timestamp
from loopwright.records.run import Run, Status
from loopwright.records.trace import Trace
from loopwright.run.holder import Holder
from loopwright.run.workspace import remove

_BENCH_LIFE_S = 86_400
"""Nobody judges for longer."""


@dataclass(frozen=True)
class Freed:
    """What collecting came to."""

    clones: int = 0
    streams: int = 0
    size: int = 0
    kept: tuple[str, ...] = ()
    """What could not go, and why."""

    def __add__(self, other: Freed) -> Freed:
        parts = (self.clones + other.clones, self.streams + other.streams, self.size + other.size)
        return Freed(*parts, self.kept + other.kept)


def has_leftovers(trace: Trace, before: str) -> bool:
    """Say whether a run seems to be at work, has a clone, or has raw streams and ended before a moment."""
    if trace.status is Status.RUNNING or Path(trace.workspace).is_dir():
        return True
    raw = Path(trace.artifacts) / "raw"
    return (trace.ended_at or "") <= before and raw.is_dir() and any(raw.iterdir())


@dataclass(frozen=True)
class Collector:
    """Removes what is older than a moment in seconds; in a dry run, it only says what that would be."""

    holder: Holder
    home: Path
    cache: Path
    before: float
    dry_run: bool

    def collect(self, runs: Iterable[Run]) -> Freed:
        """Remove the clones and old raw streams of runs that have ended, and what checks left. Branches stay."""
        return sum(map(self._collect_run, runs), self._collect_checks())

    def _collect_run(self, run: Run) -> Freed:
        try:
            size = self._remove_clone(run)
        except (RepositoryError, BusyError) as error:
            return Freed(kept=(f"kept {run.workspace}: {error}",))
        old = (run.ended_at or "") <= timestamp(self.before) and not run.waits
        streams = list((Path(run.artifacts) / "raw").glob("*.gz")) if old else []
        return Freed(1 if size else 0, len(streams), size + self._remove(streams))

    def _remove_clone(self, run: Run) -> int:
        """Remove a run's clones where nobody is at work and no work is in them alone; give the bytes freed."""
        folder = Path(run.workspace)
        if not folder.is_dir():
            return 0
        if self.dry_run:
            return _size(folder)
        with self.holder.taken(run.id, wait=False) as held:
            run = held.store.run(run.id)  # somebody may have worked on it since it was listed
            # One that ended by itself has brought everything home, unless its branch could not be moved just then.
            ended = run.status not in (Status.CANCELLED, Status.RUNNING)
            if not ended or not self.holder.repository.holds(run.commit or run.base):
                held.workspace.bring_home(run.base)
            return self._remove([held.workspace.folder])

    def _collect_checks(self) -> Freed:
        """Remove environments, looks at bases and benches that were not used since."""
        old = [file.parent for file in (self.cache / "setups").glob("*/*/ready") if _used(file) < self.before]
        old += [file for file in (self.home / "baselines").glob("*.json") if _used(file) < self.before]
        long_ago = min(self.before, time.time() - _BENCH_LIFE_S)
        old += [folder for folder in (self.cache / "benches").glob("*") if _used(folder) < long_ago]
        return Freed(size=self._remove(old))

    def _remove(self, paths: Iterable[Path]) -> int:
        size = 0
        for path in paths:
            size += _size(path)
            if not self.dry_run:
                remove(path)
        return size


def _used(path: Path) -> float:
    return path.stat().st_mtime


def _size(path: Path) -> int:
    return sum(file.lstat().st_size for file in (path, *path.rglob("*")) if not file.is_dir())
