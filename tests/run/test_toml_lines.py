from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from loopwright.run.toml_lines import Place, toml_lines

DOCUMENT = r'''# a comment with [brackets] and key = "value"
title = "it's \"quoted\" # not a comment"
literal = 'C:\path\' # a comment
multi = """
[not.a.table]
key = 1 \"""
"""
"quoted key" = 1
'literal.key' = 2
dotted . "a b" . c = 3
empty = [ ]
nothing = {}
date = 1979-05-27 07:32:00
many = ["""""two quotes""""", @@@'one@@@, 'x',
  # between
  { a = 1, "b" = [ 2, [3, {c = 4}] ] } , 0x1F,
]

[table]
key = true
[table.inner]
key=1e3

[[rows]]
a = 1
  [rows.below]
  b = 2
  [[rows.items]]
  c = 3
  [[ rows . items ]]
  c = 4
[[rows]] # again
a = 5
[[rows.items]]
c = 6
'''.replace("@@@", "'''")


def places(value: object, place: Place = ()) -> Iterator[Place]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in pairs:
        yield (*place, key)
        yield from places(below, (*place, key))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_place_is_found(end: str) -> None:
    """Each key and each item that TOML's own reader finds has a line, and nothing else has."""
    text = DOCUMENT.replace("\n", end)
    assert set(toml_lines(text)) == set(places(tomllib.loads(text)))


@pytest.mark.parametrize(
    ("place", "start"),
    [
        (("title",), "title ="),
        (("quoted key",), '"quoted key"'),
        (("dotted", "a b", "c"), "dotted ."),
        (("many",), "many ="),
        (("many", 1), "many ="),
        (("many", 3), "  { a = 1"),
        (("many", 3, "b", 1, 1, "c"), "  { a = 1"),
        (("table", "inner", "key"), "key=1e3"),
        (("rows",), "[[rows]]"),
        (("rows", 0, "below", "b"), "  b = 2"),
        (("rows", 0, "items", 1), "  [[ rows . items ]]"),
        (("rows", 0, "items", 1, "c"), "  c = 4"),
        (("rows", 1), "[[rows]] # again"),
        (("rows", 1, "items", 0, "c"), "c = 6"),
    ],
)
def test_a_place_is_on_its_line(place: Place, start: str) -> None:
    """A place leads to the line on which it is written."""
    assert DOCUMENT.splitlines()[toml_lines(DOCUMENT)[place] - 1].startswith(start)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment", "a = 1", "[a]", "[[a]]", "a = [[], [[]]]", "a.b.c = {}"]
)
def test_small_texts(text: str) -> None:
    """A text that ends without a newline, or holds nothing, is read as well."""
    assert set(toml_lines(text)) == set(places(tomllib.loads(text)))
