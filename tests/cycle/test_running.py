"""The stages in order: what comes after a run does not change how it ended."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright import FileCriteria, Profile, Task
from loopwright.errors import SettingError
from loopwright.records.run import Run
from loopwright.watching import Nobody
from loopwright.wire import open_project
from world import Repo

TASK = Task("x", [FileCriteria("new")])
TOUCHES = Profile(agent="command", agent_options={"command": "touch new"})


class Phases(Nobody):
    """Notes what is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def phase(self, run: Run, text: str) -> None:
        self.told.append(text)


def test_a_run_is_measured_when_it_has_ended(repo: Repo) -> None:
    """Who asks for what is not measured yet finds nothing of it."""
    project = open_project(repo.root)
    result = project.cycle().run_task(TASK, TOUCHES)
    assert repo.query("select run_id from measured") == [(result.run_id,)]
    project.close()


def test_a_measure_that_fails_is_told_and_nothing_else(repo: Repo) -> None:
    """A detector of somebody that fails leaves the run as it ended."""

    def fails(run_id: str) -> None:
        raise ValueError("oh")

    project, phases = open_project(repo.root), Phases()
    cycle = dataclasses.replace(project.cycle(phases), measure=fails)
    assert cycle.run_task(TASK, TOUCHES).status == "done"
    assert phases.told[-1] == "there is no measure of this run: ValueError('oh')"
    project.close()


def test_a_signal_that_is_set_wrong_costs_nothing(repo: Repo) -> None:
    """A setting that no detector has is told before anything is written or begun."""
    repo.write("loopwright.toml", "[signals.error_loop]\nhow_often = 3\n")
    project = open_project(repo.root)
    with pytest.raises(SettingError, match=r"signals\.error_loop"):
        project.cycle().run_task(TASK, TOUCHES)
    assert project.store.runs() == []
    project.close()
