from __future__ import annotations

import json

from loopwright.cli.scan_json import as_data
from loopwright.ingest.report import report_of
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse


def test_a_report_is_plain_data() -> None:
    """Everything can be written as JSON and comes back the same, outliers with both figures."""
    usual = [
        Summary(f"r{number}", f"s{number}", "codex", "/a", cost_usd=1.0, usage=[DailyUsage("2026-11-16", "m")])
        for number in range(10)
    ]
    data = as_data(report_of([*usual, Summary("r", "s", "codex", "/a", cost_usd=70.0, tools=[ToolUse("x", 1)])]), ["n"])
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["outliers"] == [{"session_id": "s", "run_id": "r", "measure": "cost_usd", "value": 70.0, "median": 1.0}]
    assert (data["schema"], data["medians"], data["notes"]) == (1, {"cost_usd": 1.0}, ["n"])


def test_times_that_nobody_told_are_null() -> None:
    """A session without times has none for programs either."""
    (found,) = as_data(report_of([Summary("r", "s", "codex", "/a")]), [])["by_session"]
    assert (found["started_at"], found["ended_at"], found["signals"]) == (None, None, [])
