"""What fires on real sessions is what somebody has read there and judged; none of their words is here."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.transcripts import FOLDER, unpacked
from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.scan import Scan
from loopwright.measure.watch import KINDS, Watch
from loopwright.registry import DETECTORS, FORMATS, kinds, load, names
from loopwright.store import open_store

TABLES = Path(__file__).parents[1] / "golden" / "signals"
FEWEST, PRECISION = 5, 0.9


def rows() -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for table in sorted(TABLES.glob("*.tsv")):
        with table.open(encoding="utf-8", newline="") as file:
            found += csv.DictReader(file, delimiter="\t")
    return found


def transcripts() -> list[Any]:
    found = sorted(FOLDER.glob("*.xz"))
    reason = "there are no real sessions here: name their folder in LOOPWRIGHT_TRANSCRIPTS"
    return [pytest.param(path, id=path.stem) for path in found] or [
        pytest.param(Path("none"), marks=pytest.mark.skip(reason=reason))
    ]


def fired(path: Path, store_path: Path) -> set[tuple[str, str]]:
    """Read a session as scan does, and give what fires: the first event, and the signal."""
    formats = {name: load(FORMATS, name)() for name in names(FORMATS)}
    found: set[tuple[str, str]] = set()
    with open_store(store_path, kinds) as store:
        for run_id in Scan(store.observed, formats, Masker({})).scan(list(find_files([unpacked(path)]))).runs:
            watch = Watch(run_id, {name: load(DETECTORS, name)() for name in names(DETECTORS)})
            for part in store.measured.events(run_id, KINDS):
                found |= {(str(signal.events[0]), signal.type) for signal in watch.see(part)}
            found |= {(str(signal.events[0]), signal.type) for signal in watch.end()}
    return found


@pytest.mark.parametrize("path", transcripts())
def test_what_fires_is_what_was_judged(path: Path, tmp_path: Path) -> None:
    """Each firing has its row, and each row still fires: who changes a rule looks at what it changes."""
    judged = {(row["first_event"], row["signal"]) for row in rows() if row["transcript"] == path.stem}
    assert fired(path, tmp_path / "store.sqlite") == judged


@pytest.mark.parametrize("name", names(DETECTORS))
def test_they_are_right_often_enough(name: str) -> None:
    """A detector that fired five times or more was right nine times in ten."""
    counts = Counter(row["judged"] for row in rows() if row["signal"] == name)
    assert set(counts) <= {"right", "wrong"}
    assert counts.total() < FEWEST or counts["right"] >= PRECISION * counts.total()
