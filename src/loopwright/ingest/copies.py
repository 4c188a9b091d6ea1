"""Sessions that are new -> which others have events of theirs, and what each comes to in those.

A session that was continued or forked elsewhere has a copy of the other in it. All are stored as they are; for which of
them an event is counted is decided by who counts (`once.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from loopwright.ingest.portions import Family
from loopwright.ingest.ports import SessionStore
from loopwright.records.event import Event
from loopwright.records.summary import Portion

_MARKS = 500_000
"""So many are looked for at once: that takes 50 MB."""
_RUNS = 200
_EVENTS = 5000

Links = dict[str, set[str]]


def compare(store: SessionStore, known: Sequence[str]) -> None:
    """Compare what is new with all that is known."""
    new = store.news()
    if not new:
        return
    links = _links(store, new, known) if len(known) > 1 else {}
    portions: dict[str, Sequence[Portion]] = {}
    for run_id in new:
        if run_id not in portions:
            family = _family(run_id, links)
            alone: dict[str, Sequence[Portion]] = {run_id: ()}
            portions |= Family(family, lambda one: _events(store, one)).portions() if len(family) > 1 else alone
    store.settle(portions)


def _links(store: SessionStore, new: Sequence[str], known: Sequence[str]) -> Links:
    """Tell which runs have a mark in common, as far as that is new, and which were found to have one before."""
    links: Links = defaultdict(set)
    for runs in store.kin():
        _link(links, runs)
    for wanted in _batches(store, new):
        for run_id, marks in _marks(store, known):
            for mark in wanted.keys() & set(map(hash, marks.split("\n"))):
                if wanted[mark] != run_id:
                    _link(links, (wanted[mark], run_id))
    return links


def _link(links: Links, runs: Sequence[str]) -> None:
    for run_id in runs[1:]:
        links[runs[0]].add(run_id)
        links[run_id].add(runs[0])


def _batches(store: SessionStore, runs: Sequence[str]) -> Iterator[dict[int, str]]:
    """Give the marks of runs with the first that has them; of ids only the hashes, since there may be millions."""
    wanted: dict[int, str] = {}
    for run_id, marks in _marks(store, runs):
        for mark in filter(None, marks.split("\n")):
            wanted.setdefault(hash(mark), run_id)
        if len(wanted) >= _MARKS:
            yield wanted
            wanted = {}
    yield wanted


def _marks(store: SessionStore, runs: Sequence[str]) -> Iterable[tuple[str, str]]:
    for first in range(0, len(runs), _RUNS):
        yield from store.marks(runs[first : first + _RUNS])


def _family(first: str, links: Links) -> list[str]:
    """Give all runs that one is linked with, also over others."""
    found = [first]
    seen = {first}
    for run_id in found:
        more = links.get(run_id, set()) - seen
        found += sorted(more)
        seen |= more
    return found


def _events(store: SessionStore, run_id: str) -> Iterator[Event]:
    some = store.counted(run_id, 0, _EVENTS)
    yield from some
    while len(some) == _EVENTS:
        some = store.counted(run_id, some[-1].seq, _EVENTS)
        yield from some
