"""What a report says in words, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Mapping

from loopwright.cli.figures import count, money, time
from loopwright.ingest.outliers import Outlier
from loopwright.ingest.report import Report
from loopwright.measure.friction import Friction
from loopwright.records.summary import Summary

_MANY = 10


def title(report: Report) -> str:
    """Say what the report is about: how much, of when."""
    totals = report.totals
    new = "all new" if totals.new_sessions == totals.sessions else f"{totals.new_sessions:,} new"
    parts = [f"{count(totals.sessions, 'session')}, {new}", count(len(report.projects), "project")]
    dates = [day.name for day in report.days if day.name]
    dates += [session.started_at[:10] for session in report.sessions if session.started_at]
    if dates:
        first, last = min(dates), max(dates)
        parts.append(first if first == last else f"{first} to {last}")
    return " · ".join(parts)


def how_stopped(session: Summary) -> str:
    """Say how often a human said no."""
    parts = [(session.interrupts, "interrupt"), (session.rejections, "rejection")]
    return ", ".join(count(number, noun) for number, noun in parts if number)


def median_words(medians: Mapping[str, float]) -> str:
    """Say what the median session comes to."""
    return " · ".join(_value(name, value) for name, value in medians.items())


def outlier_words(found: Outlier) -> str:
    """Say by what a session stands out."""
    return _value(found.measure, found.value)


def beside_median(found: Outlier) -> str:
    """Say how often the median fits into it; nothing where the median is nothing."""
    if not found.median:
        return ""
    times = found.value / found.median
    return f"{times:.0f}×" if times >= _MANY else f"{times:.1f}×"


def _value(measure: str, value: float) -> str:
    if measure == "cost_usd":
        return money(value)
    if measure == "active_s":
        return f"{time(value)} at work"
    return f"{value:g} tool error{'' if value == 1 else 's'}"


def friction_cost(found: Friction) -> str:
    """Say what the signals of a type took."""
    parts = [time(found.seconds)] if found.seconds else []
    return " · ".join([*parts, *([money(found.cost_usd)] if found.cost_usd else [])])


def friction_count(found: Friction) -> str:
    """Say how often it came."""
    return f"{found.signals:,} in {count(found.sessions, 'session')}"
