"""The daily loop: look at a window of sessions, propose what could help, put it before a human."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from loopwright.cycle.deploying import Deploying
from loopwright.cycle.diagnosing import Diagnosing
from loopwright.cycle.patching import Patching
from loopwright.errors import LoopwrightError
from loopwright.guard.guardrails import Autonomy, may_start
from loopwright.records.finding import Sighting
from loopwright.records.identity import new_id, timestamp
from loopwright.records.patch import Patch
from loopwright.records.review import Compared, Item, Proof, Review
from loopwright.records.version import Release
from loopwright.statistics.difference import difference
from loopwright.store.reviews import Reviews
from loopwright.store.watches import Watches
from loopwright.verify.weighing import look

_HOUR_S = 3600.0
EXPIRES_S = 48 * _HOUR_S
"""So long a review can be answered."""
_MOST_ITEMS = 20
_PROMISING = 2.0
"""Evidence from which on a change that is being tested is worth a word."""
_LATELY = 100
_END = "~"
"""After every moment."""


@dataclass(frozen=True)
class Improving:
    """What looks for improvements in a store."""

    diagnosing: Diagnosing
    patching: Patching
    deploying: Deploying
    reviews: Reviews
    watches: Watches
    autonomy: Autonomy = "suggest"
    told: Callable[[str], None] = lambda text: None
    now: Callable[[], float] = time.time

    def review(self, hours: float = 24.0, limit: int | None = None, *, dry: bool = False) -> Review:
        """Look at the newest sessions of a window, and put what could help before a human.

        Who looks again finds the review that waits, where nothing has changed. `dry`: nothing is written or begun.
        """
        self.told("what became of what was deployed")
        if not dry:
            self.deploying.follow()
        since = timestamp(max(0.0, self.now() - hours * _HOUR_S))
        self.told("looking for what could be better")
        found = self.diagnosing.findings(since, limit, dry=dry)
        standing = [one for one in found.sightings if one.change != "gone"]
        self.told(f"looking for remedies: {len(standing)} findings")
        new = self.patching.make([one.finding for one in standing], dry=dry)
        if may_start(self.autonomy) and not dry:
            self._begin(new)
        cases = self.diagnosing.gathering.outcomes.cases(since, limit)
        draft = Review(
            new_id(),
            0,
            timestamp(self.now()),
            timestamp(self.now() + EXPIRES_S),
            hours,
            found.sessions,
            sum(case.cost_usd for case in cases),
            self._items(standing, new if dry else ()),
            self._compared(),
            spent_usd=found.cost_usd,
        )
        return draft if dry else self._written(draft)

    def _written(self, draft: Review) -> Review:
        waiting = self.reviews.newest(1, "pending")
        if waiting and _says(waiting[0]) == _says(draft):
            return waiting[0]
        return self.reviews.add(lambda number: replace(draft, number=number))

    def _begin(self, patches: Sequence[Patch]) -> None:
        """Begin experiments of what is new, as many as may run at once."""
        for patch in patches:
            if patch.is_deployable and patch.status == "proposed":
                try:
                    self.deploying.test(patch, self.autonomy)
                except LoopwrightError as error:  # the others go on, and it can be begun later
                    self.told(f"not begun: {patch.title}: {error.message}")

    def _items(self, standing: Sequence[Sighting], more: Sequence[Patch]) -> list[Item]:
        """Give a line for each patch of a finding, or one for the finding where there is none."""
        known: dict[str, list[Patch]] = {}
        for patch in [*self.deploying.patches.all("proposed", "testing", "proven"), *more]:
            known.setdefault(patch.finding, []).append(patch)
        pairs: list[tuple[Sighting, Patch | None]] = []
        for one in standing:
            pairs += [(one, patch) for patch in known.get(one.finding.key, [])] or [(one, None)]
        return [self._item(number, *pair) for number, pair in enumerate(pairs[:_MOST_ITEMS], 1)]

    def _item(self, number: int, seen: Sighting, patch: Patch | None) -> Item:
        finding = seen.finding
        detail = f"{finding.sessions} of {finding.of} sessions"
        return Item(
            number,
            finding.goal,
            finding.title,
            f"{detail}; change: {patch.title}" if patch else detail,
            finding.waste_usd,
            self._proof(patch) if patch else "none",
            finding.key,
            seen.change,
            patch.id if patch else "",
            patch.hash if patch else "",
            bool(patch and patch.is_deployable),
        )

    def _proof(self, patch: Patch) -> Proof:
        if patch.status != "testing":
            return "proven" if patch.status == "proven" else "untested"
        _, evidence = self.deploying.proving.experiments.get(patch.experiment)
        return "promising" if look(evidence).superiority >= _PROMISING else "untested"

    def _compared(self) -> list[Compared]:
        """Hold what was released since the last review against what was before it."""
        last = self.reviews.newest(1)
        begin = last[0].created_at if last else ""
        made = [release for release, _ in self.watches.all(_LATELY) if release.at >= begin]
        return [self._one(release) for release in made if release.previous is not None and not release.undoes]

    def _one(self, release: Release) -> Compared:
        task_type = release.name.partition("/")[2]
        before = self.watches.between(task_type, "", release.at)
        after = self.watches.between(task_type, release.at, _END)
        low, high = difference(after.passes, after.runs, before.passes, before.runs)
        return Compared(
            release.name,
            f"@{release.previous}",
            f"@{release.number}",
            before.runs,
            after.runs,
            before.passes,
            after.passes,
            before.cost_usd / max(1, before.runs),
            after.cost_usd / max(1, after.runs),
            "better" if low > 0 else "worse" if high < 0 else "not more than chance",
        )


def _says(review: Review) -> Mapping[str, object]:
    """Give what a review says, whatever its number and the moment."""
    said = asdict(review)
    return {name: said[name] for name in ("items", "compared", "window_hours")}
