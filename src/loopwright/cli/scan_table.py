"""A table of a report, as wide as the terminal: what tells the least is left out where there is no room for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import cut_left

_LEAST = 12
_NAME = 16
"""So much of a name is worth more than what stands beside it."""
_INDENT, _GAP = 2, 1
Row = Sequence[RenderableType]


@dataclass(frozen=True)
class Tail:
    """A path in a cell: where it does not fit, its end is shown."""

    text: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(_LEAST, len(self.text)), len(self.text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(cut_left(self.text, options.max_width), no_wrap=True)


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are called, and how they share its width."""

    names: Sequence[str]
    """The first one is that of the table; `>` says that a column is flush right."""
    spare: Sequence[int] = ()
    """Which are left out where there is no room, the first one first."""
    flexible: int = 0
    """Which one takes what the others leave; where it is not the first, the table has no line of names."""


def fitted(columns: Columns, rows: Sequence[Row], width: int) -> Sequence[int]:
    """Give the columns for which there is room."""
    kept = list(range(len(columns.names)))
    for place in columns.spare:
        if _needed(columns, rows, kept) <= width:
            break
        kept.remove(place)
    return kept


def drawn(columns: Columns, rows: Sequence[Row], name: Text, width: int) -> list[RenderableType]:
    """Draw a table, and its name before it where that does not fit into the first column."""
    kept = fitted(columns, rows, width)
    others = sum(_wide(columns, rows, place) + 2 * _GAP for place in kept[1:])
    apart = columns.flexible > 0 or name.cell_len > width - others
    has_header = not columns.flexible and (not apart or any(columns.names[place].strip(">") for place in kept[1:]))
    table = Table(box=None, show_header=has_header, pad_edge=False, expand=True, header_style="dim")
    flexible = columns.flexible if columns.flexible in kept else kept[-1] if columns.flexible else 0
    for place in kept:
        justify: Literal["left", "right"] = "right" if columns.names[place].startswith(">") else "left"
        header = columns.names[place].removeprefix(">") if place else "" if apart else name
        table.add_column(header, justify=justify, ratio=1 if place == flexible else None, no_wrap=True)
    for row in rows:
        first, *rest = [row[place] for place in kept]
        table.add_row(Padding(first, (0, 0, 0, _INDENT)), *rest)
    return [name, table] if apart else [table]


def _needed(columns: Columns, rows: Sequence[Row], kept: Sequence[int]) -> int:
    return sum(_least(columns, rows, place) for place in kept) + 2 * _GAP * (len(kept) - 1)


def _least(columns: Columns, rows: Sequence[Row], place: int) -> int:
    wide = _wide(columns, rows, place)
    least = min(_NAME, wide) if place == columns.flexible else wide
    return least + (0 if place else _INDENT)


def _wide(columns: Columns, rows: Sequence[Row], place: int) -> int:
    header = 0 if columns.flexible or not place else len(columns.names[place].removeprefix(">"))
    return max([header, *(_length(row[place]) for row in rows)])


def _length(cell: RenderableType) -> int:
    if isinstance(cell, Text):
        return cell.cell_len
    return cell_len(cell.text if isinstance(cell, Tail) else str(cell))
