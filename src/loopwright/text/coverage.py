"""What a test runner printed -> the coverage of the whole, in percent, where it says one."""

from __future__ import annotations

import re

_LONGEST = 200_000
"""The end of a longer text is read: there the sum stands."""
_MOST = 100.0
_TOTALS = (
    (
        "TOTAL",
        re.compile(r"^TOTAL(?:[ \t]{1,40}\d{1,12}){2,5}[ \t]{1,40}(\d{1,3}(?:\.\d{1,4})?)%[ \t]*$", re.MULTILINE),
    ),
    ("All files", re.compile(r"^All files[ \t]{0,80}\|[ \t]{0,40}(\d{1,3}(?:\.\d{1,4})?)[ \t]{0,40}\|", re.MULTILINE)),
    ("total:", re.compile(r"^total:[ \t]{1,80}\(statements\)[ \t]{1,80}(\d{1,3}(?:\.\d{1,4})?)%[ \t]*$", re.MULTILINE)),
)
"""A word that must be there, and the line: coverage.py, Jest and Vitest, go tool cover."""
_PACKAGE = re.compile(r"coverage: (\d{1,3}(?:\.\d{1,4})?)% of statements")


def coverage_in(text: str) -> float | None:
    """Read the coverage that a text ends with; None where it says none, or only those of parts."""
    text = text[-_LONGEST:]
    for word, line in _TOTALS:
        if word in text and (found := line.findall(text)):
            return _percent(found[-1])
    packages = _PACKAGE.findall(text) if "coverage: " in text else []
    return _percent(packages[0]) if len(packages) == 1 else None


def _percent(figure: str) -> float | None:
    value = float(figure)
    return value if value <= _MOST else None
