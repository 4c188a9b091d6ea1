from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from loopwright.cli.scan_charts import Dot, bar, columns, in_both_widths, stack, strip, swatch
from loopwright.ingest.calendar import Period


def figures(drawn: str, name: str, attribute: str) -> list[float]:
    return [float(found.get(attribute, "")) for found in ElementTree.fromstring(drawn).iter(name)]


def test_a_bar_is_as_wide_as_its_part() -> None:
    """A bar's width is its part of a hundred; what is there at all is seen."""
    assert [figures(bar(part, 4), "rect", "width")[0] for part in (0, 1e-9, 1, 4, 9)] == [0, 0.5, 25, 100, 100]
    assert figures(bar(1, 0), "rect", "width") == [0]


def test_a_stack_fills_its_width() -> None:
    """The parts of a stack lie beside each other."""
    assert figures(stack([1.0, 1.0, 2.0, 0.0]), "rect", "x") == [0, 250, 500, 1000]
    assert figures(stack([0.0] * 4), "rect", "width") == [0, 0, 0, 0]
    assert 'class="three"' in swatch(2)


def test_columns_are_as_tall_as_what_was_spent() -> None:
    """A period of half the cost has half the height, one without any has no column, and each says what it is."""
    drawn = columns([Period("2026-01-01", "2026-01-01", 4.0), Period("2026-01-02", "2026-01-02"),
                     Period("2026-01-03", "2026-01-04", 2.0)], 900)  # fmt: skip
    tall = figures(drawn, "rect", "height")
    assert len(tall) == 2
    assert tall[0] == pytest.approx(2 * tall[1], abs=0.02)
    assert "<title>2026-01-03 to 2026-01-04: $2.00</title>" in drawn
    assert ">$4.00<" in drawn


def test_tokens_stand_in_for_costs_that_nobody_knows() -> None:
    """Where nothing has a price, the columns are of tokens."""
    drawn = columns([Period("2026-01-01", "2026-01-01", 0.0, 1500)], 340)
    assert "<title>2026-01-01: 1.5k</title>" in drawn


@pytest.mark.parametrize("count", [1, 2, 3, 30, 90])
@pytest.mark.parametrize("width", [340, 900])
def test_days_below_the_columns_do_not_overlap(count: int, width: int) -> None:
    """As many days are named as there is room for, the first and the last among them."""
    found = [Period(f"2026-{1 + place // 28:02}-{1 + place % 28:02}", "", 1.0) for place in range(count)]
    labels = re.findall(r">(2026-\d\d-\d\d)</text>", columns(found, width))
    assert labels[0] == found[0].first
    assert labels[-1] == found[-1].first
    assert len(labels) * 80 <= width


@pytest.mark.parametrize("most", [1e-9, 0.03, 0.99, 1.0, 1.01, 4.9, 5.1, 77.0, 12345.0, 1e12])
def test_every_column_fits_under_the_top_line(most: float) -> None:
    """The axis ends at or above the highest value, with a handful of lines."""
    drawn = columns([Period("2026-01-01", "2026-01-01", most)], 900)
    assert min(figures(drawn, "rect", "y")) >= 11.9
    assert 2 <= len(figures(drawn, "line", "y1")) <= 7


def test_the_strip_has_a_dot_for_each_session_and_the_median() -> None:
    """Dots lie where their cost is, over powers of ten; one that stands out is marked."""
    drawn = strip([Dot(0.1, "a", False), Dot(1.0, "<b>", False), Dot(10.0, "c", True), Dot(0.0, "d", False)], 1.0, 900)
    first, middle, last, least = figures(drawn, "circle", "cx")
    assert middle - first == pytest.approx(last - middle, abs=0.02)
    assert least < first
    assert "median $1.00" in drawn
    assert drawn.count("far") == 1
    assert "<title>&lt;b&gt;</title>" in drawn


def test_one_cost_alone_can_be_drawn() -> None:
    """A strip of sessions that all cost the same has a width."""
    assert figures(strip([Dot(1.0, "a", False)] * 3, 1.0, 340), "circle", "cx")


def test_charts_come_in_two_widths() -> None:
    """A telephone gets a drawing of its own."""
    assert re.findall(r"(\w+)-chart\">(\d+)<", in_both_widths(lambda width: swatch(0).__class__(width))) == [
        ("wide", "900"),
        ("narrow", "340"),
    ]
