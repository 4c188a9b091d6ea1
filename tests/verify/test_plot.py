"""The evidence over time, drawn."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from loopwright.records.experiment import Look
from loopwright.verify.plot import columns, log_worth, rows, svg
from loopwright.verify.weighing import wanted

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LOOKS = [Look(pairs, 1.1**pairs, 0.9**pairs, -1 / pairs, 1 / pairs) for pairs in range(1, 301)]


@pytest.mark.parametrize("width", [2, 3, 72, 299])
def test_as_many_looks_as_there_is_room_for(width: int) -> None:
    """The first and the last are among them, in order, and none twice; few are all shown."""
    found = columns(LOOKS, width)
    assert (len(found), found[0], found[-1]) == (width, LOOKS[0], LOOKS[-1])
    assert [one.pairs for one in found] == sorted({one.pairs for one in found})
    assert columns(LOOKS[:2], width) == LOOKS[:2]


def test_rows() -> None:
    """The lowest value is in the row at the bottom, what lies outside at the edge; one value alone has a row."""
    assert rows([0.0, 0.5, 1.0, 9.0, -9.0], 0.0, 1.0, 11) == [0, 5, 10, 10, 0]
    assert rows([3.0], 3.0, 3.0, 5) == [0]
    assert log_worth(0.0) == log_worth(0.01) == -2


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_a_picture_is_whole_xml(count: int) -> None:
    """However many pairs: it is read without fault, shows all four lines, and nothing lies outside of it."""
    picture = ElementTree.fromstring(svg(LOOKS[:count], 17.1875))
    name = "{http://www.w3.org/2000/svg}"
    lines = picture.findall(f".//{name}polyline")
    assert len(lines) == 4
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for x, y in (point.split(",") for line in lines for point in line.attrib["points"].split()):
        assert 0 <= float(x) <= width
        assert 0 <= float(y) <= height
    words = " ".join(text for text in picture.itertext() if text.strip())
    assert "promote at 17.2" in words
    assert f"pairs: {count}" in words


@pytest.mark.parametrize(
    ("name", "decided"), [("better", "promote"), ("nothing", "no_difference"), ("worse", "no_difference")]
)
def test_the_guides_pictures_are_what_is_drawn(name: str, decided: str) -> None:
    """What the guide shows is what the rule decides and draws today."""
    proven = runpy.run_path(str(PICTURES / "proven.py"))
    decision, looks = proven["looks"](name)
    assert (decision == "promote") is (name == "better")
    assert svg(looks, wanted(proven["experiment"]())) == (PICTURES / f"proven-{name}.svg").read_text()
