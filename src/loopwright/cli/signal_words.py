"""Signals for people: what happened, where, what it cost, what to do."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import amount, money, one_line, time
from loopwright.cli.output import console
from loopwright.records.identity import short
from loopwright.records.signal import Precision, Signal
from loopwright.statistics.intervals import wilson

_STYLES = {"low": "dim", "medium": "yellow", "high": "red"}


def print_signals(signals: Sequence[Signal]) -> None:
    """Print signals, each with its evidence and what to do about it."""
    out = console()
    for signal in signals:
        head = Text(f"{signal.id[:8]}  ", "dim")
        head.append(signal.type, "strike" if signal.is_wrong else _STYLES[signal.severity])
        head.append(f"  run {short(signal.run_id)}, event{_numbers(signal)}{_cost(signal)}", "dim")
        if signal.confidence is not None:
            head.append(f"; a model says so, {signal.confidence:.0%} sure", "dim")
        out.print(head, soft_wrap=True)
        out.print(f"  {one_line(signal.description)}", markup=False)
        if signal.is_wrong:
            out.print("  called wrong", style="dim")
        elif signal.action:
            out.print(f"  → {one_line(signal.action)}", markup=False, style="dim")


def print_precision(found: Sequence[Precision]) -> None:
    """Print how often each type was found, and how often a human called it right."""
    table = Table(box=None, pad_edge=False)
    for name in ("signal", "found", "right", "wrong", "precision (95 %)"):
        table.add_column(name, justify="left" if name == "signal" else "right")
    for one in found:
        judged = one.right + one.wrong
        low, high = wilson(one.right, judged)
        rate = f"{one.right / judged:.0%} ({low:.0%} to {high:.0%})" if judged else "nobody has said"
        table.add_row(one.type, f"{one.signals:,}", f"{one.right:,}", f"{one.wrong:,}", rate)
    console().print(table)


def _numbers(signal: Signal) -> str:
    first, last = signal.events[0], signal.events[-1]
    return f" {first}" if first == last else f"s {first} to {last}"


def _cost(signal: Signal) -> str:
    parts = [time(signal.seconds)] if signal.seconds else []
    parts += [f"{amount(signal.tokens)} tokens"] if signal.tokens else []
    parts += [money(signal.cost_usd)] if signal.cost_usd else []
    return f"; took {', '.join(parts)}" if parts else ""
