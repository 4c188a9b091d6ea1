"""Failures of real runs, from the store and back into it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from loopwright.cycle.failing import Failing
from loopwright.errors import UsageError
from loopwright.guard.redact import Masker
from loopwright.models.scripted import Scripted
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.qa_failure import FailuresSettings
from loopwright.records.run import Attempt, Ending, Run, Status, Step
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.release.versions import Versions
from loopwright.run.criteria.test import TestCriteria
from loopwright.store import Store, open_store
from loopwright.wire import Project, open_project
from world import Loopwright, Repo, agent

TESTS = """\
import unittest

from shop.prices import total


class Prices(unittest.TestCase):
    def test_a_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_nothing(self):
        self.assertEqual(total([]), 0)
"""
NAME = "worker/bug_fix"
COMMAND = "python3 -m unittest tests.test_prices"


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """Give a repository with a test that fails."""
    for name in ("shop/__init__.py", "tests/__init__.py"):
        repo.write(name)
    repo.write("shop/prices.py", "def total(prices):\n    return None\n")
    repo.write("tests/test_prices.py", TESTS)
    repo.commit("a shop")
    return repo


def ran(loopwright: Loopwright, *lines: str, tries: int = 1, goal: str = "Fix the totals") -> str:
    done = loopwright("run", goal, "--test", COMMAND, *agent(*lines), "--max-iterations", tries, "--json")
    return str(done.json["run_id"])


@pytest.fixture
def project(shop: Repo) -> Project:
    return open_project(shop.root)


def failing(project: Project, **more: object) -> Failing:
    return Failing(project.store, repository=project.repository, **more)  # type: ignore[arg-type]


WRONG = "printf 'def total(prices):\\n    return 3\\n' > shop/prices.py"


def test_a_run_is_analysed_when_it_ends(loopwright: Loopwright, project: Project) -> None:
    """At the end of a run its failures, its step and its links are in the store, with what the code had become."""
    run_id = ran(loopwright, WRONG)
    found = project.store.failures.analysed(run_id)
    assert found is not None
    (one,) = found.failures
    assert (one.cause, one.likely.detail) == ("code_bug", "incomplete")
    assert "+    return 3" in one.diff
    assert [step.kind for step in found.steps] == ["implementation"]
    graph = project.store.graph.walk([f"failure {one.id}"])
    assert {node.kind for node in graph.nodes} >= {"failure", "cause", "remediation", "prompt"}


def test_what_passes_at_once_is_clean(loopwright: Loopwright, project: Project) -> None:
    """A run without a failed check has a clean step and no failure."""
    run_id = ran(loopwright, "printf 'def total(prices):\\n    return sum(prices)\\n' > shop/prices.py")
    found = project.store.failures.analysed(run_id)
    assert found is not None
    assert (found.failures, [step.kind for step in found.steps]) == ([], ["clean_pass"])


def test_secrets_in_a_diff_are_masked(
    loopwright: Loopwright, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read from files goes through the masker before it is stored."""
    run_id = ran(loopwright, f"{WRONG}; echo 'key = \"hush hush\"' >> shop/prices.py")
    made = failing(project, masked=lambda text: text.replace("hush hush", "***")).analyse(run_id, force=True)
    assert "***" in made.failures[0].diff
    assert "hush" not in made.failures[0].diff


def test_known_is_not_found_again(loopwright: Loopwright, project: Project) -> None:
    """A run that was looked at as it ended is read from the store; one that has gone on since is looked at anew."""
    run_id = ran(loopwright, WRONG)
    asked = failing(project)
    assert asked.analyse(run_id).failures == asked.analyse(run_id, force=True).failures
    done = loopwright("resume", run_id, "--max-iterations", "1", "--comment", "again", "--json")
    assert done.code == 5
    (one,) = asked.analyse(run_id).failures
    assert one.iterations == (1, 2)


def test_five_runs_ask_for_a_patch(loopwright: Loopwright, project: Project) -> None:
    """After so many runs of one root cause a patch is asked for, once, and told."""
    asked = failing(project, settings=FailuresSettings(2))
    first = ran(loopwright, WRONG)
    assert asked.analyse(first, force=True).notes == []
    second = ran(loopwright, WRONG, goal="Fix the totals again")
    assert asked.analyse(second, force=True).notes == ["a patch is asked for: code_bug/incomplete in worker/bug_fix"]
    assert asked.analyse(second, force=True).notes == []
    (wanted,) = project.store.failures.wanted()
    assert set(wanted.runs) == {first, second}


