"""Releases from the first task that uses them on: looked on at, and rolled back on evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from loopwright.errors import BusyError, RegistryError, UsageError
from loopwright.guard.guardrails import WATCH_HOURS
from loopwright.records.identity import timestamp
from loopwright.records.run import Run
from loopwright.records.version import Release
from loopwright.records.watched import Watched
from loopwright.release.versions import Versions
from loopwright.store.watches import Watches
from loopwright.verify.watching import begin, see

_DAY = 3600.0 * WATCH_HOURS


@dataclass(frozen=True)
class Guarding:
    """All releases of a store."""

    watches: Watches
    versions: Versions
    told: Callable[[str], None] = lambda text: None

    def see(self, run: Run) -> None:
        """Hold a run that has ended against what was before each release that it uses; trials are not counted."""
        if run.passed is None or run.shows_nothing or run.profile.trial or run.source:
            return
        for key, number in run.profile.versions.items():
            kind, _, name = key.partition(" ")
            release, used = self.versions.in_use(kind, name)  # type: ignore[arg-type]
            if used.number == number and release.previous is not None and not release.undoes:
                self._see(release, run.id, run.passed)

    def _see(self, release: Release, run_id: str, passed: bool) -> None:
        start = self.watches.begun(release.id) or self._begin(release)
        found = self.watches.see(start, run_id, lambda before: see(before, passed, per_day(before)))
        if found.status == "rolled_back":
            self._roll_back(release, found)
        elif found.status == "warned":
            self.told(f"{release.name}@{release.number} may have made things worse: {found.detail}")

    def _begin(self, release: Release) -> Watched:
        before = self.watches.between(release.name.partition("/")[2], "", release.at)
        return begin(release.id, before.passes, before.runs, timestamp())

    def _roll_back(self, release: Release, found: Watched) -> None:
        try:
            back = self.versions.roll_back(release.kind, release.name, "watch", found.detail, seen=release.id)
        except (BusyError, UsageError):  # somebody else was faster
            return
        except RegistryError as error:  # it is done here, and `prompts sync` does the rest
            self.told(f"{release.name}@{release.number} was rolled back: {found.detail}; {error}")
            return
        self.told(f"{release.name}@{release.number} was rolled back to @{back.number}: {found.detail}")


def per_day(watched: Watched) -> float:
    """Give how many tasks a day use a release."""
    began = datetime.fromisoformat(watched.began_at)
    days = max(1.0, (datetime.now(UTC) - began).total_seconds() / _DAY)
    return watched.tries / days
