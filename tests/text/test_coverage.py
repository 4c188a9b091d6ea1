"""The coverage that a test runner printed."""

from __future__ import annotations

import time

import pytest

from loopwright.text.coverage import coverage_in

PYTEST = """
Name           Stmts   Miss  Cover
----------------------------------
src/a.py          10      1    90%
----------------------------------
TOTAL            120     16    87%
3 passed in 0.10s
"""
BRANCHES = "TOTAL     120     16     40      4    86.25%\n"
JEST = """
----------|---------|----------|---------|---------|-------------------
File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s
----------|---------|----------|---------|---------|-------------------
All files |   91.66 |       75 |     100 |   91.66 |
 sum.js   |   91.66 |       75 |     100 |   91.66 | 7
"""
GO = "ok  \texample.com/m\t0.01s\tcoverage: 71.2% of statements\n"
GO_MANY = GO + "ok  \texample.com/m/b\t0.01s\tcoverage: 10.0% of statements\n"
GO_TOOL = "example.com/m/a.go:3:\tSum\t\t100.0%\ntotal:\t\t\t\t(statements)\t66.7%\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (PYTEST, 87.0),
        (BRANCHES, 86.25),
        (JEST, 91.66),
        (GO, 71.2),
        (GO_TOOL, 66.7),
        (PYTEST + PYTEST.replace("87%", "88%"), 88.0),
        (GO_MANY, None),
        ("TOTAL 99%", None),
        ("the TOTAL was 12 of 40, 87%", None),
        ("TOTAL 1 2 870%\n", None),
        ("coverage: is good", None),
        ("All files are there | 12 |", None),
        ("", None),
    ],
)
def test_what_is_read(text: str, wanted: float | None) -> None:
    """The whole's coverage is read, the last one where there are several, and none of a part."""
    assert coverage_in(text) == wanted


def test_no_text_takes_long() -> None:
    """Lines that almost match are passed over in time that grows with their length alone."""
    began = time.perf_counter()
    coverage_in("TOTAL" + " 1" * 100_000 + "\n" + "All files" + " " * 100_000 + "\n" + "coverage: 1" * 10_000)
    assert time.perf_counter() - began < 0.5
