"""`loopwright replay`: the same finished tasks, done again by two profiles."""

from __future__ import annotations

import dataclasses
import math
import sys
from pathlib import Path

import click

from loopwright.cli.evidence_screen import print_experiment
from loopwright.cli.figures import count, money, time
from loopwright.cli.leaving import cancelling
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.options import money as dollars
from loopwright.cli.output import print_json
from loopwright.cli.versions import user
from loopwright.cycle.proposing import MOST_PAIRS, Proposal, create, fewest
from loopwright.errors import UnknownName, UsageError
from loopwright.guard.guardrails import MINIMUM_SAMPLES
from loopwright.records.bank import HALVES, BankTask
from loopwright.records.experiment import PROFILE, Experiment
from loopwright.records.task import TASK_TYPES
from loopwright.replaying import OnProject
from loopwright.verify.bank import shuffled
from loopwright.verify.evidence import threshold, together
from loopwright.verify.forecast import smallest_effect
from loopwright.verify.replay import Replay
from loopwright.verify.weighing import wanted
from loopwright.wire import Project, make_proving

_IN_USE = "in-use"
_HINT = "loopwright replay --profile A --profile B, or --experiment NAME"


@click.command()
@click.option(
    "--profile", "profiles", multiple=True, metavar="NAME", help="Twice: A and B. `in-use` is what is in use."
)
@click.option("--experiment", "name", metavar="NAME", help="Do the pairs of an experiment that has begun.")
@click.option("--task-type", "task_types", multiple=True, type=click.Choice(TASK_TYPES), help="Only these; repeat it.")
@click.option("--half", type=click.Choice(HALVES), help="Only one half of the bank; patches are judged on held_out.")
@click.option(
    "--sample", type=click.IntRange(1, MOST_PAIRS), metavar="N", help="So many pairs.  [default: each task once]"
)
@click.option(
    "--parallel", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Pairs at once."
)
@click.option("--max-cost", type=dollars, metavar="USD", help="No new pair is begun beyond it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@where
@as_json
def replay(
    profiles: tuple[str, ...],
    name: str | None,
    task_types: tuple[str, ...],
    half: str | None,
    sample: int | None,
    parallel: int,
    max_cost: float | None,
    yes: bool,
    repo: Path,
    home: str | None,
    as_json: bool,
) -> None:
    """Do finished tasks again with two profiles, each task by both, until the evidence decides."""
    if (name and profiles) or (not name and len(profiles) != 2):
        raise UsageError("two profiles are compared, or an experiment goes on", _HINT)
    project = opened(repo, home)
    for one in {*profiles} - {*project.settings.profiles, _IN_USE}:
        raise UnknownName("profile", one, [*project.settings.profiles, _IN_USE])
    known = _known(project, name) if name else None
    with cancelling() as cancel:
        stage = OnProject(project, project.cycle(cancel=cancel))
        types = known.task_types if known else task_types or TASK_TYPES
        half = _half(project, known, half)
        tasks = [one for one in stage.bank() if one.task_type in types and half in (None, one.half)]
        if not tasks:
            raise UsageError("no finished task is there to be done again", "run some first: loopwright run …")
        pairs = min(sample or len(tasks), MOST_PAIRS)
        _forecast(tasks, pairs, parallel, max_cost, _needed(project, known, pairs))
        if profiles and profiles[0] != _IN_USE:
            click.echo(f"A is not what is in use: what this shows is not released (--profile {_IN_USE} is)", err=True)
        if not yes:
            _agree()
        experiment = _known(project, name) if name else _begun(project, profiles, task_types, pairs)
        tasks = shuffled(tasks, experiment.id)
        work = Replay(experiment, stage, parallel, max_cost, cancel, lambda text: click.echo(text, err=True))
        _finish(project, work.go(tasks, sample), is_ours=not name, is_whole=work.is_whole)
    store = project.store.experiments
    experiment, evidence = store.get(experiment.id)
    if as_json:
        print_json(dataclasses.asdict(experiment) | {"evidence": dataclasses.asdict(evidence), "doubts": work.doubts})
        return
    hindrance = make_proving(project).hindrance(experiment)
    print_experiment(experiment, evidence, store.looks(experiment.id), store.left_out(experiment.id), hindrance)


def _forecast(tasks: list[BankTask], pairs: int, parallel: int, cap: float | None, needed: float) -> None:
    """Say what it will take, by what these tasks have taken before."""
    each_usd, each_s = (sum(getattr(one, name) for one in tasks) / len(tasks) for name in ("cost_usd", "seconds"))
    capped = f", capped at {money(cap)}" if cap else ""
    words = f"{count(2 * pairs, 'run')} of {count(min(pairs, len(tasks)), 'task')}"
    click.echo(
        f"{words}: about {money(2 * pairs * each_usd)}{capped} and {time(2 * pairs * each_s / parallel)}", err=True
    )
    if pairs > len(tasks):
        again = f"each task is done {math.ceil(pairs / len(tasks))} times by both"
        click.echo(f"{again}: that shows something of {count(len(tasks), 'such task')}, and little of others", err=True)
    effect = smallest_effect(pairs, wanted=needed)
    if pairs < MINIMUM_SAMPLES:
        more = f"more tasks, --sample {MINIMUM_SAMPLES}, or live tasks"
        click.echo(f"fewer than {MINIMUM_SAMPLES} pairs decide nothing: {more}", err=True)
    elif effect < 1:
        click.echo(f"so many pairs show a lift of {100 * effect:.0f} points 8 times in 10", err=True)
    else:
        click.echo("so many pairs would show only a lift that is larger than any likely one", err=True)


def _half(project: Project, known: Experiment | None, given: str | None) -> str | None:
    """Name the half of the bank that is used: what was made from one is judged on the other."""
    fixed = make_proving(project).half(known) if known else None
    if fixed and given not in (None, fixed):
        raise UsageError(f"what a patch has written is not judged on the {given} half", "leave --half out")
    return fixed or given


def _needed(project: Project, known: Experiment | None, pairs: int) -> float:
    """Give what the evidence has to reach, with all experiments that run beside it."""
    if known:
        return wanted(known)
    running = [one for one, _ in project.store.experiments.all("running") if one.role == "worker"]
    return together(threshold(max(fewest(), pairs)), len(running) + 1)


def _finish(project: Project, experiment: Experiment, *, is_ours: bool, is_whole: bool) -> None:
    """End what we began, if it is done and has not decided: it would stand in the way of others for good."""
    if experiment.status != "running":
        return
    if is_ours and is_whole:
        make_proving(project).stop(experiment.id, "all its pairs are done, and they do not decide")
    elif not is_whole:
        click.echo(f"go on with: loopwright replay --experiment {experiment.name}", err=True)


def _agree() -> None:
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here whether to begin", "add --yes")
    click.confirm("Begin?", abort=True, err=True)


def _known(project: Project, name: str) -> Experiment:
    store = project.store.experiments
    experiment, _ = store.get(store.find(name))
    if experiment.status != "running":
        raise UsageError(f"`{experiment.name}` has ended: {experiment.status}", "begin a new one")
    return experiment


def _begun(project: Project, profiles: tuple[str, ...], task_types: tuple[str, ...], pairs: int) -> Experiment:
    control, treatment = ("" if name == _IN_USE else name for name in profiles)
    proving = make_proving(project)
    plan = Proposal(
        PROFILE, treatment, control, task_types, share=0.0, maximum=max(fewest(), pairs), by=user(), reason="replayed"
    )
    return create(proving.experiments, proving.versions, plan, project.settings.profiles)
