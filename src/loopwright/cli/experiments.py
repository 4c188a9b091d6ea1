"""`loopwright experiments`: two ways to work, compared task by task until the evidence decides."""

from __future__ import annotations

import dataclasses
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click

from loopwright.cli.evidence_screen import print_experiment, print_experiments
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where, why
from loopwright.cli.output import print_json
from loopwright.cli.versions import user
from loopwright.cycle.proposing import Proposal, create
from loopwright.errors import UsageError
from loopwright.records.experiment import METRICS, Evidence, Experiment
from loopwright.records.shape import ShapeError, record
from loopwright.records.task import TASK_TYPES
from loopwright.verify.plot import svg
from loopwright.verify.weighing import look, wanted
from loopwright.wire import make_proving


@click.group()
def experiments() -> None:
    """Compare two ways to work, task by task, until the evidence decides."""


@experiments.command("create")
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--parameter", metavar="NAME", help="What differs: model, review, … or system_prompt, planner_prompt.")
@click.option("--b", "treatment", metavar="VALUE", help="The new value; of a prompt, a version's number.")
@click.option("--a", "control", metavar="VALUE", help="The old one.  [default: what is in use]")
@click.option("--task-type", "task_types", multiple=True, type=click.Choice(TASK_TYPES), help="Only these; repeat it.")
@click.option("--name", metavar="NAME", help="What to call it.")
@click.option("--share", type=float, metavar="PART", help="Of live tasks, so much takes part.  [default: 1]")
@click.option("--guardrail", "guardrails", multiple=True, type=click.Choice(METRICS), help="[default: cost and time]")
@click.option("--minimum", type=int, metavar="N", help="Pairs before a decision.  [default: 30]")
@click.option("--maximum", type=int, metavar="N", help="Pairs at most; fixed now.  [default: 600]")
@click.option("--reason", type=why, metavar="TEXT", help="Why.")
@where
@as_json
def create_one(file: Path | None, repo: Path, home: str | None, as_json: bool, **flags: Any) -> None:
    """Begin an experiment, from flags or from a TOML FILE; from now on live tasks take part."""
    opened = opened_record(repo, home)
    proving = make_proving(opened)
    given = {name: value for name, value in flags.items() if value not in (None, ())}
    plan = _proposal(file, {**given, "by": user()})
    made = create(proving.experiments, proving.versions, plan, opened.settings.profiles)
    if as_json:
        print_json(dataclasses.asdict(made))
        return
    click.echo(f"{made.name} has begun: {made.parameter}, A {made.control.label}, B {made.treatment.label}", err=True)
    click.echo(f"see: loopwright experiments show {shlex.quote(made.name)}", err=True)


@experiments.command("list")
@where
@as_json
def list_all(repo: Path, home: str | None, as_json: bool) -> None:
    """List all experiments, the newest first."""
    found = make_proving(opened_record(repo, home)).experiments.all()
    if as_json:
        print_json([_plain(experiment, evidence) for experiment, evidence in found])
    elif found:
        print_experiments(found)
    else:
        click.echo("there is no experiment yet; begin one: loopwright experiments create --help", err=True)


@experiments.command("show")
@click.argument("name")
@click.option(
    "--svg", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the evidence into a file."
)
@where
@as_json
def show(name: str, picture: Path | None, repo: Path, home: str | None, as_json: bool) -> None:
    """Show an experiment: what is compared, the evidence over time, what is still to be expected."""
    proving = make_proving(opened_record(repo, home))
    store = proving.experiments
    experiment, evidence = store.get(store.find(name))
    looks = store.looks(experiment.id)
    if picture:
        picture.write_text(svg(looks, wanted(experiment)), encoding="utf-8")
        click.echo(f"drawn: {picture}", err=True)
    if as_json:
        print_json(_plain(experiment, evidence) | {"looks": [dataclasses.asdict(one) for one in looks]})
    else:
        hindrance = proving.hindrance(experiment)
        print_experiment(experiment, evidence, looks, store.left_out(experiment.id), hindrance)


@experiments.command("ledger")
@where
@as_json
def ledger(repo: Path, home: str | None, as_json: bool) -> None:
    """List what was tried and did not help, or was rolled back."""
    found = make_proving(opened_record(repo, home)).ledger()
    if as_json:
        print_json([dataclasses.asdict(one) for one in found])
        return
    for one in found:
        click.echo(f"{one.at[:16]}  {one.what} {one.value[:40]}: {one.reason}")
    if not found:
        click.echo("nothing was tried yet that did not help", err=True)


@experiments.command("stop")
@click.argument("name")
@click.option("--reason", type=why, metavar="TEXT", default="stopped by a human", help="Why.")
@where
def stop(name: str, reason: str, repo: Path, home: str | None) -> None:
    """End an experiment without a decision; what is in use stays."""
    proving = make_proving(opened_record(repo, home))
    ended = proving.stop(proving.experiments.find(name), reason)
    click.echo(f"{ended.name} is stopped: {ended.outcome}", err=True)


@experiments.command("release")
@click.argument("name")
@where
def release(name: str, repo: Path, home: str | None) -> None:
    """Put into use what an experiment has proven."""
    proving = make_proving(opened_record(repo, home))
    ended = proving.release(proving.experiments.find(name), user())
    click.echo(f"{ended.name}: {ended.parameter} {ended.treatment.label} is in use now", err=True)


def _proposal(file: Path | None, given: dict[str, Any]) -> Proposal:
    written: dict[str, Any] = {}
    if file:
        try:
            written = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"`{file}` can't be read: {error}", "write it in TOML") from None
    wanted = {**written, **given}
    for name, flag in (("parameter", "--parameter"), ("treatment", "--b")):
        if name not in wanted:
            raise UsageError(f"`{name}` is missing", f"name it with {flag}, or in a file")
    try:
        arms: dict[str, Any] = {name: str(wanted[name]) for name in ("treatment", "control") if name in wanted}
        return record(Proposal, {**wanted, **arms})
    except ShapeError as error:
        where_ = ".".join(str(part) for part in error.path)
        raise UsageError(f"`{file or 'the flags'}`, {where_}: {error.message}", error.hint) from None


def _plain(experiment: Experiment, evidence: Evidence) -> dict[str, Any]:
    told = dataclasses.asdict(look(evidence)) | {"threshold": wanted(experiment)}
    return dataclasses.asdict(experiment) | {"evidence": dataclasses.asdict(evidence), "now": told}
