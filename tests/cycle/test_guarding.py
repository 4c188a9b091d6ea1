"""Releases are looked on at from the first run that uses them on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cycle.guarding import Guarding
from loopwright.cycle.proposing import Proposal, create
from loopwright.cycle.proving import Proving
from loopwright.guard.redact import Masker
from loopwright.records.experiment import Trial
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.registry import RegistrySettings
from loopwright.records.run import Reason, Run, Status, Step
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.release.elsewhere import Elsewhere
from loopwright.release.registries.files import Files
from loopwright.release.versions import Versions
from loopwright.run.criteria.test import TestCriteria
from loopwright.store import Store, open_store

NAME = "worker/bug_fix"
TASK = Task("Fix it", [TestCriteria("true")], "bug_fix")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


def ended(store: Store, passed: bool, reason: Reason | None = None, **profile: object) -> Run:
    """Write a run down that has ended."""
    run = Run(
        id=new_id(),
        task=TASK,
        profile=Profile(**profile),  # type: ignore[arg-type]
        repository="r",
        base="b",
        branch="x",
        workspace="w",
        artifacts="a",
        budget=TASK.budget,
        started_at=timestamp(),
    )
    store.add_run(run, Step(new_id(), run.id, 1, "Fix it"))
    status = Status.DONE if passed else Status.FAILED
    run = dataclasses.replace(run, status=status, reason=reason, ended_at=timestamp())
    store.save_run(run)
    return run


def released(store: Store) -> Versions:
    """Put a second version of the prompt into use."""
    versions = Versions(store.versions, Masker({}))
    text = versions.get("prompt", NAME).content + "Be kind.\n"
    versions.put_in_use(versions.write("prompt", NAME, text, "kindness"), "me", "kindness")
    return versions


def test_a_bad_release_is_rolled_back(store: Store) -> None:
    """With a baseline of 120 runs, twenty failures in a row take it back, once, with a warning before."""
    for number in range(120):
        ended(store, number % 5 != 0)
    versions, told = released(store), []
    guarding = Guarding(store.watches, versions, told.append)
    for _ in range(20):
        guarding.see(ended(store, False, versions={f"prompt {NAME}": 2}))
    assert versions.get("prompt", NAME).number == 1
    assert "may have made things worse" in told[0]
    assert "was rolled back to @1" in told[-1]
    last = store.versions.releases("prompt", NAME)[-1]
    assert (last.by, len(store.versions.releases("prompt", NAME))) == ("watch", 3)
    assert last.reason.startswith("0 of")


def test_a_rollback_is_done_though_the_registry_is_away(store: Store) -> None:
    """A registry that can't be reached keeps nobody from rolling back; that it is behind is told, with the way on."""
    for number in range(120):
        ended(store, number % 5 != 0)
    unreached = Files(RegistrySettings("files"), None, {})
    versions, told = dataclasses.replace(released(store), elsewhere=Elsewhere("files", unreached)), []
    guarding = Guarding(store.watches, versions, told.append)
    for _ in range(20):
        guarding.see(ended(store, False, versions={f"prompt {NAME}": 2}))
    assert store.versions.releases("prompt", NAME)[-1].number == 1
    assert "was rolled back" in told[-1]
    assert "loopwright prompts sync" in told[-1]


def test_a_run_counts_once_and_only_if_it_uses_it(store: Store) -> None:
    """The same run again, one with another version, a trial and one that was cut short are not counted."""
    for _ in range(100):
        ended(store, True)
    guarding = Guarding(store.watches, released(store))
    run = ended(store, True, versions={f"prompt {NAME}": 2})
    for _ in range(3):
        guarding.see(run)
    guarding.see(ended(store, False, versions={f"prompt {NAME}": 1}))
    guarding.see(ended(store, False, versions={f"prompt {NAME}": 2}, trial="t"))
    guarding.see(dataclasses.replace(run, id=new_id(), status=Status.CANCELLED))
    (_, watched), *_ = store.watches.all(1)
    assert watched is not None
    assert (watched.tries, watched.passes, watched.runs_before) == (1, 1, 100)


def test_what_shows_nothing_is_not_counted(store: Store) -> None:
    """An outage of a vendor does not roll a release back, and tasks that held before anybody worked praise nobody."""
    for _ in range(100):
        ended(store, False, Reason.CRITERIA_UNMET)
        ended(store, True, Reason.ALREADY_MET)
    guarding = Guarding(store.watches, released(store))
    for reason in (Reason.UNAVAILABLE, Reason.NO_ACCESS, Reason.CRITERIA_UNMET):
        guarding.see(ended(store, False, reason, versions={f"prompt {NAME}": 2}))
    (_, watched), *_ = store.watches.all(1)
    assert watched is not None
    assert (watched.tries, watched.runs_before) == (1, 100)


def test_what_ships_is_not_watched(store: Store) -> None:
    """A first version has nothing before it."""
    guarding = Guarding(store.watches, Versions(store.versions, Masker({})))
    guarding.see(ended(store, False, versions={f"prompt {NAME}": 1}))
    assert [watched for _, watched in store.watches.all(5)] == [None]


def test_trials_are_no_baseline(store: Store) -> None:
    """Tasks that were replayed say nothing of how live ones go."""
    proving = Proving(store.experiments, Versions(store.versions, Masker({})))
    made = create(store.experiments, proving.versions, Proposal("review", "self", task_types=["bug_fix"]))
    for number in range(100):
        run = ended(store, True)
        trial = Trial(new_id(), made.id, "u", "A", "bug_fix", f"replay/{number}", "replay", timestamp(), run.id, True)
        store.experiments.add_trials([trial])
        ended(store, number % 2 == 0)
    guarding = Guarding(store.watches, released(store))
    guarding.see(ended(store, True, versions={f"prompt {NAME}": 2}))
    (_, watched), *_ = store.watches.all(1)
    assert watched is not None
    assert (watched.runs_before, round(watched.p0 or 0, 1)) == (100, 0.4)
