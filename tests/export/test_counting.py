"""What is counted of events is what the store counts."""

from __future__ import annotations

from pathlib import Path

from loopwright.export import counting
from loopwright.store import open_store
from store.samples import kinds, make_attempt, make_run, make_step

from .samples import numbered, story


def test_the_same_as_the_store(tmp_path: Path) -> None:
    """Rollups and groups of errors are those that the store has of the same events."""
    run = make_run()
    step = make_step(run)
    attempt = make_attempt(step)
    events = numbered(story(), attempt.id)
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        store.add_run(run, step)
        store.save_attempt(attempt)
        store.append_events(run.id, events)
        assert counting.rollups(events) == list(store.recorded.bundle(run.id).rollups)
        assert counting.errors(events) == list(store.recorded.errors(run.id))
