"""How fast runs are listed, shown and compared in a store of 10 million events: 5,000 sessions of 2,000 events each.

The time is that of the command itself, within one process: what Python takes to start is `startup`'s to measure. The
store is made once for a measurement and removed, unless LOOPWRIGHT_BENCH_STORE names a folder in which it is kept.
"""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import events
from loopwright.cli.main import cli
from loopwright.errors import UnknownName
from loopwright.records.criterion import Criterion
from loopwright.records.identity import new_id, timestamp
from loopwright.records.run import Attempt, Run, Status, Step
from loopwright.records.session import Observation, Session
from loopwright.records.task import Observed
from loopwright.store import open_store

EVENTS, RUNS = 2_000, 5_000
MAX_MS, ROUNDS = 300.0, 9
COMMANDS = (
    ["runs"],
    ["runs", "--source", "claude_code", "--limit", "20"],
    ["show", "FIRST"],
    ["show", "FIRST", "--errors"],
    ["show", "FIRST", "--tools"],
    ["show", "FIRST", "--timeline"],
    ["compare", "FIRST", "SECOND"],
)


def measure() -> list[str]:
    with _home() as home:
        began = time.perf_counter()
        ids = _ids(home) or _filled(home)
        made = time.perf_counter() - began
        size = (home / "store.sqlite").stat().st_size / 1e9
        print(f"{len(ids) * EVENTS:,} events in {size:.1f} GB, made in {made:.0f} s", file=sys.stderr)
        return [_row(words, home, {"FIRST": ids[0], "SECOND": ids[-1]}) for words in COMMANDS]


def _row(words: list[str], home: Path, names: dict[str, str]) -> str:
    arguments = [*(names.get(word, word) for word in words), "--home", str(home), "--repo", str(home)]
    _seconds(arguments)  # what is loaded once is not the record's
    took = statistics.median(_seconds(arguments) for _ in range(ROUNDS)) * 1000
    what = f"10 million events: loopwright {' '.join(words)}"
    return f"{what}|{took:.0f} ms|{MAX_MS:.0f} ms|{'ok' if took <= MAX_MS else 'OVER'}"


def _seconds(arguments: list[str]) -> float:
    began = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        cli.main(arguments, standalone_mode=False)
    return time.perf_counter() - began


@contextlib.contextmanager
def _home() -> Iterator[Path]:
    if kept := os.environ.get("LOOPWRIGHT_BENCH_STORE"):
        Path(kept).mkdir(parents=True, exist_ok=True)
        yield Path(kept)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _ids(home: Path) -> list[str]:
    if not (home / "store.sqlite").exists():
        return []
    with closing(sqlite3.connect(home / "store.sqlite")) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM runs ORDER BY id")]


def _filled(home: Path) -> list[str]:
    """Write one session as a scan does, and copy it within the database: the rest would take an hour."""
    first = _session()
    with open_store(home / "store.sqlite", _no_kinds) as store:
        store.observed.save_observations([first])
    ids = sorted(new_id() for _ in range(RUNS - 1))
    with closing(sqlite3.connect(home / "store.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -400000")
        connection.execute("BEGIN")
        for table in ("runs", "steps", "attempts", "sessions", "rollups", "events"):
            connection.executemany(_copying(connection, table, first.run.id), [{"new": run_id} for run_id in ids])
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    return [first.run.id, *ids]


def _copying(connection: sqlite3.Connection, table: str, run_id: str) -> str:
    """Copy a run's rows under another id; the ids of its parts are made of the new one."""
    other = {"runs": {"id": ":new", "started_at": "'2026-01-01T' || substr(:new, -8)"}}
    other |= {"steps": {"id": ":new || 's'"}, "attempts": {"id": ":new || 'a'", "step_id": ":new || 's'"}}
    other |= {"sessions": {"session_id": ":new"}, "events": {"attempt_id": ":new || 'a'"}}
    changed = {"run_id": ":new", **other.get(table, {})}
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = [changed.get(name, name) for name in names]
    key = "id" if table == "runs" else "run_id"
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table} WHERE {key} = '{run_id}'"


def _session() -> Observation:
    run_id, now = new_id(), timestamp()
    run = Run(
        id=run_id,
        task=Observed("Measure the record", task_type="chore"),
        profile=events.Profile(agent="claude_code", model="some-model"),
        repository="/p",
        base="",
        branch="main",
        workspace="",
        artifacts="",
        budget=events.Budget(),
        started_at=now,
        status=Status.OBSERVED,
        ended_at=now,
        source="claude_code",
    )
    step = Step(f"{run_id}s", run_id)
    attempt = Attempt(f"{run_id}a", run_id, step.id, 1, now)
    happened = [events.make_event(attempt.id, seq) for seq in range(1, EVENTS + 1)]
    return Observation(run, step, attempt, Session(run_id, "claude_code", run_id, "/s.jsonl"), happened)


def _no_kinds(name: str) -> type[Criterion]:
    raise UnknownName("criterion", name, ())
