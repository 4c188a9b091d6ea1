"""A record -> what makes patches and reviews, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loopwright.cycle.answering import Answering
from loopwright.cycle.deploying import Deploying
from loopwright.cycle.improving import Improving
from loopwright.cycle.patching import Patching
from loopwright.cycle.reviewing import Reviewing
from loopwright.release.message import message
from loopwright.settings import Settings
from loopwright.wire import Record, give_feedback, make_diagnosing, make_library, make_measuring, make_proving


def make_patching(record: Record) -> Patching:
    """Put together what makes patches of findings."""
    proving, diagnosing = make_proving(record), make_diagnosing(record)
    library, limits = make_library(record, proving.versions), record.settings.patches
    return Patching(record.store.patches, proving, library, diagnosing, plain_settings(record.settings), limits)


def make_deploying(record: Record) -> Deploying:
    """Put together what tests, releases and follows patches."""
    proving = make_proving(record)
    return Deploying(record.store.patches, proving, make_library(record, proving.versions))


def make_improving(record: Record, told: Callable[[str], None] = lambda text: None) -> Improving:
    """Put together what looks for improvements."""
    patching, store = make_patching(record), record.store
    autonomy, deploying = record.settings.experiments.autonomy, make_deploying(record)
    return Improving(patching.diagnosing, patching, deploying, store.reviews, store.watches, autonomy, told)


def make_reviewing(record: Record) -> Reviewing:
    """Put together what does what humans answer."""

    def liked(run: str, by: str, up: bool) -> str:
        give_feedback(record, run, up=up, by=by)
        return f"noted: thumbs {'up' if up else 'down'} on {run}"

    def again() -> str:
        make_measuring(record).measure()
        return message(make_improving(record).review())

    store = record.store
    answering = Answering(make_deploying(record), store.findings, store.reviews, liked, again)
    return Reviewing(store.reviews, answering)


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Give what a patch may ask about: `run.model` and the like, and what profiles set."""
    found = {f"run.{name}": value for name, value in vars(settings.run).items()}
    for title, profile in settings.profiles.items():
        found |= {f"profiles.{title}.{name}": value for name, value in vars(profile).items()}
    return found
