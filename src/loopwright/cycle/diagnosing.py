"""A window of sessions -> what goes wrong in them again and again, and what could be better; each finding is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from loopwright.cycle.gathering import Gathering
from loopwright.diagnose.adding import Adding
from loopwright.diagnose.changes import sightings
from loopwright.diagnose.findings import look, ranked
from loopwright.diagnose.patterns import patterns
from loopwright.records.finding import Sighting
from loopwright.records.identity import timestamp
from loopwright.records.pattern import Pattern
from loopwright.store.findings import Findings


@dataclass(frozen=True)
class Found:
    """What came of a look at a window."""

    sightings: Sequence[Sighting]
    """What matters most first; what is gone last."""
    sessions: int
    """So many were looked at."""
    cost_usd: float = 0.0
    """What a model took."""
    note: str = ""
    """Why a model added nothing, or what of it was dropped."""


@dataclass(frozen=True)
class Diagnosing:
    """What looks for causes in what was measured."""

    gathering: Gathering
    kept: Findings
    adding: Adding | None = None
    """What a model adds; None where none is to be asked."""
    now: Callable[[], str] = timestamp

    def patterns(self, since: str = "", limit: int | None = None, fewest: int = 2) -> tuple[Sequence[Pattern], int]:
        """Give the patterns of the newest sessions since a moment, and how many sessions those are."""
        cases = self.gathering.outcomes.cases(since, limit)
        friction = self.gathering.friction(cases, every=not since and limit is None)
        return patterns(friction, cases, self.gathering.measured.precision(), fewest), len(cases)

    def findings(self, since: str = "", limit: int | None = None, *, dry: bool = False) -> Found:
        """Look for findings in the newest sessions since a moment, and write down how each was seen.

        Who looks again at the same sessions gets the same sightings, and nothing is written twice; `dry`: not once.
        """
        latest, references = self.kept.latest(), self.kept.references()
        known = [seen.finding for seen in latest.values() if seen.change != "gone"]
        window = self.gathering.window(since, limit, known)
        looked = look(window)
        added = self.adding.add(window, [one.finding for one in looked if one.stands]) if self.adding else None
        looked += added.looked if added else []
        seen = [_kept(one, latest) for one in sightings(looked, references, self.now())]
        fresh = [one for one in seen if one is not latest.get(one.finding.key)]
        if fresh and not dry:
            self.kept.add(fresh)
        cost, note = (added.cost_usd, added.note) if added else (0.0, "")
        return Found(ranked(seen), len(window.cases), cost, note)


def _kept(one: Sighting, latest: Mapping[str, Sighting]) -> Sighting:
    """Give what was seen last in the place of what says the same."""
    finding = replace(one.finding, runs=tuple(one.finding.runs), signals=tuple(one.finding.signals))
    past = latest.get(finding.key)
    return past if past and past.finding == finding else replace(one, finding=finding)
