"""`loopwright classify`: what steps were, and why checks failed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from loopwright.cli.figures import count, one_line, shortened, wrapped
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.records.identity import short
from loopwright.records.qa_failure import STEP_CLASSES, Analysed, Classification, QAFailure, Wanted
from loopwright.thinking import make_failing
from loopwright.wire import Record, make_measuring

_EMPTY = "there is no run that has ended yet; run a task: loopwright run"
_STYLES = {"architectural": "red", "implementation": "yellow", "clean_pass": "green", "not_judged": "dim"}
_SHOWN = 20
_HYPOTHESES = 3


@click.command()
@click.argument("run", metavar="[RUN]", default="")
@where
@click.option("--force", is_flag=True, help="Look again at what was looked at.")
@click.option("--judge", is_flag=True, help="Ask a model where rules know no cause of RUN: [models] judge.")
@as_json
def classify(run: str, repo: Path, home: str | None, force: bool, judge: bool, as_json: bool) -> None:
    """Say of each step of RUN what it was, and why its checks failed; without RUN, of all runs that have ended.

    architectural: wrong approach; implementation: right approach, wrong execution; or a clean pass.
    """
    record = opened_record(repo, home)
    if judge and not run:
        raise click.UsageError("a model looks at one run at a time: loopwright classify RUN --judge")
    found = _analysed(record, run, force or judge, judge)
    wanted = record.store.failures.wanted()
    if as_json:
        print_json({"schema": 1, "runs": [_data(one) for one in found], "wanted": [vars(one) for one in wanted]})
    elif run:
        _print_run(console(), found[0])
    elif found:
        _print_all(console(), found, wanted)
    else:
        click.echo(_EMPTY, err=True)


def _analysed(record: Record, run: str, force: bool, judge: bool) -> list[Analysed]:
    repository = getattr(record, "repository", None)
    failing = make_failing(record.settings, record.store, repository, judge=judge)
    if run:
        run_ids = [record.store.find(run)]
        record.up_to_date([record.store.run(run_ids[0])])
    else:
        run_ids = list(record.store.failures.ended())
    make_measuring(record).measure(run_ids)
    found = [failing.analyse(run_id, force=force) for run_id in run_ids]
    for note in (note for one in found for note in one.notes):
        click.echo(f"note: {one_line(note)}", err=True)
    return found


def _print_all(out: Console, found: Sequence[Analysed], wanted: Sequence[Wanted]) -> None:
    steps = [step for one in found for step in one.steps]
    counts = Counter(step.kind for step in steps)
    told = [f"{counts[kind]:,} {_words(kind)}" for kind in STEP_CLASSES if counts[kind]]
    out.print(Text(f"{count(len(steps), 'step')} of {count(len(found), 'run')}: {', '.join(told)}", "bold"))
    failures = [failure for one in found for failure in one.failures]
    for cause, number in Counter(failure.cause for failure in failures).most_common():
        route = next(failure.route for failure in failures if failure.cause == cause)
        out.print(f"  {count(number, 'failure')} likely {cause} → {route}", markup=False)
    out.print()
    for step in [step for one in reversed(found) for step in one.steps][:_SHOWN]:
        _print_step(out, step)
    if len(steps) > _SHOWN:
        click.echo(f"{len(steps) - _SHOWN:,} older ones are not listed; --json has all", err=True)
    _print_wanted(out, wanted)


def _print_wanted(out: Console, wanted: Sequence[Wanted]) -> None:
    if wanted:
        out.print(Text("\nPatches asked for", "bold"))
    for one in wanted:
        out.print(f"  {one_line(one.root)}: {count(len(one.runs), 'run')} → {one.route}", markup=False)


def _print_run(out: Console, found: Analysed) -> None:
    for step in found.steps:
        _print_step(out, step)
    for number, failure in enumerate(found.failures, 1):
        out.print()
        _print_failure(out, number, failure)
    if found.failures:
        click.echo("causes are hypotheses: how sure is what a rule is believed, and was not measured", err=True)


def _print_step(out: Console, step: Classification) -> None:
    head = Text(f"{short(step.run_id)} step {step.number}  ", "dim")
    head.append(_words(step.kind), _STYLES[step.kind])
    if step.certainty < 1:
        head.append(f"  {step.certainty:.0%} sure", "dim")
    out.print(head)
    out.print(f"  {shortened(one_line(step.title), out.width - 3)}", markup=False)
    if step.kind not in ("clean_pass", "not_judged"):
        out.print(wrapped(step.because, out.width, "  "), markup=False, style="dim")


def _print_failure(out: Console, number: int, failure: QAFailure) -> None:
    when = f" after iteration {', '.join(map(str, failure.iterations))}" if failure.iterations else ""
    held = "; it held later" if failure.recovered else ""
    out.print(Text(wrapped(f"{number}. {failure.criterion}", out.width, hanging="   "), "bold"))
    out.print(f"   {failure.failure_type} failed{when}{held}; id {failure.id[:8]}", markup=False, style="dim")
    for place, one in enumerate(failure.hypotheses[:_HYPOTHESES]):
        lead = "likely" if not place else "or"
        sure = f"{one.certainty:.0%} sure" if one.certainty else "not known"
        leads_to = f" → {failure.route}" if not place else ""
        out.print(wrapped(f"{lead} {one.name}, {sure} ({one.by}){leads_to}", out.width, "   "), markup=False)
        out.print(wrapped(one.evidence, out.width, "     ", ""), markup=False, style="dim")


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _data(found: Analysed) -> dict[str, Any]:
    data = dataclasses.asdict(found)
    for row, failure in zip(data["failures"], found.failures, strict=True):
        row |= {"cause": failure.cause, "route": failure.route, "root": failure.root}
    return data
