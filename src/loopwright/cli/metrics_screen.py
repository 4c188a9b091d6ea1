"""Metrics on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import amount, bar, count, cut_middle, folder, money, one_line, sparkline, time
from loopwright.measure.metrics import Metrics, Rate
from loopwright.measure.overview import View

_WIDEST = 120
_NARROW = 100
_ROWS = 30
_STEPS, _FEW_STEPS = 16, 8
"""So many periods are drawn."""
_SHORTEST = 8
"""So much of a name is left, however little room there is."""
_NONE = "–"
_LESS = ("tokens", "lines", "coverage", "rejected")
"""What a narrow terminal has no room for."""
_WORDS = {"task_type": "task type", "prompt_version": "prompt version", "hour": "hour (UTC)"}
Cell = Callable[[Metrics], str]
Column = tuple[str, Callable[[Metrics], RenderableType]]


class Screen:
    """Prints metrics, part by part."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._width = min(out.width, _WIDEST)
        self._narrow = self._width < _NARROW
        self._bar = 6 if self._narrow else 12

    def show(self, view: View) -> None:
        """Print all of it."""
        if view.whole is None:
            return
        self._head(view, view.whole)
        self._table(view)
        self._warnings(view)
        self._next(view, view.whole)

    def _head(self, view: View, whole: Metrics) -> None:
        since = f" · since {view.since[:10]}" if view.since else ""
        self._print()
        self._print(Text("How your agents do", "bold"))
        self._print(Text(f"{count(whole.runs, 'run')}, {whole.passed.tries:,} of them judged{since}", "dim"))
        self._print()
        tiles = [
            (percent(whole.passed), f"passed{_range(whole.passed)}"),
            (percent(whole.first_pass), "at once"),
            (_time(whole), "a task"),
            (_cost(whole), f"a task, {money(whole.cost_usd)} in all"),
            (percent(whole.human), "with a human"),
        ]
        grid = Table.grid(padding=(0, 3), pad_edge=False)
        grid.add_row(*[Text(figure, "bold cyan") for figure, _ in tiles])
        grid.add_row(*[Text(words, "dim") for _, words in tiles])
        self._print(grid)

    def _table(self, view: View) -> None:
        shown = view.groups[-_ROWS:] if view.period else view.groups[:_ROWS]
        name = Text(f"By {_WORDS.get(view.by, view.by)}", "bold not dim")
        if len(shown) < len(view.groups):
            name.append(f"  {len(shown)} of {len(view.groups):,}", "not bold dim")
        columns = self._columns(view, shown)
        room = self._width - self._measured(columns, shown)
        table = self._empty()
        table.add_column(name, no_wrap=True, min_width=24 if view.period else 12)
        self._fill(table, columns, shown, [Padding(_name(view, group, room - 2), (0, 0, 0, 2)) for group in shown])
        self._print()
        self._print(table)

    def _empty(self) -> Table:
        return Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1 if self._narrow else 2, 0, 0))

    def _measured(self, columns: Sequence[Column], shown: Sequence[Metrics]) -> int:
        """Say how much room all columns take but the name's, and what is between them and it."""
        table = self._empty()
        self._fill(table, columns, shown)
        wide = self._out.options.update(width=10 * _WIDEST)
        return self._out.measure(table, options=wide).maximum + 2

    def _fill(
        self, table: Table, columns: Sequence[Column], shown: Sequence[Metrics], names: Sequence[RenderableType] = ()
    ) -> None:
        for title, _ in columns:
            table.add_column(title, justify="left" if title in ("", "passed", "over time") else "right", no_wrap=True)
        for place, group in enumerate(shown):
            table.add_row(*names[place : place + 1], *[cell(group) for _, cell in columns])

    def _columns(self, view: View, shown: Sequence[Metrics]) -> list[Column]:
        plain: list[tuple[str, Cell]] = [
            ("at once", lambda group: percent(group.first_pass)),
            ("time", _time),
            ("cost", _cost),
            ("tokens", lambda group: _figure(group.tokens_per_task)),
            ("lines", lambda group: _figure(group.lines_per_task)),
            ("coverage", lambda group: f"{group.coverage:.0f}%" if group.coverage is not None else _NONE),
            ("human", lambda group: percent(group.human)),
            ("rejected", lambda group: percent(group.rejected)),
        ]
        wanted = [column for column in plain if not (self._narrow and column[0] in _LESS)]
        kept = [(title, cell) for title, cell in wanted if any(cell(group) != _NONE for group in shown)]
        columns: list[Column] = [("runs", lambda group: f"{group.runs:,}")]
        if any(group.passed.tries for group in shown):
            columns += [("passed", self._passed), ("", lambda group: Text(_range(group.passed).strip(), "dim"))]
        columns += kept
        if not view.period and any(len([1 for _, rate in rates if rate.tries]) > 1 for rates in view.passing.values()):
            steps = _FEW_STEPS if self._narrow else _STEPS
            columns.append(("over time", lambda group: _over_time(view.passing.get(group.name, ())[-steps:])))
        return columns

    def _passed(self, group: Metrics) -> Text:
        if group.passed.share is None:
            return Text(_NONE, "dim")
        drawn = bar(group.passed.share, 1.0, self._bar)
        return Text.assemble((f"{percent(group.passed):>4} ", "bold"), (drawn, "cyan"))

    def _warnings(self, view: View) -> None:
        for title, lines in (("Got worse, beyond chance", view.trends), ("Over the limit", view.alerts)):
            if lines:
                self._print()
                self._print(Text(title, "bold red"))
            for line in lines:
                self._print(Padding(Text(one_line(line)), (0, 0, 0, 2)))
        for note in view.notes:
            self._print()
            self._print(Text(one_line(note), "dim"))

    def _next(self, view: View, whole: Metrics) -> None:
        self._print()
        steps = []
        if unjudged := whole.runs - whole.passed.tries:
            steps.append(("loopwright feedback RUN up|down", f"nobody has judged {count(unjudged, 'run')}"))
        if view.period is None:
            steps.append((f"loopwright metrics --by {view.by} --period week", "week by week"))
        for command, why in steps:
            self._print(Text.assemble(("→ ", "dim"), command, (f"  {why}", "dim")), soft_wrap=True)

    def _print(self, what: RenderableType = "", **options: object) -> None:
        self._out.print(what, markup=False, **{"width": self._width, **options})  # type: ignore[arg-type]


