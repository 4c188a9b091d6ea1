"""The Python API: run a task, resume a run, record a run of another program, say what one thinks of a run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from loopwright.interrupt import cancel_on_signals
from loopwright.ports import Watcher
from loopwright.records.extension import Extension
from loopwright.records.feedback import Feedback
from loopwright.records.run import Result
from loopwright.records.task import Task
from loopwright.taking import make_recording
from loopwright.wire import give_feedback, open_project, open_record


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
    with closing(open_project(Path(repo), home)) as project, cancel_on_signals() as cancel:
        chosen = project.profile(task, profile, agent, agent_options, model)
        return project.cycle(watcher, cancel).run_task(task, chosen)


def resume(
    run_id: str,
    *,
    repo: str | Path = ".",
    home: str | None = None,
    comment: str = "",
    max_iterations: int | None = None,
    max_cost: float | None = None,
    timeout_s: float | None = None,
    watcher: Watcher | None = None,
) -> Result:
    """Take a run up again, with a human's comment and with more to spend: what is given counts from now on."""
    extension = Extension(max_iterations, max_cost, timeout_s)
    with closing(open_project(Path(repo), home)) as project, cancel_on_signals() as cancel:
        return project.cycle(watcher, cancel).resume(project.store.find(run_id), comment, extension)


def record_run(
    task_type: str,
    *,
    passed: bool | None = None,
    score: float | None = None,
    prompt_hash: str = "",
    reason: str = "",
    raw_output: str = "",
    repo: str | Path = ".",
    home: str | None = None,
    **told: Any,
) -> str:
    """Write down a run that another program has finished, and judged; give the run that it is here.

    Also: goal, agent, model, tokens (input, output, cache_read, cache_write), cost_usd, started_at, ended_at, by, id,
    attributes. What is given again with the same `id` replaces what was there.
    """
    given = {"task_type": task_type, "passed": passed, "score": score, "prompt_hash": prompt_hash, "reason": reason}
    with closing(open_record(Path(repo), home)) as record:
        return make_recording(record)({**given, "raw_output": raw_output, **told})


def feedback(
    run_id: str, up: bool, comment: str = "", by: str = "", *, repo: str | Path = ".", home: str | None = None
) -> Feedback:
    """Write down what a human thinks of a run: thumbs up or down, and why."""
    with closing(open_record(Path(repo), home)) as record:
        return give_feedback(record, run_id, up=up, comment=comment, by=by)
