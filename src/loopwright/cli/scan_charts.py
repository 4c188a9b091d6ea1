"""The charts of a report, drawn as SVG: no script, nothing from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loopwright.cli.figures import amount, money
from loopwright.export.elements import Markup, joined, tag
from loopwright.ingest.calendar import Period

_HEIGHT, _TOP, _BOTTOM, _LEFT = 190, 12, 24, 52
_STRIP, _EDGE = 96, 30
_LEAST_COST = 0.01
_WIDEST_COLUMN = 34
_WIDE, _NARROW = 900, 340
_ABOUT_A_LABEL, _HALF_A_LABEL = 90, 30


@dataclass(frozen=True)
class Dot:
    """A session on the strip of costs."""

    cost_usd: float
    words: str
    is_far: bool


def bar(part: float, whole: float) -> Markup:
    """Draw a part of a whole as wide as its cell."""
    width = 0.0 if whole <= 0 else max(0.5, 100 * min(1.0, part / whole)) if part > 0 else 0.0
    drawn = tag("rect", width=width, height=10, class_="one")
    return tag("svg", drawn, class_="bar", viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true")


def stack(parts: Sequence[float]) -> Markup:
    """Draw what a whole is made of; at most four parts."""
    whole, x, drawn = sum(parts), 0.0, []
    for part, name in zip(parts, ("one", "two", "three", "four"), strict=True):
        width = 1000 * part / whole if whole else 0.0
        drawn.append(tag("rect", x=x, width=max(0.0, width - 1.5), height=10, class_=name))
        x += width
    return tag("svg", *drawn, class_="stack", viewBox="0 0 1000 10", preserveAspectRatio="none", aria_hidden="true")


def swatch(place: int) -> Markup:
    """Draw the colour of a part of a stack, for its legend."""
    name = ("one", "two", "three", "four")[place]
    return tag("svg", tag("rect", width=10, height=10, rx=2, class_=name), viewBox="0 0 10 10", aria_hidden="true")


def in_both_widths(draw: Callable[[int], Markup]) -> Markup:
    """Draw a chart for a screen and for a telephone: text that is scaled down can't be read."""
    return joined(
        tag("div", draw(_WIDE), class_="wide-chart"),
        tag("div", draw(_NARROW), class_="narrow-chart"),
    )


def columns(periods: Sequence[Period], width: int) -> Markup:
    """Draw what was spent in each period; tokens where nothing has a price."""
    is_priced = any(period.cost_usd for period in periods)
    values = [period.cost_usd if is_priced else float(period.tokens) for period in periods]
    written = money if is_priced else amount
    top, step = _scale(max(values, default=0.0))
    inner = _HEIGHT - _TOP - _BOTTOM
    drawn = [_line(written(tick), _TOP + inner * (1 - tick / top), width) for tick in _ticks(top, step)]
    room = (width - _LEFT) / max(1, len(periods))
    thick = min(_WIDEST_COLUMN, room * 0.78)
    for place, (period, value) in enumerate(zip(periods, values, strict=True)):
        if value > 0:
            tall = max(1.5, inner * value / top)
            x, y = _LEFT + room * place + (room - thick) / 2, _TOP + inner - tall
            words = f"{_span(period)}: {written(value)}"
            round_ = min(2.5, thick / 3)
            rect = tag("rect", tag("title", words), x=x, y=y, width=thick, height=tall, rx=round_, class_="one column")
            drawn.append(rect)
    drawn += _dates(periods, room, width)
    label = f"What was spent from {periods[0].first} to {periods[-1].last}" if periods else "Nothing was spent"
    return tag("svg", *drawn, viewBox=f"0 0 {width} {_HEIGHT}", role="img", aria_label=label)


def strip(dots: Sequence[Dot], median: float, width: int) -> Markup:
    """Draw each session by what it cost, over powers of ten, with the median."""
    costs = [max(dot.cost_usd, _LEAST_COST) for dot in dots]
    first = math.floor(math.log10(min(costs)))
    last = max(first + 1, math.ceil(math.log10(max(costs))))

    def at(cost: float) -> float:
        return _EDGE + (width - 2 * _EDGE) * (math.log10(max(cost, _LEAST_COST)) - first) / (last - first)

    drawn = []
    for power in range(first, last + 1):
        x = at(10.0**power)
        drawn.append(tag("line", x1=x, x2=x, y1=8, y2=_STRIP - 22, class_="grid"))
        drawn.append(tag("text", money(10.0**power), x=x, y=_STRIP - 6, text_anchor="middle"))
    for place, dot in enumerate(dots):
        y = 20 + 40 * ((place * 0.618034) % 1)  # spread, so that they do not hide each other
        name = "far dot" if dot.is_far else "dot"
        drawn.append(tag("circle", tag("title", dot.words), cx=at(dot.cost_usd), cy=y, r=5, class_=name))
    x = at(median)
    drawn.append(tag("line", x1=x, x2=x, y1=12, y2=_STRIP - 22, class_="mark"))
    drawn.append(tag("text", f"median {money(median)}", x=x, y=9, text_anchor="end" if x > width * 0.8 else "start"))
    label = f"The cost of each of {len(dots)} sessions; the median is {money(median)}"
    return tag("svg", *drawn, viewBox=f"0 0 {width} {_STRIP}", role="img", aria_label=label)


def _scale(most: float) -> tuple[float, float]:
    """Give where an axis ends and how far its lines are apart: 1, 2 or 5 of a power of ten."""
    if most <= 0:
        return 1.0, 1.0
    power = 10.0 ** math.floor(math.log10(most))
    step = next(part * power for part in (0.2, 0.5, 1.0, 2.0, 5.0) if most / (part * power) <= 5)
    return step * math.ceil(most / step - 1e-9), step


def _ticks(top: float, step: float) -> list[float]:
    return [step * place for place in range(round(top / step) + 1)]


def _line(label: str, y: float, width: int) -> Markup:
    line = tag("line", x1=_LEFT, x2=width, y1=y, y2=y, class_="grid")
    return joined(line, tag("text", label, x=_LEFT - 8, y=y + 4, text_anchor="end"))


def _dates(periods: Sequence[Period], room: float, width: int) -> list[Markup]:
    """Write as many days below the columns as there is room for, the first and the last one among them."""
    most = max(2, int((width - _LEFT) / _ABOUT_A_LABEL))
    last = len(periods) - 1
    places = sorted({round(last * part / (most - 1)) for part in range(most)}) if last >= most else range(last + 1)
    found = []
    for place in places:
        x = min(max(_LEFT + room * (place + 0.5), _LEFT + _HALF_A_LABEL), width - _HALF_A_LABEL)
        found.append(tag("text", periods[place].first, x=x, y=_HEIGHT - 6, text_anchor="middle"))
    return found


def _span(period: Period) -> str:
    return period.first if period.first == period.last else f"{period.first} to {period.last}"