def percent(rate: Rate) -> str:
    """Write a share."""
    return _NONE if rate.share is None else f"{100 * rate.share:.0f}%"


def _range(rate: Rate) -> str:
    return "" if rate.interval is None else f" {100 * rate.interval[0]:.0f}–{100 * rate.interval[1]:.0f}%"


def _time(group: Metrics) -> str:
    return _NONE if group.seconds_per_task is None else time(group.seconds_per_task)


def _cost(group: Metrics) -> str:
    return _NONE if group.cost_per_task is None else money(group.cost_per_task)


def _figure(value: float | None) -> str:
    return _NONE if value is None else amount(value)


def _over_time(rates: Sequence[tuple[str, Rate]]) -> Text:
    newest = [rate.share or 0.0 for _, rate in rates if rate.tries]
    return Text(sparkline([*newest, 1.0])[:-1], "cyan")  # all are drawn against 100%


def _name(view: View, group: Metrics, room: int) -> Text:
    if view.by == "hour":
        name = f"{int(group.name):02d}:00" if group.name else "unknown"
    else:
        name = folder(group.name) if view.by == "project" else one_line(group.name)
    when = Text(f"{group.period}  ", "dim") if view.period else Text()
    return when.append(cut_middle(name or "unnamed", max(_SHORTEST, room - len(when))), "default")
