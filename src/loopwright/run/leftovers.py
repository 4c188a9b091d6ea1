"""Traces of runs -> the runs that may have left something on disk that can go."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from loopwright.records.run import Status
from loopwright.records.trace import Trace


def with_leftovers(traces: Iterable[Trace], before: str) -> list[str]:
    """Give the ids of runs that seem to be at work, have a clone, or have raw streams and ended before a moment."""
    return [trace.run_id for trace in traces if _left(trace, before)]


def _left(trace: Trace, before: str) -> bool:
    if trace.status is Status.RUNNING or Path(trace.workspace).is_dir():
        return True
    raw = Path(trace.artifacts) / "raw"
    return (trace.ended_at or "") <= before and raw.is_dir() and any(raw.iterdir())
