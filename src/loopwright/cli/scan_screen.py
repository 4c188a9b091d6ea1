"""A report of sessions on the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import amount, bar, count, folder, money, one_line, plural, share, sparkline, time
from loopwright.cli.scan_table import Columns, Row, Tail, drawn
from loopwright.cli.scan_words import (
    beside_median,
    friction_cost,
    friction_count,
    how_stopped,
    median_words,
    outlier_words,
    title,
)
from loopwright.ingest.calendar import periods
from loopwright.ingest.report import Part, Report
from loopwright.measure.friction import Felt
from loopwright.records.identity import short
from loopwright.records.summary import Summary

_WIDEST = 120
_NARROW = 100
_ROWS = 8
_SMALL = 60
Item = TypeVar("Item")


class Screen:
    """Prints a report, part by part."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._width = min(out.width, _WIDEST)
        self._bar = 10 if self._width < _NARROW else 24

    def show(
        self,
        report: Report,
        notes: Sequence[str],
        paths: Sequence[Path],
        html: bool,
        store: str = "",
        felt: Felt = Felt(),
    ) -> None:
        """Print all of it."""
        self._head(report)
        self._friction(felt)
        self._days(report)
        self._spending(report)
        self._tools(report)
        self._sessions(report)
        self._files(report)
        self._stops(report)
        self._median(report)
        self._notes(notes)
        self._next(report, felt, paths, html)
        if store:
            self._print(Text(f"kept in {folder(store)}", "dim"), soft_wrap=True)

    def _head(self, report: Report) -> None:
        totals = report.totals
        self._print()
        self._print(Text("Where your agents spend it", "bold"))
        self._print(Text(title(report), "dim"))
        self._print()
        failed = share(totals.tool_errors, totals.tool_calls)
        cached = share(totals.cache_read_tokens, totals.tokens.total)
        calls = plural("tool call", totals.tool_calls)
        tiles = [
            (money(totals.cost_usd, sum(report.unpriced.values())), "at list prices"),
            (time(totals.active_s), "at work"),
            (amount(totals.tokens.total), f"tokens, {cached} cached" if cached else "tokens"),
            (f"{totals.tool_calls:,}", f"{calls}, {failed} failed" if failed else calls),
            (f"{totals.prompts:,}", plural("prompt", totals.prompts)),
        ]
        grid = Table.grid(padding=(0, 3), pad_edge=False)
        shown = [(Text(figure, "bold cyan"), Text(words, "dim")) for figure, words in tiles]
        if sum(max(map(len, tile)) + 3 for tile in tiles) - 3 > self._width:
            grid.add_column(justify="right", no_wrap=True)
        for row in shown if grid.columns else zip(*shown, strict=True):
            grid.add_row(*row)
        self._print(grid)

    def _friction(self, felt: Felt) -> None:
        """Print what went wrong and what went well, each type with its example."""
        for name, style, groups in (("Friction", "yellow", felt.friction), ("Delight", "green", felt.delight)):
            if groups:
                self._heading(name)
            for found in groups:
                head = Text.assemble((f"{found.type:<18}" if self._width >= _SMALL else found.type, style))
                head.append(f" {friction_count(found)}").append(f"  {friction_cost(found)}", "dim")
                self._print(Padding(head, (0, 0, 0, 2)))
                self._print(Padding(Text(one_line(found.example.description), overflow="ellipsis"), (0, 0, 0, 4)))
                where = f"run {short(found.example.run_id)}, event {found.example.events[0]}"
                todo = one_line(found.example.action)
                self._print(Padding(Text(f"→ {todo}  ({where})" if todo else f"({where})", "dim"), (0, 0, 0, 4)))

    def _days(self, report: Report) -> None:
        is_small = self._width < _SMALL
        found = periods(report.days, self._width - (4 if is_small else 30))
        if len(found) < 2:
            return
        costs = [period.cost_usd for period in found]
        values = costs if any(costs) else [float(period.tokens) for period in found]
        peak = found[values.index(max(values))]
        most = money(peak.cost_usd) if any(costs) else f"{amount(peak.tokens)} tokens"
        self._heading("By day" if found[0].days == 1 else f"By {found[0].days} days")
        gap = "\n" if is_small else "  "
        line = Text.assemble((sparkline(values), "cyan"), f"{gap}most: {most}", (f" {peak.first}", "dim"))
        ends = f"{found[0].first}{found[-1].last:>{max(11, len(found) - 10)}}"
        self._print(Padding(line.append(f"\n{ends}", "dim"), (0, 0, 0, 2)))

    def _spending(self, report: Report) -> None:
        totals = report.totals
        for name, groups in (("Projects", report.projects), ("Agents", report.agents)):
            if len(groups) > 1 or name == "Projects":
                rows: list[Row] = [
                    [
                        Tail(folder(group.name) or "unknown"),
                        *self._cost(group, groups, totals.cost_usd),
                        time(group.active_s),
                        f"{group.sessions:,}",
                    ]
                    for group in _first(groups)
                ]
                columns = Columns([name, "", ">cost", ">", ">at work", ">sessions"], spare=(1, 3, 5, 4))
                self._table(columns, rows, len(groups))
        models: list[Row] = [
            [
                Tail(one_line(part.name) or "unknown"),
                *self._cost(part, report.models, totals.cost_usd),
                amount(part.tokens.total - part.tokens.output),
                amount(part.tokens.output),
            ]
            for part in _first(report.models)
        ]
        columns = Columns(["Models", "", ">cost", ">", ">tokens in", ">out"], spare=(1, 3, 5, 4))
        self._table(columns, models, len(report.models))

    def _cost(self, part: Part, parts: Sequence[Part], whole: float) -> list[RenderableType]:
        if any(other.cost_usd for other in parts):
            drawn = bar(part.cost_usd, parts[0].cost_usd, self._bar)
        else:
            drawn = bar(part.tokens.total, parts[0].tokens.total, self._bar)
        cost = money(part.cost_usd, part.unknown)
        return [Text(drawn, "cyan"), Text(cost, "bold"), Text(share(part.cost_usd, whole), "dim")]

    def _tools(self, report: Report) -> None:
        most = report.tools[0].calls if report.tools else 0
        rows: list[Row] = [
            [
                Text(one_line(use.tool) or "unnamed"),
                Text(bar(use.calls, most, self._bar), "cyan"),
                f"{use.calls:,}",
                Text(f"{use.errors:,}" if use.errors else "", "red"),
                Text(share(use.errors, use.calls), "red"),
                time(use.seconds) if use.timed else "?",
            ]
            for use in _first(report.tools)
        ]
        columns = Columns(["Tools", "", ">calls", ">errors", ">", ">time"], spare=(1, 4, 5, 3))
        self._table(columns, rows, len(report.tools))
        if rows:
            words = "a tool's time has your own in it, where it waited for permission"
            self._print(Padding(Text(words, "dim"), (0, 0, 0, 2)))

    def _sessions(self, report: Report) -> None:
        rows: list[Row] = [
            [
                *self._name(session),
                money(session.cost_usd, len(session.unpriced)),
                time(session.active_s),
                _goal(session),
            ]
            for session in _first(report.dearest)
        ]
        columns = Columns(["Dearest sessions", "", ">", ">", ""], spare=(1, 3, 4), flexible=4)
        self._table(columns, rows, len(report.dearest))

    def _files(self, report: Report) -> None:
        rows: list[Row] = [
            [Tail(folder(file.path)), f"{file.times:,}×", count(file.sessions, "session")]
            for file in _first(report.reread)
        ]
        self._table(Columns(["Files read again and again", ">", ">"], spare=(2,)), rows, len(report.reread))

    def _stops(self, report: Report) -> None:
        rows: list[Row] = [
            [*self._name(session), how_stopped(session), _goal(session)] for session in _first(report.stopped)
        ]
        columns = Columns(["Where you stepped in", "", "", ""], spare=(1, 3), flexible=3)
        self._table(columns, rows, len(report.stopped))

    def _median(self, report: Report) -> None:
        if not report.medians:
            return
        rows: list[Row] = [
            [
                *self._name(found.session),
                Text(outlier_words(found), "bold"),
                Text(beside_median(found), "yellow"),
                _goal(found.session),
            ]
            for found in report.outliers
        ]
        name = f"Against your median session ({median_words(report.medians)})"
        if rows:
            self._table(Columns([name, "", "", ">", ""], spare=(1, 4, 3), flexible=4), rows, len(rows))
        else:
            self._heading(name)
            self._print("  No session stands out.")

    def _notes(self, notes: Iterable[str]) -> None:
        lines = list(notes)
        if lines:
            self._heading("What this does not know")
        for line in lines:
            self._print(Padding(Text(line), (0, 0, 0, 2)))

    def _next(self, report: Report, felt: Felt, paths: Sequence[Path], html: bool) -> None:
        self._print()
        steps = []
        if felt.friction or felt.delight:
            steps.append(("loopwright signals", "each moment, with its evidence"))
        if report.dearest:
            steps.append((f"loopwright show {short(report.dearest[0].run_id)}", "what the dearest one did"))
        if not html:
            named = "".join(f"{shlex.quote(str(path))} " for path in paths)
            steps.append((f"loopwright scan {one_line(named)}{' ' if named else ''}--html report.html", "with charts"))
        for command, why in steps:
            self._print(Text.assemble(("→ ", "dim"), command, (f"  {why}", "dim")), soft_wrap=True)

    def _name(self, session: Summary) -> list[RenderableType]:
        return [Text(short(session.run_id), "cyan"), Text(session.started_at[:10] or "no date", "dim")]

    def _heading(self, words: str) -> None:
        self._print()
        self._print(Text(words, "bold"))

    def _table(self, columns: Columns, rows: Sequence[Row], of: int) -> None:
        """Print rows, with as many columns as there is room for."""
        if not rows:
            return
        name = Text(columns.names[0], "bold not dim")
        if of > len(rows):
            name.append(f"  {len(rows)} of {of:,}", "not bold dim")
        self._print()
        for part in drawn(columns, rows, name, self._width):
            self._print(part)

    def _print(self, what: RenderableType = "", **options: object) -> None:
        self._out.print(what, markup=False, **{"width": self._width, **options})  # type: ignore[arg-type]


def _first(items: Sequence[Item]) -> Sequence[Item]:
    """Give the first of many; one or two that are left over are not left out."""
    return items[:_ROWS] if len(items) > _ROWS + 2 else items


def _goal(session: Summary) -> Text:
    return Text(one_line(session.goal) or Path(one_line(session.project)).name, no_wrap=True, overflow="ellipsis")
