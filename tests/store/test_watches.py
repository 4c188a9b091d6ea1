"""Releases that are looked on at, in their table."""

from __future__ import annotations

import dataclasses
import threading

from loopwright.records.identity import new_id
from loopwright.records.version import Release, Version
from loopwright.records.watched import Watched
from loopwright.store import open_store

from .samples import kinds

AT = "2026-01-02T00:00:00.000Z"


def more(before: Watched) -> Watched:
    return dataclasses.replace(before, tries=before.tries + 1)


def test_many_at_once_are_all_counted(place: str) -> None:
    """Also where none was before, and each run once."""
    version = Version(new_id(), "prompt", "worker/docs", 1, "x", None, 0, "human", "because", AT)
    release = Release(new_id(), "prompt", "worker/docs", 1, None, AT, "me", "because")
    barrier, runs = threading.Barrier(8), [new_id() for _ in range(8)]

    def see(run_id: str) -> None:
        with open_store(place, kinds) as mine:
            barrier.wait()
            for _ in range(2):
                mine.watches.see(Watched(release.id, 100, 0.5, AT), run_id, more)

    with open_store(place, kinds) as store:
        store.versions.begin(version, release)
        threads = [threading.Thread(target=see, args=(run_id,)) for run_id in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        ((_, watched),) = store.watches.all(5)
    assert watched is not None
    assert watched.tries == 8
