"""Where a run's files are: what it takes to find out whether they may go, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.records.run import Status


@dataclass(frozen=True)
class Trace:
    """A run's places on disk."""

    run_id: str
    status: Status
    workspace: str
    artifacts: str
    ended_at: str | None
