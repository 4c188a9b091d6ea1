"""Replays in a repository: the bank, doubts, runs in their arms, what was around them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopwright import Task, TestCriteria
from loopwright.cycle.proposing import Proposal, create
from loopwright.records.experiment import Trial
from loopwright.records.identity import new_id, timestamp
from loopwright.replaying import OnProject
from loopwright.wire import Project, make_proving, open_project
from world import Repo

SETTINGS = """
[profiles.good]
agent = "command"
agent_options = { command = "sh -c 'echo 42 > answer'" }
"""
TASK = Task("Fix it", [TestCriteria("sh test.sh")], max_iterations=1)


@pytest.fixture
def project(repo: Repo) -> Iterator[Project]:
    repo.write("loopwright.toml", SETTINGS)
    opened = open_project(repo.root)
    yield opened
    opened.close()


@pytest.fixture
def stage(project: Project) -> OnProject:
    """Give a stage with one finished task."""
    stage = OnProject(project, project.cycle())
    stage.cycle.run_task(TASK, project.profile(TASK, "good"))
    return stage


def test_a_task_is_done_again_from_its_base(stage: OnProject, project: Project, repo: Repo) -> None:
    """Its criteria, base and limits are those of the bank; it gets its arm, asks nobody, and says what it came to."""
    (task,) = stage.bank()
    repo.write("answer", "1\n")
    repo.commit()
    proving = make_proving(project)
    wanted = Proposal("profile", "good", task_types=["bug_fix"], share=0.0)
    made = create(proving.experiments, proving.versions, wanted, project.settings.profiles)
    pair = [
        Trial(new_id(), made.id, task.unit, arm, task.task_type, "replay/x/0", "replay", timestamp())
        for arm in ("A", "B")
    ]
    assert stage.begin(pair) == pair == sorted(stage.trials(made), key=lambda one: one.arm)
    run = stage.run(task, pair[1])
    assert (run.base, run.status, run.profile.trial) == (task.task.base, "done", pair[1].id)
    assert not run.task.escalate_on_failure
    assert project.store.experiments.trial(pair[1].id).delivered_at is None
    assert stage.deliver(run, "").status == "running"
    assert project.store.experiments.trial(pair[1].id).passed is True
    assert {role: found.agent for role, found in stage.environments(run).items()} == {"worker": "command"}


def test_a_task_without_doubt(stage: OnProject) -> None:
    """What its own run left is judged as it was."""
    (task,) = stage.bank()
    assert (task.passed, stage.doubt(task)) == (True, "")


def test_a_run_whose_work_is_gone(stage: OnProject, repo: Repo) -> None:
    """What can't be judged once more is left out, with the reason."""
    (task,) = stage.bank()
    repo.git("branch", "-D", f"loopwright/{task.run_id}")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert "is not in the repository any more" in stage.doubt(task)


def test_only_tasks_of_this_repository(stage: OnProject, repo: Repo) -> None:
    """One store may hold runs of many."""
    repo_root = str(repo.root)
    assert all(stage.project.store.run(one.run_id).repository == repo_root for one in stage.bank())
    assert len(stage.bank()) == 1
