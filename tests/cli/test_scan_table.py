"""A table fits into any terminal: what tells the least goes first."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from loopwright.cli.scan_table import Columns, Tail, drawn, fitted

COLUMNS = Columns(["Projects", "", ">cost", ">sessions"], spare=(1, 3))
ROWS = [[Tail("/home/ada/code/shop/front"), Text("━" * 10), "$1,234", "12"], [Tail("/b"), Text("━"), "$57.30+", "3"]]


def test_columns_go_in_their_order() -> None:
    """The bar first, the name and the cost never."""
    assert [list(fitted(COLUMNS, ROWS, width)) for width in (80, 40, 20)] == [[0, 1, 2, 3], [0, 2, 3], [0, 2]]


def test_money_is_whole_and_names_tell_their_end() -> None:
    """Also where the name of the table needs a line of its own."""
    for name in ("Projects", "Projects that have a long name  2 of 1,000"):
        for width in range(20, 100, 7):
            out = io.StringIO()
            for part in drawn(COLUMNS, ROWS, Text(name), width):
                Console(file=out, width=width).print(part)
            shown = out.getvalue()
            assert "$57.30+" in shown and "$1,234" in shown and "front" in shown and "cost" in shown
            assert max(map(len, shown.splitlines())) <= width
