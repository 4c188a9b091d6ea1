"""Signals that somebody looked at in real sessions: a table of what fires where, and whether it was right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ingest.transcripts import FOLDER, unpacked
from loopwright.measure.watch import Watch
from loopwright.records.event import Event
from loopwright.registry import DETECTORS, FORMATS, load
from observing import read

_TABLES = Path(__file__).parents[1] / "golden" / "signals"
Fired = tuple[str, int, str]
"""Which transcript, at which event first, which signal."""


def judged(name: str) -> Mapping[Fired, str]:
    """Read a table: what fired, and whether it was `right` or `wrong`."""
    lines = (_TABLES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {(transcript, int(event), signal): verdict for transcript, event, signal, verdict, _ in rows}


def transcripts() -> list[Path]:
    """Name the real sessions that are at hand."""
    return sorted(FOLDER.glob("*.jsonl.xz"))


def fired(path: Path, detectors: Iterable[str]) -> set[Fired]:
    """Give what fires in a session now."""
    watch = Watch("run", {name: load(DETECTORS, name)() for name in detectors})
    signals = [*watch.see(_events(path)), *watch.end()]
    return {(path.stem, signal.events[0], signal.type) for signal in signals}


@cache
def _events(path: Path) -> list[Event]:
    events, _ = read(load(FORMATS, path.name.partition("-")[0])(), unpacked(path))
    for number, event in enumerate(events, 1):
        event.seq = number
    return events
