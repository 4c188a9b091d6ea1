"""A report of sessions on the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import amount, bar, count, cut_left, folder, money, one_line, plural, share, sparkline, time
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
_LEAST = 12
Row = Sequence[RenderableType]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Tail:
    """A path in a cell: where it does not fit, its end is shown."""

    text: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(_LEAST, len(self.text)), len(self.text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(cut_left(self.text, options.max_width), no_wrap=True)


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
        grid.add_row(*[Text(figure, "bold cyan") for figure, _ in tiles])
        grid.add_row(*[Text(words, "dim") for _, words in tiles])
        self._print(grid)

    def _friction(self, felt: Felt) -> None:
        """Print what went wrong and what went well, each type with its example."""
        for name, style, groups in (("Friction", "yellow", felt.friction), ("Delight", "green", felt.delight)):
            if groups:
                self._heading(name)
            for found in groups:
                head = Text.assemble("  ", (f"{found.type:<18}", style), friction_count(found))
                head.append(f"  {friction_cost(found)}", "dim")
                self._print(head)
                self._print(Padding(Text(one_line(found.example.description), overflow="ellipsis"), (0, 0, 0, 4)))
                where = f"run {short(found.example.run_id)}, event {found.example.events[0]}"
                todo = one_line(found.example.action)
                self._print(Padding(Text(f"→ {todo}  ({where})" if todo else f"({where})", "dim"), (0, 0, 0, 4)))

    def _days(self, report: Report) -> None:
        found = periods(report.days, self._width - 30)
        if len(found) < 2:
            return
        costs = [period.cost_usd for period in found]
        values = costs if any(costs) else [float(period.tokens) for period in found]
        peak = found[values.index(max(values))]
        most = money(peak.cost_usd) if any(costs) else f"{amount(peak.tokens)} tokens"
        self._heading("By day" if found[0].days == 1 else f"By {found[0].days} days")
        self._print(Text.assemble("  ", (sparkline(values), "cyan"), f"  most: {most}", (f" {peak.first}", "dim")))
        ends = f"{found[0].first}{found[-1].last:>{max(11, len(found) - 10)}}"
        self._print(Text(f"  {ends}", "dim"))

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
                self._table([name, "", ">cost", ">", ">at work", ">sessions"], rows, len(groups))
        models: list[Row] = [
            [
                Tail(one_line(part.name) or "unknown"),
                *self._cost(part, report.models, totals.cost_usd),
                amount(part.tokens.total - part.tokens.output),
                amount(part.tokens.output),
            ]
            for part in _first(report.models)
        ]
        self._table(["Models", "", ">cost", ">", ">tokens in", ">out"], models, len(report.models))

    def _cost(self, part: Part, parts: Sequence[Part], whole: float) -> list[RenderableType]:
        if any(other.cost_usd for other in parts):
            drawn = bar(part.cost_usd, parts[0].cost_usd, self._bar)
        else:
            drawn = bar(part.tokens.total, parts[0].tokens.total, self._bar)
        cost = money(part.cost_usd, part.unpriced)
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
        self._table(["Tools", "", ">calls", ">errors", ">", ">time"], rows, len(report.tools))
        if rows:
            self._print(Text("  a tool's time has your own in it, where it waited for permission", "dim"))

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
        self._table(["Dearest sessions", "", ">", ">", ""], rows, len(report.dearest), flexible=4)

    def _files(self, report: Report) -> None:
        rows: list[Row] = [
            [Tail(folder(file.path)), f"{file.times:,}×", count(file.sessions, "session")]
            for file in _first(report.reread)
        ]
        self._table(["Files read again and again", ">", ">"], rows, len(report.reread))

    def _stops(self, report: Report) -> None:
        rows: list[Row] = [
            [*self._name(session), how_stopped(session), _goal(session)] for session in _first(report.stopped)
        ]
        self._table(["Where you stepped in", "", "", ""], rows, len(report.stopped), flexible=3)

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
            self._table([name, "", "", ">", ""], rows, len(rows), flexible=4)
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

    def _table(self, columns: Sequence[str], rows: Sequence[Row], of: int, flexible: int = 0) -> None:
        """Print rows; the first column's name is that of the table, `>` says that a column is flush right."""
        if not rows:
            return
        name = Text(columns[0], "bold not dim")
        if of > len(rows):
            name.append(f"  {len(rows)} of {of:,}", "not bold dim")
        self._print()
        if flexible:
            self._print(name)
        table = Table(box=None, show_header=not flexible, pad_edge=False, expand=True, header_style="dim")
        for place, column in enumerate(columns):
            header = column.removeprefix(">") if place else name
            justify: Literal["left", "right"] = "right" if column.startswith(">") else "left"
            table.add_column(header, justify=justify, ratio=1 if place == flexible else None, no_wrap=True)
        for first, *others in rows:
            table.add_row(Padding(first, (0, 0, 0, 2)), *others)
        self._print(table)

    def _print(self, what: RenderableType = "", **options: object) -> None:
        self._out.print(what, markup=False, **{"width": self._width, **options})  # type: ignore[arg-type]


def _first(items: Sequence[Item]) -> Sequence[Item]:
    """Give the first of many; one or two that are left over are not left out."""
    return items[:_ROWS] if len(items) > _ROWS + 2 else items


def _goal(session: Summary) -> Text:
    return Text(one_line(session.goal) or Path(one_line(session.project)).name, no_wrap=True, overflow="ellipsis")
