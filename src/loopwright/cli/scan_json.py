"""A report of sessions for programs: one object."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from loopwright.ingest.report import Part, Report
from loopwright.measure.friction import Felt
from loopwright.records.budget import Usage
from loopwright.records.summary import Summary


def as_data(report: Report, notes: Sequence[str], felt: Felt = Felt()) -> dict[str, Any]:
    """Give a report as plain data."""
    return {
        "schema": 1,
        "totals": vars(report.totals),
        "by_session": [_session(session, felt) for session in report.sessions],
        "by_day": [_part(part, "day") for part in report.days],
        "by_project": [_part(group, "project") for group in report.projects],
        "by_agent": [_part(group, "agent") for group in report.agents],
        "by_model": [_part(part, "model") for part in report.models],
        "tools": [vars(use) for use in report.tools],
        "reread": [vars(file) for file in report.reread],
        "medians": dict(report.medians),
        "outliers": [
            {
                "session_id": found.session.session_id,
                "run_id": found.session.run_id,
                "measure": found.measure,
                "value": found.value,
                "median": found.median,
            }
            for found in report.outliers
        ],
        "friction": [dataclasses.asdict(one) for one in felt.friction],
        "delight": [dataclasses.asdict(one) for one in felt.delight],
        "unpriced_models": dict(report.unpriced),
        "notes": list(notes),
    }


def _session(session: Summary, felt: Felt) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "run_id": session.run_id,
        "agent": session.agent,
        "model": session.model,
        "path": session.path,
        "project": session.project,
        "goal": session.goal,
        "started_at": session.started_at or None,
        "ended_at": session.ended_at or None,
        "duration_s": round(session.duration_s, 3),
        "active_s": session.active_s,
        "tool_calls": session.tool_calls,
        "tool_errors": session.tool_errors,
        **_tokens(session.tokens),
        "cost_usd": round(session.cost_usd, 6),
        "unpriced_models": session.unpriced,
        "prompts": session.prompts,
        "interrupts": session.interrupts,
        "rejections": session.rejections,
        "raw_lines": session.raw_lines,
        "reread": dict(session.reread),
        "signals": [dataclasses.asdict(signal) for signal in felt.by_run.get(session.run_id, ())],
    }


def _part(part: Part, name: str) -> dict[str, Any]:
    told = vars(part).copy()
    tokens, unpriced = told.pop("tokens"), told.pop("unpriced")
    return {name: told.pop("name"), **told, **_tokens(tokens), "unpriced_tokens": unpriced}


def _tokens(tokens: Usage) -> dict[str, int]:
    return {f"{name}_tokens": count for name, count in vars(tokens).items()}
