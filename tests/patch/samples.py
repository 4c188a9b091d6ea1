"""Findings and what is known, for tests of patches."""

from __future__ import annotations

from typing import Any

from loopwright.patch.ground import Ground
from loopwright.records.finding import Finding
from loopwright.records.library import Entry
from loopwright.records.patch import PatchesSettings
from loopwright.records.pattern import Case

TARGET = "worker/docs"


def case(number: int, **changes: Any) -> Case:
    """Give a run of ours that passed at the first try."""
    usual: dict[str, Any] = {
        **dict.fromkeys(("agent", "prompt_version", "source"), ""),
        "run_id": f"run-{number:02d}",
        "task_type": "docs",
        "model": "big",
        "status": "done",
        "started_at": "",
        "passed": True,
        "first_pass": True,
        "iterations": 1,
        "seconds": 1.0,
        "tokens": 10,
        "cost_usd": 1.0,
        "tool_calls": 1,
        "tool_errors": 0,
    }
    return Case(**{**usual, **changes})


def finding(key: str = "error_loop in worker/docs", target: str = TARGET, **changes: Any) -> Finding:
    usual: dict[str, Any] = {"goal": "accuracy", "rule": "pattern", "title": "It loops", "detail": "In 8 of 20 runs."}
    usual |= {"sessions": 8, "of": 20, "certainty": 0.8}
    return Finding(key=key, target=target, **{**usual, **changes})


def entry(name: str = "stop", **changes: Any) -> Entry:
    usual: dict[str, Any] = {"kind": "anti_pattern", "title": "Stop", "description": "d", "remedy": "Stop."}
    return Entry(name, **{**usual, "detection": ["error_loop"], **changes})


def ground(*entries: Entry, **changes: Any) -> Ground:
    """Give what is known with 20 runs of the docs."""
    usual: dict[str, Any] = {"cases": [case(number) for number in range(20)], "limits": PatchesSettings()}
    return Ground(**{**usual, "entries": {f"{one.name}@1": one for one in entries}, **changes})
