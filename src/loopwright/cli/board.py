"""Several runs at once, on stderr: a table that tells where each of them is, and a line that stays for each end."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.cli.output import STYLES, first_line
from loopwright.cli.terminal import NEWS, Terminal
from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event
from loopwright.records.identity import short
from loopwright.records.run import Result, Run, Status, because
from loopwright.run.git import Repository

_ROOM_FOR_GOAL = 32


@dataclass
class Row:
    """Where a run is."""

    goal: str
    began: float | None = None
    tries: int = 0
    cost_usd: float = 0.0
    passed: int = 0
    failed: int = 0
    doing: str = "waits for its turn"


class Board(Terminal):
    """A watcher for several runs. Where nobody sits at a terminal, it prints lines as one run does."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository, several=True)
        self._rows: dict[str, Row] = {}
        self._rows_lock = threading.Lock()  # not the one for lines: the table is drawn while one is printed
        self._done: dict[Status, int] = {}
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(get_renderable=self._table, console=self._console, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def expect(self, runs: Sequence[Run]) -> None:
        """Take the runs that are to come into the table."""
        self._rows = {run.id: Row(first_line(run.task.goal)) for run in runs}

    def started(self, run: Run) -> None:
        self._row(run).began = time.monotonic()
        if self._live is None:
            super().started(run)

    def phase(self, run: Run, text: str) -> None:
        row = self._row(run)
        row.doing, row.tries, row.cost_usd = text, run.spent.iterations, run.spent.cost_usd
        if self._live is None or text.startswith("paused"):
            super().phase(run, text)

    def event(self, run: Run, event: Event) -> None:
        if event.kind in NEWS:
            self._row(run).doing = f"{event.tool or ''} {first_line(event.command or event.path or event.text)}".strip()
        super().event(run, event)

    def checked(self, run: Run, checks: Sequence[Check]) -> None:
        row = self._row(run)
        row.passed = sum(check.verdict is Verdict.PASS for check in checks)
        row.failed = len(checks) - row.passed
        if self._live is None:
            super().checked(run, checks)

    def ended(self, run: Run, result: Result) -> None:
        with self._rows_lock:
            self._rows.pop(run.id, None)
            self._done[result.status] = self._done.get(result.status, 0) + 1
        style = STYLES[result.status]
        goal = f"  [dim]{escape(first_line(run.task.goal))}[/dim]" if self._live is not None else ""
        self._line(run, f"[{style}]{result.status}[/{style}]{because(result.status, result.reason)}{goal}")

    def _row(self, run: Run) -> Row:
        with self._rows_lock:
            return self._rows.setdefault(run.id, Row(first_line(run.task.goal)))

    def _table(self) -> Table:
        with self._rows_lock:  # runs come and go while this is drawn
            rows, done = list(self._rows.items()), dict(self._done)
        ended = " · ".join(f"{count} {status}" for status, count in done.items())
        at_work = sum(row.began is not None for _, row in rows)
        waiting = len(rows) - at_work
        title = " · ".join(filter(None, (self._elapsed(), f"{at_work} at work", f"{waiting} in line", ended)))
        table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="dim", expand=True)
        for name in ("run", "time", "tries", "checks", "cost"):
            table.add_column(name, no_wrap=True, justify="left" if name == "run" else "right")
        table.add_column("goal", no_wrap=True, overflow="ellipsis", max_width=_ROOM_FOR_GOAL)
        table.add_column("now", no_wrap=True, overflow="ellipsis", ratio=1)
        for run_id, row in rows[: max(1, self._console.height - 4)]:
            table.add_row(*_cells(short(run_id), row))
        return table


def _cells(name: str, row: Row) -> list[str | Text]:
    if row.began is None:
        return [name, "", "", "", "", Text(row.goal), Text(row.doing, "dim")]
    seconds = int(time.monotonic() - row.began)
    checks = Text.assemble((f"{row.passed}✓", "green"), " ", (f"{row.failed}✗", "red" if row.failed else "dim"))
    cells: list[str | Text] = [name, f"{seconds // 60}:{seconds % 60:02d}", str(row.tries), checks]
    return [*cells, f"${row.cost_usd:.2f}", Text(row.goal), Text(row.doing)]
