"""Numbers -> what people read: money, counts, times, bars, paths."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from loopwright.text.readable import readable

_CENT = 0.005
_BREAKS = str.maketrans("\n\t", "��")
_HEIGHTS = "▁▂▃▄▅▆▇█"
_MINUTE, _HOUR = 60, 3600
_SHORT_S = 59.5
_LONG_H = 100
_THOUSAND = 1000


def money(dollars: float, unpriced: int = 0) -> str:
    """Write US dollars; `?` where nothing of it is known, `+` where there is more to it than is known."""
    if unpriced and not dollars:
        return "?"
    more = "+" if unpriced else ""
    if 0 < dollars < _CENT:
        return f"<$0.01{more}"
    return f"${dollars:,.2f}{more}" if dollars < _THOUSAND else f"${dollars:,.0f}{more}"


def amount(number: float) -> str:
    """Write a count in at most four digits: 950, 12.3k, 4.1M."""
    for unit in ("", "k", "M", "G"):
        if abs(number) < 999.5 or unit == "G":
            break
        number /= _THOUSAND
    return f"{number:.0f}{unit}" if not unit or number >= 99.95 else f"{number:.1f}{unit}"


def time(seconds: float) -> str:
    """Write how long something took."""
    if seconds < _SHORT_S:
        return f"{seconds:.0f} s" if seconds >= 1 or not seconds else "<1 s"
    minutes = round(seconds / _MINUTE)
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes:02d}" if hours < _LONG_H else f"{hours:,} h"


def count(number: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{number:,} {plural(noun, number)}"


def plural(noun: str, number: int) -> str:
    """Write a noun as it stands beside a number."""
    return noun if number == 1 else f"{noun}s"


def share(part: float, whole: float) -> str:
    """Write a part of a whole in percent."""
    if not whole or not part:
        return ""
    percent = 100 * part / whole
    return "<1%" if percent < 1 else f"{percent:.0f}%"


def bar(part: float, whole: float, width: int) -> str:
    """Draw a part of a whole; what is there at all is seen."""
    if whole <= 0 or part <= 0:
        return ""
    halves = max(1, round(2 * width * min(1.0, part / whole)))
    return "━" * (halves // 2) + "╸" * (halves % 2)


def sparkline(values: Sequence[float]) -> str:
    """Draw values beside each other; none is a dot."""
    most = max(values, default=0.0)
    return "".join("·" if value <= 0 else _HEIGHTS[min(7, int(8 * value / most))] for value in values)


def folder(path: str) -> str:
    """Write a path with the user's home as `~`."""
    home = str(Path.home())
    shown = readable(path).translate(_BREAKS)
    return f"~{shown[len(home) :]}" if shown == home or shown.startswith(f"{home}/") else shown


def cut_left(text: str, width: int) -> str:
    """Keep the end of a path, which says the most, from a folder on where that is possible."""
    if len(text) <= width:
        return text
    kept = text[-(width - 1) :]
    _, slash, rest = kept.partition("/")
    return f"…{slash}{rest}" if slash and rest else f"…{kept}"


def cut_middle(text: str, width: int) -> str:
    """Keep both ends of a name: those that differ only at their end stay apart."""
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"


def shortened(text: str, width: int) -> str:
    """Cut a text where it is too long, and say so."""
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def one_line(text: str) -> str:
    """Write somebody's words on one line."""
    return " ".join(readable(text).split())


def wrapped(text: str, width: int, indent: str = "", hanging: str = "  ") -> str:
    """Break somebody's words into lines, each indented, those after the first a little more."""
    room = max(len(indent) + len(hanging) + 20, width)
    return textwrap.fill(
        one_line(text), room, initial_indent=indent, subsequent_indent=indent + hanging, break_on_hyphens=False
    )
