"""A record -> what makes patches, and what is done with them."""

from __future__ import annotations

from typing import Any

from loopwright.cycle.deploying import Deploying
from loopwright.cycle.patching import Patching
from loopwright.settings import Settings
from loopwright.wire import Record, make_diagnosing, make_library, make_proving


def make_patching(record: Record) -> Patching:
    """Put together what makes patches of findings."""
    proving, diagnosing = make_proving(record), make_diagnosing(record)
    library, limits = make_library(record, proving.versions), record.settings.patches
    return Patching(record.store.patches, proving, library, diagnosing, plain_settings(record.settings), limits)


def make_deploying(record: Record) -> Deploying:
    """Put together what tests, releases and follows patches."""
    proving = make_proving(record)
    return Deploying(record.store.patches, proving, make_library(record, proving.versions))


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Give what a patch may ask about: `run.model` and the like, and what profiles set."""
    found = {f"run.{name}": value for name, value in vars(settings.run).items()}
    for title, profile in settings.profiles.items():
        found |= {f"profiles.{title}.{name}": value for name, value in vars(profile).items()}
    return found
