"""The evidence over time -> a picture: of characters, or SVG that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from loopwright.records.experiment import Look
from loopwright.verify.evidence import FUTILE

_WIDTH, _HEIGHT, _EDGE = 640, 200, 44
_LEAST = 0.01
_COLOURS = {"superiority": "#15803d", "futility": "#b45309", "difference": "#1d4ed8", "": "#6b7280"}
_TITLE = "An experiment's evidence over its pairs"


def columns(looks: Sequence[Look], width: int) -> list[Look]:
    """Choose as many looks as there is room for, spread evenly; the last one is among them."""
    if len(looks) <= width:
        return list(looks)
    return [looks[round(place * (len(looks) - 1) / (width - 1))] for place in range(width)]


def rows(values: Sequence[float], low: float, high: float, height: int) -> list[int]:
    """Give the row of each value, from 0 at the bottom."""
    room = high - low or 1.0
    return [min(height - 1, max(0, round((value - low) / room * (height - 1)))) for value in values]


def log_worth(value: float) -> float:
    """Give evidence on the scale it is drawn on."""
    return math.log10(max(value, _LEAST))


def svg(looks: Sequence[Look], wanted: float) -> str:
    """Draw the evidence with its thresholds, and below it the confidence sequence of the difference."""
    upper = _panel(
        "Evidence: B is better (green), no lift of 10 points (orange)",
        [
            ("superiority", [log_worth(one.superiority) for one in looks]),
            ("futility", [log_worth(one.futility) for one in looks]),
        ],
        [
            (log_worth(wanted), f"promote at {wanted:.1f}", "superiority"),
            (log_worth(FUTILE), f"no difference at {FUTILE:.0f}", "futility"),
        ],
        lambda value: f"{10**value:.3g}",
        0,
    )
    lower = _panel(
        "The difference in the pass rate lies between these, in points, by every look so far",
        [("difference", [one.low for one in looks]), ("difference", [one.high for one in looks])],
        [(0.0, "no difference", "")],
        lambda value: f"{100 * value:+.0f}",
        _HEIGHT + 2 * _EDGE,
    )
    height = 2 * (_HEIGHT + 2 * _EDGE)
    size = f'viewBox="0 0 {_WIDTH + 2 * _EDGE} {height}" role="img" font-family="sans-serif" font-size="12"'
    paper = f'<title>{_TITLE}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{paper}\n{upper}\n{lower}\n</svg>\n'


def _panel(
    title: str,
    lines: Sequence[tuple[str, Sequence[float]]],
    limits: Sequence[tuple[float, str, str]],
    label: Callable[[float], str],
    top: int,
) -> str:
    values = [value for _, line in lines for value in line] + [value for value, _, _ in limits]
    low, high = min(values), max(values)
    room = (high - low) or 1.0

    def y(value: float) -> float:
        return top + _EDGE + _HEIGHT * (1 - (value - low) / room)

    parts = [f'<text x="{_EDGE}" y="{top + _EDGE - 24}" font-weight="bold">{escape(title)}</text>']
    for value, words, name in limits:
        place = f'x1="{_EDGE}" x2="{_EDGE + _WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}"'
        parts.append(f'<line {place} stroke="{_COLOURS[name]}" stroke-dasharray="4 4"/>')
        parts.append(f'<text x="{_EDGE + 4}" y="{y(value) - 4:.1f}" fill="{_COLOURS[name]}">{escape(words)}</text>')
    for name, line in lines:
        step = _WIDTH / max(1, len(line) - 1)
        points = " ".join(f"{_EDGE + place * step:.1f},{y(value):.1f}" for place, value in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_COLOURS[name]}" stroke-width="1.5"/>')
    for value in (low, high):
        parts.append(f'<text x="2" y="{y(value) + 4:.1f}" fill="#6b7280">{escape(label(value))}</text>')
    count = max((len(line) for _, line in lines), default=0)
    parts.append(f'<text x="{_EDGE + _WIDTH}" y="{top + _EDGE + _HEIGHT + 16}" text-anchor="end">pairs: {count}</text>')
    return "\n".join(parts)
