"""`loopwright demo`: the main job, seen from beginning to end."""

from __future__ import annotations

import dataclasses
import shutil
import sys
import tempfile
from pathlib import Path

import click
from rich.markup import escape

from loopwright.cli.leaving import cancelling
from loopwright.cli.opened import opened
from loopwright.cli.output import console, print_summary
from loopwright.cli.terminal import Terminal
from loopwright.demo.world import JOBS, Job, make_repository
from loopwright.errors import UsageError
from loopwright.records.profile import Profile
from loopwright.records.run import Result
from loopwright.wire import Project


@click.command()
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path), help="An empty folder to work in.  [default: a new one]"
)
def demo(folder: Path | None) -> int:
    """Let a scripted apprentice do a handful of tasks in a sample repository.

    The apprentice is a real process in a real clone, and the tests really run; only what it writes is scripted.
    """
    place = (folder or Path(tempfile.mkdtemp(prefix="loopwright-demo-"))).resolve()
    if place.exists() and any(place.iterdir()):
        raise UsageError(f"`{place}` is not empty", "name another folder, or leave --dir out")
    repository = place / "shop"
    repository.mkdir(parents=True)
    make_repository(repository)
    project = opened(repository)
    out = console(stderr=True)
    results: list[Result] = []
    for number, job in enumerate(JOBS, 1):
        out.print(f"\n[bold]{number} of {len(JOBS)}: {job.title}[/bold]")
        results.append(_work(project, job, place, number))
    return _report(project, results)


def _work(project: Project, job: Job, place: Path, number: int) -> Result:
    script = place / f"apprentice-{number}.toml"
    script.write_text(job.script)
    profile = Profile(name="apprentice", agent="scripted", agent_options={"script": str(script)})
    with cancelling() as cancel, Terminal(project.repository) as terminal:
        cycle = dataclasses.replace(project.cycle(terminal, cancel), cache=place / "cache")
        result = cycle.run_task(job.task, profile)
    if cancel.is_set():
        raise KeyboardInterrupt
    return result


def _report(project: Project, results: list[Result]) -> int:
    out = console()
    out.print()
    print_summary(results, [job.task.goal for job in JOBS])
    first = results[0]
    shown = {
        "repository": project.repository.root,
        "store": project.home / "store.sqlite",
        "diff": first.artifacts.diff,
        "log": first.artifacts.log,
    }
    out.print()
    for name, path in shown.items():
        out.print(f"  {name:<11}{escape(str(path))}")
    out.print("\nlook around:")
    program = "loopwright" if shutil.which("loopwright") else sys.argv[0]
    for words in ("runs", "show last --timeline", "queue"):
        out.print(f"  [dim]→[/dim] {escape(f'{program} {words} --repo {project.repository.root}')}")
    wrong = [job.title for job, result in zip(JOBS, results, strict=True) if (result.status, result.reason) != job.end]
    for title in wrong:
        out.print(f"[red]not as it should be:[/red] {escape(title)}")
    return 1 if wrong else 0
