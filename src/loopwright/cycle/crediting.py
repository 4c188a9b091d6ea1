"""What came of experiments and releases -> how often each library entry helped or harmed, and which are to go."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.cycle.proving import Proving
from loopwright.guard.guardrails import may_release
from loopwright.records.experiment import Experiment
from loopwright.records.library import Entry
from loopwright.records.version import Version
from loopwright.release.learned import Library
from loopwright.release.profiles import LIBRARY, parameters

_HARMFUL = 2
"""So often an entry has to have done harm before it is retired, and more often than it helped."""


@dataclass(frozen=True)
class Retirement:
    """An entry that evidence speaks against."""

    entry: Entry
    done: bool
    """Whether it is retired; else a human is asked to."""
    why: str


@dataclass(frozen=True)
class Crediting:
    """The library, with what came of it."""

    proving: Proving
    library: Library

    def entries(self) -> list[tuple[Entry, Version]]:
        """Give all entries as they are now, with the counts of what they say now: other words are another matter."""
        helpful, harmful = self._counts()
        return [(self._counted(*found, helpful, harmful), found[1]) for found in self.library.all()]

    def retire(self) -> list[Retirement]:
        """Retire what does harm, where the autonomy lets a rule do so and nobody is told it; propose the others."""
        found = []
        for entry, _ in self.entries():
            if entry.status != "active" or entry.harmful < _HARMFUL or entry.harmful <= entry.helpful:
                continue
            why = f"it harmed {entry.harmful} times and helped {entry.helpful} times"
            told = self.library.told_to(entry.name)
            done = may_release(self.proving.autonomy, proven=True, low_risk=not told)
            if done:
                self.library.retire(entry.name, self.proving.autonomy, why, "patch")
            found.append(Retirement(entry, done, f"{why}; told to {', '.join(told)}" if told else why))
        return found

    def _counted(self, entry: Entry, version: Version, helpful: Counter[str], harmful: Counter[str]) -> Entry:
        same = [one.title for one in self._same(entry, version)]
        return dataclasses.replace(
            entry, helpful=sum(helpful[one] for one in same), harmful=sum(harmful[one] for one in same)
        )

    def _same(self, entry: Entry, version: Version) -> Sequence[Version]:
        """Give the versions that tell an agent the same."""
        if version.number == 1:
            return [version]
        known = self.library.versions.history("entry", entry.name)
        told = [(self.library.get(entry.name, one.number)[0], one) for one in known]
        return [one for other, one in told if (other.title, other.remedy) == (entry.title, entry.remedy)]

    def _counts(self) -> tuple[Counter[str], Counter[str]]:
        helpful: Counter[str] = Counter()
        harmful: Counter[str] = Counter()
        for experiment, evidence in self.proving.experiments.all():
            if experiment.parameter != LIBRARY:
                continue
            if experiment.status in ("proven", "promoted"):
                helpful.update(_added(experiment))
            elif experiment.status == "no_difference" and evidence.losses > evidence.wins:
                harmful.update(_added(experiment))
        harmful.update(self._rolled_back())
        return helpful, harmful

    def _rolled_back(self) -> list[str]:
        """Name the entries that came with releases which were taken back."""
        versions, found = self.library.versions, []
        for _, undone in versions.store.rolled_back():
            if undone.kind == "profile" and undone.previous is not None and not undone.undoes:
                now, before = (
                    parameters(versions.get("profile", undone.name, number).content).get(LIBRARY, ())
                    for number in (undone.number, undone.previous)
                )
                found += [title for title in now if title not in before]
        return found


def _added(experiment: Experiment) -> list[str]:
    return [title for title in experiment.treatment.value if title not in experiment.control.value]
