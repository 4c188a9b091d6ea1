"""Who works on a task, as a project's settings, flags, versions and experiments say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright import FileCriteria
from loopwright.errors import AgentError
from loopwright.records.profile import RoleProfile
from loopwright.records.task import Task
from loopwright.wire import Project, make_proving, open_project
from trials import TYPE, begin
from world import Repo

TASK = Task("Write it down", [FileCriteria("new")], task_type=TYPE)


@pytest.fixture
def project(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project on a machine without any agent."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    opened = open_project(repo.root)
    yield opened
    opened.close()


def test_why_a_task_is_in_no_experiment_is_said(project: Project) -> None:
    """Where nobody can be chosen, that is said in one line if there is an experiment, and the run is refused."""
    said: list[str] = []
    with pytest.raises(AgentError, match="none is installed"):
        project.profile(TASK, say=said.append)
    assert said == []
    begin(make_proving(project))
    with pytest.raises(AgentError, match="none is installed"):
        project.profile(TASK, say=said.append)
    (words,) = said
    assert words.startswith("note: the task takes part in no experiment: no agent is named")
    given = project.profile(TASK, options={"command": "sh"}, say=said.append)
    assert (bool(given.trial), len(said)) == (True, 1)


def test_a_role_that_is_given_is_in_no_comparison_of_profiles(project: Project) -> None:
    """Flags for a role leave no whole profile to compare, and other experiments go on."""
    begin(make_proving(project))
    roles = {"verifier": RoleProfile("scripted")}
    given = project.profile(TASK, options={"command": "sh"}, roles=roles)
    assert (given.verifier, bool(given.trial)) == (RoleProfile("scripted"), True)
