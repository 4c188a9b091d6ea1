"""A store -> what takes sessions of other programs into it, and where those are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from loopwright.guard.redact import Masker
from loopwright.ingest import finished as finished_runs
from loopwright.ingest.scan import Scan
from loopwright.ingest.traces import Traces
from loopwright.records.identity import new_id
from loopwright.registry import FORMATS, load, names
from loopwright.wire import Record


def make_scan(record: Record, *, content: bool = True) -> Scan:
    """Put together what brings sessions into a store."""
    formats = {name: load(FORMATS, name)() for name in names(FORMATS)}
    return Scan(record.store.observed, formats, Masker(os.environ), content=content)


def make_traces(record: Record, key: str = "", *, content: bool = True) -> Traces:
    """Put together what takes spans into a store; the server's own key is masked as well."""
    return Traces(record.store.sent, record.store.observed, _masker(key), content=content)


def make_recording(record: Record, key: str = "") -> Callable[[object], str]:
    """Give what takes finished runs of other programs into a store, and names the run that it made."""
    masker, sent = _masker(key), record.store.sent

    def save(told: object) -> str:
        finished = finished_runs.finished_of(told)
        known = sent.run_of(finished_runs.FORMAT, masker.identity(finished.id)) if finished.id else None
        observation, evaluation = finished_runs.observe(finished, masker, known or new_id())
        sent.add_evaluation(evaluation, observation)
        return evaluation.run_id

    return save


def places() -> list[Path]:
    """Name where agents keep their sessions, whether there are any or not."""
    kinds = [load(FORMATS, name)() for name in names(FORMATS)]
    return list(dict.fromkeys(place for kind in kinds for place in kind.places(Path.home(), os.environ)))


def usual_places() -> list[Path]:
    """Name where the agents of this machine keep their sessions, as far as there are any."""
    return [place for place in places() if place.exists()]


def _masker(key: str) -> Masker:
    return Masker({**os.environ, "LOOPWRIGHT_KEY": key} if key else os.environ)
