"""Experiments on the terminal: what is compared, and the evidence over time."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import count, money, one_line, time
from loopwright.cli.output import console
from loopwright.records.experiment import Evidence, Experiment, Look
from loopwright.verify.evidence import FUTILE
from loopwright.verify.forecast import USUAL_DISCORDANT, pairs_left, smallest_effect
from loopwright.verify.plot import columns, log_worth, rows
from loopwright.verify.weighing import guarded, look, wanted

_HEIGHT, _WIDEST, _LEFT = 10, 72, 14
_NARROW = 76
"""Below so many columns, figures and what they mean do not fit beside each other."""
_LARGE = 1e6
_STYLES = {"running": "cyan", "proven": "bold green", "promoted": "green"}
_STYLES |= {"no_difference": "yellow", "stopped": "magenta"}


def print_experiments(found: Sequence[tuple[Experiment, Evidence]]) -> None:
    """Print a table of experiments."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("name", "status", "compares"):
        table.add_column(title, no_wrap=title != "compares")
    for title in ("pairs", "B : A", "evidence", "of"):
        table.add_column(title, no_wrap=True, justify="right")
    for experiment, evidence in found:
        table.add_row(
            one_line(experiment.name),
            Text(experiment.status, _STYLES[experiment.status]),
            one_line(f"{experiment.parameter}: {experiment.control.label} → {experiment.treatment.label}"),
            f"{evidence.pairs:,}",
            f"{evidence.wins} : {evidence.losses}",
            f"{look(evidence).superiority:.2f}",
            f"{wanted(experiment):.2f}",
        )
    console().print(table)


def print_experiment(
    experiment: Experiment,
    evidence: Evidence,
    looks: Sequence[Look],
    left_out: Sequence[tuple[str, int]],
    hindrance: str = "",
) -> None:
    """Print all of one experiment, why trials were left out, and why it can't be put into use."""
    out = console()
    out.print()
    out.print(Text.assemble((one_line(experiment.name), "bold"), "  ", (experiment.status, _STYLES[experiment.status])))
    arms = f"{experiment.parameter}, A {experiment.control.label}, B {experiment.treatment.label}"
    _say(out, one_line(arms))
    _say(out, f"in {', '.join(experiment.task_types)}; since {experiment.created_at[:16]}Z", "dim")
    if experiment.outcome:
        _say(out, one_line(experiment.outcome))
    out.print()
    if evidence.pairs:
        _arms(out, evidence)
        _plot(out, looks, wanted(experiment))
    out.print()
    _now(out, experiment, evidence)
    _ahead(out, experiment, evidence, hindrance)
    for reason, number in left_out:
        _say(out, f"left out: {count(number, 'trial')}, {one_line(reason)}", "yellow")


def _arms(out: Console, evidence: Evidence) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for title in ("passed", "of", "cost", "time"):
        table.add_column(title, justify="right")
    for arm in ("A", "B"):
        passes, dollars, seconds = evidence.totals.get(arm, (0, 0.0, 0.0))
        each = money(dollars / evidence.pairs), time(seconds / evidence.pairs)
        table.add_row(arm, f"{passes:.0f}", f"{evidence.pairs:,}", *each)
    out.print(table)
    for task_type, (pairs, wins, losses) in sorted(evidence.strata.items()):
        _say(out, f"{task_type}: {count(pairs, 'pair')}, only B passed in {wins}, only A in {losses}", "dim")


def _plot(out: Console, looks: Sequence[Look], needed: float) -> None:
    """Draw both kinds of evidence on one scale, with the lines that they have to cross."""
    shown = columns(looks, max(2, min(_WIDEST, out.width - _LEFT)))
    up, against = [log_worth(one.superiority) for one in shown], [log_worth(one.futility) for one in shown]
    limits = (log_worth(needed), log_worth(FUTILE))
    scale = (min([0.0, *up, *against]), max([*limits, *up, *against]), _HEIGHT)
    promote, futile, one = rows([*limits, 0.0], *scale)
    grid: list[list[str | tuple[str, str]]] = [[" " for _ in shown] for _ in range(_HEIGHT)]
    grid[futile], grid[promote] = [("╌", "dim yellow")] * len(shown), [("╌", "dim green")] * len(shown)
    for line, mark in ((against, ("○", "yellow")), (up, ("●", "green"))):
        for cell, row in enumerate(rows(line, *scale)):
            grid[row][cell] = mark
    names = {one: "1.0", futile: f"no lift {FUTILE:.1f}", promote: f"promote {needed:.1f}"}
    out.print()
    for row in reversed(range(_HEIGHT)):
        out.print(Text.assemble((f"{names.get(row, ''):>{_LEFT - 1}} ", "dim"), *grid[row]))
    out.print(Text(f"{count(looks[-1].pairs, 'pair'):>{_LEFT + len(shown)}}", "dim"))
    indent = " " * (_LEFT if out.width >= _NARROW else 2)
    out.print(Text.assemble(indent, ("● B is better  ", "green"), ("○ no lift of 10 points", "yellow")))


def _now(out: Console, experiment: Experiment, evidence: Evidence) -> None:
    found, needed = look(evidence), wanted(experiment)
    lines = [("B is better", found.superiority, f"promoted at {needed:.2f}, from {experiment.minimum} pairs on")]
    lines.append(("no lift of 10 points", found.futility, f"no difference at {FUTILE:.0f}"))
    open_ones = guarded(experiment, evidence)
    for name in experiment.guardrails:
        words = "not shown yet, from 20 on" if name in open_ones else "shown"
        lines.append((f"{name} is no worse", sum(evidence.worth.get(name, (1.0,))), words))
    for what, value, words in lines:
        _figure(out, what, f"{value:,.2f}" if value < _LARGE else f"{value:.1e}", words)
    if evidence.pairs:
        between = f"{100 * evidence.low:+.0f} to {100 * evidence.high:+.0f}"
        _figure(out, "difference, in points", between, "by every look so far")


def _figure(out: Console, what: str, value: str, words: str) -> None:
    """Print a figure with what it means, beside it or, where there is no room, below it."""
    apart = "   " if out.width >= _NARROW else "\n  "
    out.print(Text.assemble(f"{what:<24}{value:>12}{apart}", (words, "dim")))


def _say(out: Console, words: str, style: str = "") -> None:
    out.print(Text(words, style), soft_wrap=False)


def _ahead(out: Console, experiment: Experiment, evidence: Evidence, hindrance: str) -> None:
    known = evidence.pairs >= experiment.minimum
    discordant = (evidence.wins + evidence.losses) / evidence.pairs if known else USUAL_DISCORDANT
    effect = smallest_effect(experiment.maximum, round(max(0.05, discordant), 2), wanted(experiment))
    words = f"show a lift of {100 * effect:.0f} points 8 times in 10" if effect < 1 else "are too few to show any lift"
    _say(out, f"{experiment.maximum} pairs {words}", "dim")
    if experiment.status == "running":
        left = pairs_left(evidence.wins, evidence.losses, evidence.pairs, experiment.maximum, wanted(experiment))
        left = max(left, experiment.minimum - evidence.pairs)
        ahead = f"about {count(left, 'more pair')} if it goes on like this"
        _say(out, ahead if evidence.pairs else "no pair has come yet", "dim")
    if hindrance:
        _say(out, one_line(hindrance), "yellow")
    elif experiment.status == "proven":
        _say(out, "→ put it into use:")
        out.print(Text(f"  loopwright experiments release {shlex.quote(one_line(experiment.name))}"))
