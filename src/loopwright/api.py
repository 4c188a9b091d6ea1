"""The Python API: run a task, resume a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopwright.cycle import Extension
from loopwright.interrupt import cancel_on_signals
from loopwright.ports import Watcher
from loopwright.records.run import Result
from loopwright.records.task import Task
from loopwright.watching import Nobody
from loopwright.wire import choose_profile, make_agent, open_project


def run(
    task: Task,
    *,
    repo: str | Path = ".",
    home: str | None = None,
    profile: str = "",
    agent: str = "",
    agent_options: Mapping[str, Any] | None = None,
    model: str = "",
    watcher: Watcher | None = None,
) -> Result:
    """Run a task to its end: done, escalated, failed or cancelled. Nothing is raised for an unmet criterion."""
    project = open_project(Path(repo), home)
    options = agent_options or {}
    chosen = choose_profile(project.settings, profile, agent=agent, agent_options=options, model=model)
    worker = make_agent(chosen.agent, chosen.agent_options)
    with cancel_on_signals() as cancel:
        return project.cycle(watcher or Nobody(), cancel).run_task(task, chosen, worker)


def resume(
    run_id: str,
    *,
    repo: str | Path = ".",
    home: str | None = None,
    comment: str = "",
    extension: Extension = Extension(),
    watcher: Watcher | None = None,
) -> Result:
    """Take a run up again, with a human's comment and with more to spend."""
    project = open_project(Path(repo), home)
    found = project.store.find(run_id)
    chosen = project.store.run(found).profile
    worker = make_agent(chosen.agent, chosen.agent_options)
    with cancel_on_signals() as cancel:
        return project.cycle(watcher or Nobody(), cancel).resume(found, worker, comment, extension)