def test_what_goes_wrong_is_told_and_swallowed(loopwright: Loopwright, project: Project) -> None:
    """An analysis that breaks changes nothing for the run."""
    run_id, told = ran(loopwright, WRONG), list[str]()

    def broken() -> dict[str, str]:
        raise ZeroDivisionError

    failing(project, known=broken).ended(run_id, told.append)
    assert told == ["its failures were not analysed: ZeroDivisionError()"]


def test_a_postmortem_is_made_once(loopwright: Loopwright, project: Project) -> None:
    """It is kept, and made anew on demand; what ended well has none."""
    run_id, asked = ran(loopwright, WRONG), failing(project)
    first = asked.postmortem(run_id)
    assert (first.triggers, asked.postmortem(run_id).at) == (["escalated"], first.at)
    assert asked.postmortem(run_id, force=True).at > first.at
    done = ran(loopwright, "printf 'def total(prices):\\n    return sum(prices)\\n' > shop/prices.py")
    with pytest.raises(UsageError, match="no significant failure"):
        asked.postmortem(done)


def test_a_run_at_work_is_left_alone(project: Project) -> None:
    """Nobody analyses what has not ended."""
    task = Task("Fix", [TestCriteria(COMMAND)])
    run = Run(new_id(), task, Profile(), "r", "b", "x", "w", "a", task.budget, "2026", Status.QUEUED)
    project.store.add_run(run, Step(new_id(), run.id))
    for look in (failing(project).analyse, failing(project).postmortem):
        with pytest.raises(UsageError, match="is queued"):
            look(run.id)


def test_a_model_where_rules_know_nothing(loopwright: Loopwright, project: Project, tmp_path: Path) -> None:
    """Its word is kept with what it cost; the cap is over all looks at a run."""
    run_id = ran(loopwright, "echo x > other; exit 0")
    script = tmp_path / "answers.json"
    answer = {"cause": "misunderstood", "certainty": 0.9, "quotation": "Fix the totals"}
    script.write_text(json.dumps({"answers": [{"answer": answer, "cost_usd": 0.03}]}))
    asked = failing(project, model=Scripted(str(script)))
    found = asked.analyse(run_id, force=True)
    assert (found.failures[0].cause, found.failures[0].likely.by, found.spent_usd) == (
        "misunderstood",
        f"model scripted:{script}",
        0.03,
    )
    assert asked.analyse(run_id, force=True).spent_usd == 0.06
    assert "is left" in asked.analyse(run_id, force=True).notes[0]


def test_a_run_with_a_release_that_was_rolled_back(tmp_path: Path) -> None:
    """A failed run that used it names it as a candidate; one of the version before does not."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        versions = Versions(store.versions, Masker({}))
        text = versions.get("prompt", NAME).content + "Be kind.\n"
        versions.put_in_use(versions.write("prompt", NAME, text, "kindness"), "me", "kindness")
        bad, good = (ended(store, Profile(versions={f"prompt {NAME}": number})) for number in (2, 1))
        versions.roll_back("prompt", NAME, "watch", "it got worse")
        asked = Failing(store)
        found = asked.postmortem(bad)
        assert "rolled_back" in found.triggers
        assert found.candidates[0].evidence == [f"it used prompt {NAME}@2, which was rolled back since"]
        assert "rolled_back" not in asked.postmortem(good).triggers


def test_an_attempt_that_was_lost(tmp_path: Path) -> None:
    """A run whose process died has a post-mortem, also when it was cancelled."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        run_id = ended(store, Profile(), status=Status.CANCELLED, ending=Ending.LOST)
        found = Failing(store).postmortem(run_id)
        assert (found.triggers, found.candidates[0].hypothesis.name) == (["data_lost"], "novel/lost")
        assert found.remediations[0].text.startswith("resume the run")


def ended(store: Store, profile: Profile, status: Status = Status.FAILED, ending: Ending = Ending.FINISHED) -> str:
    """Write a run of one attempt down that has ended."""
    task = Task("Fix it", [TestCriteria(COMMAND)], "bug_fix")
    run = Run(new_id(), task, profile, "r", "b", "x", "w", "", task.budget, timestamp())
    step = Step(new_id(), run.id, 1, "Fix it")
    store.add_run(run, step)
    store.save_attempt(Attempt(new_id(), run.id, step.id, 1, timestamp(), ending=ending, ended_at=timestamp()))
    store.save_run(dataclasses.replace(run, status=status, ended_at=timestamp()))
    return run.id
