"""`loopwright verify`: the proof of a finished run, computed once more."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from loopwright.cli.leaving import cancelling
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import check_line, console, print_json, telling
from loopwright.errors import UsageError
from loopwright.records.check import Check
from loopwright.records.identity import short
from loopwright.records.run import Status


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@as_json
def verify(run: str, repo: Path, home: str | None, as_json: bool) -> int:
    """Judge what RUN left once more, from its commit, and say whether its proof still holds."""
    project = opened(repo, home)
    run_id = project.store.find(run)
    if project.store.run(run_id).status is Status.RUNNING:
        raise UsageError(f"run `{short(run_id)}` has not ended", "wait for it")
    with cancelling() as cancel:
        pairs = project.cycle(cancel=cancel).verify(run_id)
        if cancel.is_set():
            raise click.Abort
    if not pairs:
        raise UsageError(f"run `{short(run_id)}` has no checks: there is nothing to verify", "see: loopwright show")
    troubles = [_trouble(before, now) for before, now in pairs]
    if as_json:
        listed = [_plain(*pair, trouble) for pair, trouble in zip(pairs, troubles, strict=True)]
        print_json({"schema": 1, "run_id": run_id, "holds": not any(troubles), "checks": listed})
    else:
        _print(pairs, troubles, short(run_id))
    return 5 if any(troubles) else 0


def _trouble(before: Check, now: Check) -> str:
    """Say what is not as it was recorded; empty where all is."""
    if before.proof.judged_tree and before.proof.judged_tree != now.proof.judged_tree:
        return "another tree would be judged now: what is protected has changed"
    if before.verdict is not now.verdict:
        return f"it was {before.verdict}, and is {now.verdict} now: {now.evidence}"
    return ""


def _plain(before: Check, now: Check, trouble: str) -> dict[str, Any]:
    return {
        "criterion": now.criterion,
        "criterion_hash": now.criterion_hash,
        "tree_hash": now.tree_hash,
        "recorded": before.verdict,
        "verdict": now.verdict,
        "trouble": trouble,
        "proof": dataclasses.asdict(now.proof),
    }


def _print(pairs: list[tuple[Check, Check]], troubles: list[str], name: str) -> None:
    out = console()
    for (_, now), trouble in zip(pairs, troubles, strict=True):
        out.print(check_line(now))
        for line in telling(trouble, 12):
            out.print(f"      {line}", markup=False)
    if any(troubles):
        out.print(f"[bold red]the proof of run {name} does not hold any more[/bold red]")
    else:
        tree = pairs[0][1].tree_hash[:12]
        out.print(f"[bold green]the proof of run {name} holds[/bold green]  (tree {tree})")
