"""What was looked for, and how it was before -> sightings: new, better, same, worse or gone, by both counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loopwright.records.finding import Change, Finding, Sighting
from loopwright.records.window import Looked
from loopwright.statistics.difference import difference

CHANCE = 0.05


def sightings(looked: Iterable[Looked], before: Mapping[str, Sighting], at: str) -> list[Sighting]:
    """Give what stands and what was known; `before` has of each key the sighting that it is held against."""
    found = []
    for one in looked:
        past = before.get(one.finding.key)
        if past is None or past.change == "gone":
            if one.stands:
                found.append(Sighting(one.finding, at, "new", None, past.first_at if past else at))
        elif one.finding.of:
            found.append(_compared(one, past, at))
    return found


def _compared(one: Looked, past: Sighting, at: str) -> Sighting:
    change = change_of(past.finding, one.finding, stands=one.stands)
    return Sighting(one.finding, at, change, round(past.finding.rate, 4), past.first_at or past.at)


def change_of(then: Finding, now: Finding, *, stands: bool = True) -> Change:
    """Say what became of a finding: better and worse only where it is more than chance.

    Gone is what was not seen in so many sessions that at its old rate it would have been, 19 times in 20.
    """
    if not now.sessions and not stands:
        return "gone" if (1 - then.rate) ** now.of <= CHANCE else "same"
    low, high = difference(now.sessions, now.of, then.sessions, then.of)
    return "worse" if low > 0 else "better" if high < 0 else "same"
