"""Formats at work: a session read from its files, real ones where they are at hand, and what nobody expects in them."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ingest.transcripts import FOLDER, unpacked
from loopwright import registry
from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.once import counted_once
from loopwright.ingest.ports import About, Format
from loopwright.ingest.report import Totals, report_of
from loopwright.ingest.scan import Scan
from loopwright.ingest.sniffing import HEAD
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.store import open_store

SESSIONS = Path(__file__).parent / "golden" / "sessions"
fuzzed = settings(
    max_examples=int(os.environ.get("FUZZ", "50")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_SCALARS = st.one_of(
    st.sampled_from((None, True, -1, 0, 10**400, 1e308, "", "\x00\ud800", "9" * 400, "error", "ses_1", 1794806362174)),
    st.text(max_size=5),
)
anything = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def real_sessions(agent: str) -> list[Path]:
    """Give the real sessions of an agent; where there are none, the test is skipped and says so."""
    found = sorted(FOLDER.glob(f"{agent}-*.xz"))
    if not found:
        pytest.skip(f"there are no real sessions of {agent} here: name their folder in LOOPWRIGHT_TRANSCRIPTS")
    return [unpacked(path) for path in found]


def read(kind: Format, *paths: Path) -> tuple[list[Event], About]:
    """Read the one session that files hold; each must be known for what it is."""
    for path in paths:
        with path.open("rb") as file:
            assert kind.recognises(file.read(HEAD)), path
    names = {name for path in paths for name in kind.sessions(path)}
    assert len(names) == 1
    reading = kind.read(names.pop(), paths)
    return list(reading.events()), reading.about


def totals(kind: Format, folder: Path) -> Totals:
    """Scan a folder for one format, and sum up what is found there."""
    with open_store(folder.parent / "store.sqlite", registry.kinds) as store:
        found = Scan(store.observed, {"tried": kind}, Masker({})).scan(list(find_files([folder])))
        return report_of(counted_once(store.observed.summaries(found.runs))).totals


def kinds(events: Sequence[Event]) -> list[str]:
    """Give what kinds of things happened, in order."""
    return [event.kind.value for event in events]


def of(events: Sequence[Event], kind: EventKind) -> list[Event]:
    """Give the events of a kind."""
    return [event for event in events if event.kind is kind]


def spent(events: Sequence[Event]) -> Usage:
    """Add up the tokens."""
    names = ("input", "output", "cache_read", "cache_write")
    usage = of(events, EventKind.USAGE)
    return sum((Usage(*(event.data[name] for name in names)) for event in usage), Usage())


def written(path: Path, *lines: object) -> Path:
    """Write lines of JSON; half of a surrogate pair is written as such."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8", errors="surrogatepass")
    return path


@st.composite
def broken(draw: st.DrawFn, whole: Any) -> Any:
    """Give a record in which some values are what nobody expects."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 4))):
        value = _broken(draw, value)
    return value


def _broken(draw: st.DrawFn, value: Any) -> Any:
    inner = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not inner or draw(st.integers(0, 5)) == 0:
        return draw(anything)
    place = draw(st.sampled_from(inner))
    value[place] = _broken(draw, value[place])
    return value
