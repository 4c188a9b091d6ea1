"""`loopwright check`: the judge, for what lies here now."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from loopwright.cli.criteria import criteria_options, protecting, protection_options, visible_criteria, with_protection
from loopwright.cli.junit import junit
from loopwright.cli.leaving import cancelling
from loopwright.cli.options import as_json, where
from loopwright.cli.output import check_line, console, print_json, print_tampering, telling
from loopwright.errors import TaskError, UsageError
from loopwright.records.check import Check, Verdict
from loopwright.records.shape import ShapeError, record
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.run.git import Repository
from loopwright.settings import FILE, load_settings
from loopwright.wire import open_bench, task_defaults

_GOAL = "hold"


@click.command()
@where
@click.option("--task", "task_file", type=click.Path(path_type=Path), metavar="FILE", help="The criteria of a task.")
@click.option("--base", metavar="REV", help="What the work started from.  [default: HEAD]")
@criteria_options
@protection_options
@click.option("--junit", "report", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML there.")
@as_json
def check(
    repo: Path,
    home: str | None,
    task_file: Path | None,
    base: str | None,
    report: Path | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Judge the files as they are, committed or not, by the same rules as a run.

    \b
    loopwright check --test "pytest -q"
    loopwright check --task task.toml --base main --junit checks.xml

    An agent in its workspace needs no option: the criteria that it was shown are found.
    """
    task, root = _task(repo, task_file, flags), repo
    if task is None:
        task, root, base = _told(base)
        task = with_protection(task, flags)
    files = Repository.find(repo).root
    with cancelling() as cancel:
        bench = open_bench(root, home, cancel)
        commit = bench.repository.commit(base or task.base)
        checks = bench.check(task, commit, files)
        if cancel.is_set():
            raise click.Abort
    if report is not None:
        report.write_text(junit(checks), encoding="utf-8")
    if as_json:
        print_json({"schema": 1, "verdict": _worst(checks), "checks": [_plain(check) for check in checks]})
    else:
        _print(checks)
    return {Verdict.PASS: 0, Verdict.TAINTED: 3, Verdict.UNVERIFIABLE: 4}.get(_worst(checks), 5)


def _task(repo: Path, task_file: Path | None, flags: dict[str, Any]) -> Task | None:
    criteria = visible_criteria(flags)
    if task_file is None and not criteria:
        return None
    root = Repository.find(repo).root
    defaults = task_defaults(load_settings(root))
    if task_file is None:
        return with_protection(Task(_GOAL, criteria, protect=defaults["protect"], allow=defaults["allow"]), flags)
    from loopwright.run.taskfile import read_task  # YAML takes 20 ms to import

    return protecting(with_protection(read_task(task_file, kinds, defaults, {}, criteria), flags), task_file, root)


def _told(base: str | None) -> tuple[Task, Path, str]:
    """Read what a run has left for its agent."""
    path = os.environ.get("LOOPWRIGHT_CHECK", "")
    if not path:
        raise UsageError("there is no criterion", 'name one: loopwright check --test "pytest -q"; or --task FILE')
    try:
        said = json.loads(Path(path).read_text(encoding="utf-8"))
        return record(Task, said["task"], kinds), Path(said["repository"]), base or said["base"]
    except (OSError, ValueError, KeyError, TypeError, ShapeError, TaskError) as error:
        raise UsageError(f"`{path}`, which LOOPWRIGHT_CHECK names, can't be read: {error}", "name criteria") from None


def _worst(checks: Sequence[Check]) -> Verdict:
    order = (Verdict.TAINTED, Verdict.UNVERIFIABLE, Verdict.FAIL, Verdict.PASS)
    return min((check.verdict for check in checks), key=order.index, default=Verdict.UNVERIFIABLE)


def _plain(check: Check) -> dict[str, Any]:
    internal = ("id", "run_id", "attempt_id", "iteration")
    return {name: value for name, value in dataclasses.asdict(check).items() if name not in internal}


def _print(checks: Sequence[Check]) -> None:
    out = console()
    for check in checks:
        out.print(check_line(check))
        if check.verdict is not Verdict.PASS:
            for line in telling(check.evidence, 12):
                out.print(f"      {line}", markup=False)
    print_tampering(out, checks, "", own=FILE)
