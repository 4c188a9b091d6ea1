"""Numbers over 100,000 runs: baselines, `loopwright metrics`, and what the table of outcomes costs when it is written.

The time is the processor's, of the work within one process: what Python takes to start is `startup`'s to measure.
"""

from __future__ import annotations

import contextlib
import io
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import events
from loopwright.cli.main import cli
from loopwright.http.prometheus import Exposition
from loopwright.measure.detectors.cost_spike import CostSpike
from loopwright.measure.detectors.timeout import Timeout
from loopwright.measure.weighing import Weighing
from loopwright.records.identity import timestamp
from loopwright.store import Store, open_store
from loopwright.store import outcomes as _outcomes

RUNS, ROUNDS, WRITES = 100_000, 5, 300
MAX_MS, MAX_WRITE_MS = 300.0, 1.0


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with open_store(home / "store.sqlite", events.no_kinds) as store:
            run_id = events.started(store).run_id
            _fill(home / "store.sqlite", run_id)
            return [*_reading(store, home), _writing(store, run_id)]


def _reading(store: Store, home: Path) -> list[str]:
    ids = [_run_id(number) for number in range(1000)]
    detectors = {"timeout": Timeout(), "cost_spike": CostSpike()}

    def weigh(chosen: list[str]) -> None:
        weighing = Weighing(store.outcomes, chosen, detectors)
        for name in chosen:
            weighing.signals(name)

    told = ["--home", str(home), "--repo", str(home)]
    rows = [
        _row("one run held against 100,000", lambda: weigh(ids[:1])),
        _row("1,000 runs held against 100,000", lambda: weigh(ids)),
    ]
    for words in (
        ["metrics"],
        ["metrics", "--by", "agent", "--period", "week"],
        ["metrics", "--by", "hour"],
        ["metrics", "--by", "project"],
    ):
        rows.append(_row(f"100,000 runs: loopwright {' '.join(words)}", lambda words=words: _call([*words, *told])))
    exposition = Exposition(store.outcomes.sums, store.measured.counts, _never_fresh())
    return [*rows, _row("100,000 runs: GET /metrics", exposition.text)]


def _never_fresh() -> Callable[[], float]:
    now = iter(range(0, 10**6, 100))
    return lambda: float(next(now))


def _writing(store: Store, run_id: str) -> str:
    with store._database.write() as connection:
        began = time.process_time()
        for _ in range(WRITES):
            _outcomes.refresh(connection, [run_id])
        took = (time.process_time() - began) * 1000 / WRITES
    return (
        f"a run is written: its outcome|{took:.2f} ms|{MAX_WRITE_MS:.0f} ms|{'ok' if took <= MAX_WRITE_MS else 'OVER'}"
    )


def _row(what: str, work: Callable[[], object], most: float = MAX_MS) -> str:
    work()  # what is loaded once is not ours
    took = statistics.median(_seconds(work) for _ in range(ROUNDS)) * 1000
    return f"{what}|{took:.0f} ms|{most:.0f} ms|{'ok' if took <= most else 'OVER'}"


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()  # others on the machine do not count
    work()
    return time.process_time() - began


def _call(arguments: list[str]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        cli.main(arguments, standalone_mode=False)


def _fill(path: Path, run_id: str) -> None:
    """Copy one run within the database, with other numbers: the rest would take long."""
    dice = random.Random(7)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        others = [name for name in names if name != "id"]
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO runs (id, {', '.join(others)}) SELECT ?, {', '.join(others)} FROM runs WHERE id = '{run_id}'",
            [(_run_id(number),) for number in range(RUNS)],
        )
        row = dict.fromkeys(column[1] for column in connection.execute("PRAGMA table_info(outcomes)"))
        marks = ", ".join(f":{name}" for name in row)
        rows = [row | _outcome(number, dice) for number in range(RUNS)]
        connection.executemany(f"INSERT INTO outcomes ({', '.join(row)}) VALUES ({marks})", rows)
        connection.execute("COMMIT")


def _run_id(number: int) -> str:
    """Give an id whose last digits are as random as those of a real one."""
    return f"{number:024d}{hash((number, 1)) % 16**12:012x}"


def _outcome(number: int, dice: random.Random) -> dict[str, object]:
    passed = dice.random() < 0.8
    began = timestamp(1.78e9 + number * 60)
    return {
        "run_id": _run_id(number),
        "project": f"/home/somebody/projects/number-{number % 20}",
        "task_type": dice.choice(["bug_fix", "feature", "refactor", "tests", "docs", "chore", "other"]),
        "agent": dice.choice(["claude_code", "codex", "gemini", "opencode"]),
        "model": dice.choice(["model-1", "model-2", "model-3", "model-4", "model-5"]),
        "profile": "default",
        "prompt_version": "",
        "source": "",
        "status": "done" if passed else "escalated",
        "started_at": began,
        "hour": int(began[11:13]),
        "passed": passed,
        "first_pass": passed and dice.random() < 0.6,
        "seconds": dice.lognormvariate(6, 1),
        "tokens": int(dice.lognormvariate(13, 1)),
        "cost_usd": dice.lognormvariate(0, 1),
        "iterations": dice.randint(1, 4),
        "tool_calls": 50,
        "tool_errors": 3,
        "interrupts": 0,
        "rejections": 0,
        "human": not passed,
        "rejected": dice.random() < 0.05,
        "lines_added": int(dice.lognormvariate(4, 1)),
        "lines_removed": 3,
        "coverage": None,
    }
