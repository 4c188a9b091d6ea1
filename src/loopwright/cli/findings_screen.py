"""Findings as people read them: by goal, each with its numbers, what became of it, and how to see more."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from loopwright.cli.figures import amount, count, money, one_line, shortened, time
from loopwright.records.finding import GOALS, Change, Finding, Sighting
from loopwright.records.identity import short

_STYLES: dict[Change, str] = {"new": "cyan", "better": "green", "same": "dim", "worse": "bold red", "gone": "green"}
_LONGEST = 300
_RUNS = 5
_NARROWEST = 20
_EVERY = 0.9995


def print_findings(out: Console, found: Sequence[Sighting], sessions: int) -> None:
    """Print all of them by goal; what is gone at the end."""
    out.print(f"Over {count(sessions, 'session')}", style="bold")
    if not found:
        out.print("nothing was found that could be better", style="dim")
    number = 0
    for goal in GOALS:
        for place, one in enumerate(one for one in found if one.finding.goal == goal and one.change != "gone"):
            if not place:
                out.print(f"\n{goal.capitalize()}", style="bold")
            number += 1
            _print(out, one, number)
    if gone := [one for one in found if one.change == "gone"]:
        out.print("\nGone", style="bold")
        for one in gone:
            _print_gone(out, one)
    if found:
        out.print("\n→ loopwright findings show KEY", style="dim", markup=False)


def print_finding(out: Console, past: Sequence[Sighting]) -> None:
    """Print one with all that is known of it, and how it was seen over time."""
    newest, its = past[-1], past[-1].finding
    out.print(Text.assemble((one_line(its.title), "bold"), "  ", (newest.change, _STYLES[newest.change])))
    rows = [("key", its.key), ("goal", its.goal), ("found by", "a model" if its.rule == "judge" else its.rule)]
    rows += [("to change", its.target), ("cause", (its.cause or "").replace("_", " "))]
    for name, value in rows:
        if value:
            out.print(Text.assemble((f"  {name:<10}", "dim"), one_line(value)), soft_wrap=True)
    _indented(out, Text(f"{_figures(its)}; {its.certainty:.0%} sure"), 2)
    _indented(out, Text(one_line(its.detail)), 2)
    if its.runs:
        _indented(out, Text(f"see: {', '.join(short(run_id) for run_id in its.runs)}", "dim"), 2)
    out.print("\nSeen", style="bold")
    for one in past:
        rate = f"{one.finding.sessions:,} of {one.finding.of:,} ({_percent(one.finding.rate)})"
        line = Text.assemble(f"  {one.at[:16]}  {rate:<20}  ", (one.change, _STYLES[one.change]))
        out.print(line, soft_wrap=True)
    out.print("\nA finding is a hypothesis: look at the sessions before you act on it.", style="dim")


def _print(out: Console, one: Sighting, number: int) -> None:
    its = one.finding
    head = Text.assemble((f"{number}. {one_line(its.title)}", "bold"), "  ", (one.change, _STYLES[one.change]))
    _indented(out, head, 1)
    before = "" if one.before is None or one.change == "new" else f", was {_percent(one.before)}"
    by = " · found by a model" if its.rule == "judge" else ""
    _indented(out, Text(f"{_figures(its, before)} · {its.certainty:.0%} sure{by}"), 4)
    _indented(out, Text(shortened(one_line(its.detail), _LONGEST)), 4)
    runs = ", ".join(short(run_id) for run_id in its.runs[:_RUNS])
    _indented(out, Text(f"see: {runs}" if runs else "", "dim"), 4)
    _indented(out, Text(one_line(its.key), "dim"), 4)


def _print_gone(out: Console, one: Sighting) -> None:
    was = f"was {_percent(one.before)}, " if one.before is not None else ""
    _indented(out, Text.assemble("✓ ", one_line(one.finding.title), (f"  {was}now 0 of {one.finding.of:,}", "dim")), 1)


def _figures(its: Finding, before: str = "") -> str:
    parts = [f"{its.sessions:,} of {count(its.of, 'session')} ({_percent(its.rate)}{before})"]
    parts += [money(its.waste_usd)] * (its.waste_usd > 0)
    parts += [f"{amount(its.waste_tokens)} tokens"] * (its.waste_tokens > 0)
    parts += [time(its.waste_seconds)] * (its.waste_seconds >= 1)
    return " · ".join(parts)


def _percent(rate: float) -> str:
    """Write a share; what is neither nothing nor all does not look so."""
    if 0 < rate < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= rate < _EVERY else f"{rate:.0%}"


def _indented(out: Console, text: Text, by: int) -> None:
    """Print on as many lines as it takes, all of them indented."""
    for line in text.wrap(out, max(_NARROWEST, out.width - by)) if text else ():
        line.rstrip()
        out.print(Text(" " * by).append_text(line))
