"""Two runs, summed up -> side by side: figures, tools, errors and checks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from loopwright.export.analysis import Analysis


def comparison(one: Analysis, other: Analysis) -> dict[str, Any]:
    """Put two runs side by side, as plain data; each pair is in the order in which they were named."""
    return {
        "schema": 1,
        "runs": [one.to_dict(), other.to_dict()],
        "tools": _tools(one, other),
        "errors": _errors(one, other),
        "checks": _checks(one, other),
    }


def _tools(one: Analysis, other: Analysis) -> list[dict[str, Any]]:
    sides = [{rollup.tool: rollup for rollup in side.tools} for side in (one, other)]
    found = [
        {
            "tool": tool,
            "calls": [side[tool].calls if tool in side else 0 for side in sides],
            "errors": [side[tool].failed if tool in side else 0 for side in sides],
            "duration_s": [side[tool].duration_s if tool in side else 0.0 for side in sides],
        }
        for tool in dict.fromkeys([*sides[0], *sides[1]])
    ]
    return sorted(found, key=lambda row: (-sum(row["calls"]), row["tool"]))


def _errors(one: Analysis, other: Analysis) -> list[dict[str, Any]]:
    """Give the errors by their fingerprints, those that both have first."""
    sides = [{group.fingerprint: group for group in reversed(side.errors)} for side in (one, other)]
    counts: list[Counter[str]] = [Counter(), Counter()]
    for count, side in zip(counts, (one, other), strict=True):
        for group in side.errors:
            count[group.fingerprint] += group.count
    found = []
    for mark in dict.fromkeys([*sides[0], *sides[1]]):
        group = sides[0].get(mark) or sides[1][mark]
        both = [count[mark] for count in counts]
        found.append({"fingerprint": mark, "tool": group.tool, "message": group.message, "counts": both})
    return sorted(found, key=lambda row: (0 in row["counts"], -sum(row["counts"]), row["fingerprint"]))


def _checks(one: Analysis, other: Analysis) -> list[dict[str, Any]]:
    sides = [{check.criterion_hash: check for check in side.checks} for side in (one, other)]
    return [
        {
            "criterion": (sides[0].get(mark) or sides[1][mark]).criterion,
            "criterion_hash": mark,
            "verdicts": [side[mark].verdict if mark in side else None for side in sides],
        }
        for mark in dict.fromkeys([*sides[0], *sides[1]])
    ]
