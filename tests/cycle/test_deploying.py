"""A patch from its proposal on."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cycle.patched import TARGET, deploying_on, patching_on, ran
from loopwright.cycle.deploying import Deploying
from loopwright.errors import UsageError
from loopwright.guard.guardrails import Autonomy
from loopwright.records.patch import Patch
from loopwright.records.profile import Profile
from loopwright.registry import kinds
from loopwright.store import Store, open_store
from trials import BETTER, TYPE, assigned, live_pairs

LONG = "Say each thing once, whoever reads it, and never say it again."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        for _ in range(20):
            ran(opened, "context_thrashing")
        yield opened


def proposed(store: Store, autonomy: Autonomy = "suggest") -> tuple[Deploying, Patch]:
    patching = patching_on(store, autonomy)
    (patch,) = patching.make()
    return deploying_on(patching), patch


def status(store: Store, patch: Patch) -> tuple[str, str]:
    found = store.patches.find(patch.id)
    return found.status, found.why


def test_tested_proven_released_rolled_back(store: Store) -> None:
    """Each step is followed from the experiment and the releases, and said once."""
    deploying, patch = proposed(store)
    tested = deploying.test(patch, "ada", maximum=60)
    experiment, _ = deploying.proving.experiments.get(tested.experiment)
    assert (experiment.parameter, experiment.treatment.value) == ("library", ["read-once@1"])
    assert (experiment.control.label, experiment.treatment.label) == ("the default", "read-once@1")
    assert deploying.follow() == []
    with pytest.raises(UsageError, match="not proven"):
        deploying.release(tested, "ada")
    live_pairs(deploying.proving, BETTER)
    (proven,) = deploying.follow()
    assert (proven.status, "30 pairs" in proven.why) == ("proven", True)
    assert deploying.library.titles(TARGET) == []
    released = deploying.release(proven, "ada")
    assert (released.status, released.version) == ("released", 2)
    assert deploying.library.titles(TARGET) == ["read-once@1"]
    assert deploying.follow() == []
    deploying.proving.versions.roll_back("profile", TARGET, "watch", "it fell")
    assert [one.status for one in deploying.follow()] == ["rolled_back"]
    assert status(store, patch) == ("rolled_back", "it fell")


def test_what_was_approved_is_released_when_it_is_proven(store: Store) -> None:
    """A human's `deploy` of what is untested is their word for the day on which it is proven, and not before."""
    deploying, patch = proposed(store)
    assert "its experiment has begun" in deploying.deploy(patch, "ada", now=False)
    assert deploying.library.titles(TARGET) == []
    live_pairs(deploying.proving, BETTER)
    (released,) = deploying.follow()
    assert (released.status, released.approved_by) == ("released", "ada")
    assert deploying.library.titles(TARGET) == ["read-once@1"]
    assert deploying.proving.versions.in_use("profile", TARGET)[0].by == "ada"


def test_what_is_not_proven_is_left_alone(store: Store) -> None:
    """No difference rejects a patch with the figures, and so does a human who stops its experiment."""
    deploying, patch = proposed(store)
    deploying.test(patch, "ada", maximum=60)
    while deploying.proving.experiments.all("running"):
        live_pairs(deploying.proving, [(True, True)])
    (after,) = deploying.follow()
    assert (after.status, "0" in after.why) == ("rejected", True)
    assert deploying.library.titles(TARGET) == []


def test_small_changes_are_released_by_themselves(store: Store) -> None:
    """Where the autonomy lets them: a proven entry of few words is told without anybody's word."""
    deploying, patch = proposed(store, "auto_low_risk")
    deploying.test(patch, "rule", maximum=60)
    live_pairs(deploying.proving, BETTER)
    (after,) = deploying.follow()
    assert (after.status, deploying.library.titles(TARGET)) == ("released", ["read-once@1"])
    assert deploying.proving.versions.in_use("profile", TARGET)[0].by == "auto_low_risk"


def test_now_is_a_humans_own_word(store: Store) -> None:
    """An untested patch is released as that, its experiment is stopped, and it can be rolled back."""
    deploying, patch = proposed(store)
    tested = deploying.test(patch, "ada")
    released = deploying.release(tested, "ada", now=True)
    assert (released.status, released.why) == ("released", "untested, on ada's own word")
    release, version = deploying.proving.versions.in_use("profile", TARGET)
    assert (release.by, release.experiment, json.loads(version.content)["library"]) == ("ada", "", ["read-once@1"])
    assert deploying.proving.experiments.get(tested.experiment)[0].status == "stopped"
    with pytest.raises(UsageError, match="released"):
        deploying.release(released, "ada", now=True)
    deploying.proving.versions.roll_back("profile", TARGET, "ada", "no")
    assert [one.status for one in deploying.follow()] == ["rolled_back"]


def test_a_prompt_is_a_draft_until_it_is_proven(store: Store) -> None:
    """Its text is written once, by a patch, and both arms are versions."""
    patching = patching_on(store)
    versions = patching.proving.versions
    text = versions.get("prompt", TARGET).content.replace("{{PLAYBOOKS}}", f"{LONG}\n\n{LONG}\n\n{{{{PLAYBOOKS}}}}")
    versions.put_in_use(versions.write("prompt", TARGET, text, "x"), "ada", "x")
    patch = next(one for one in patching.make() if one.surface == "prompt")
    deploying = deploying_on(patching)
    tested = deploying.test(patch, "ada", maximum=60)
    assert (tested.version, versions.get("prompt", TARGET).number) == (3, 2)
    assert versions.get("prompt", TARGET, 3).author == "patch"
    live_pairs(deploying.proving, BETTER)
    assert deploying.release(tested, "ada").status == "released"
    assert versions.get("prompt", TARGET).content.count(LONG) == 1


def test_a_test_that_was_cut_short_goes_on(store: Store) -> None:
    """Who died after the experiment began, and before that was noted, finds it again."""
    deploying, patch = proposed(store)
    first = deploying.test(patch, "ada")
    store.patches.save(patch, "testing")
    assert deploying.test(patch, "ada").experiment == first.experiment
    assert len(deploying.proving.experiments.all()) == 1


def test_an_experiment_is_not_reached_by_edits(store: Store) -> None:
    """Both arms are told what was fixed at the start, whatever a human writes meanwhile."""
    deploying, patch = proposed(store)
    deploying.test(patch, "ada")
    library = deploying.library
    entry, _ = library.get("read-once")
    library.write(dataclasses.replace(entry, remedy="Something else."), "x", "ada")
    told = {}
    for unit in ("a", "b"):
        trial = assigned(deploying.proving, unit, TYPE)
        equipped = deploying.proving.equip(trial)
        profile = Profile(library=tuple(equipped.parameters.get("library", ())))
        told[trial.arm] = equipped.told(profile, lambda titles: library.telling(titles).text).system_prompt
    assert "Note in a line" in told["B"]
    assert "Note in a line" not in told["A"]
    assert "Something else." not in told["A"] + told["B"]


def test_deploy_says_what_it_did(store: Store) -> None:
    """What is not proven is tested, what is proven is released; the same again changes nothing."""
    deploying, patch = proposed(store)
    assert "experiment has begun" in deploying.deploy(patch, "ada", now=False)
    assert "testing already" in deploying.deploy(deploying.patch(patch.id), "ada", now=False)
    live_pairs(deploying.proving, BETTER)
    assert "released" in deploying.deploy(deploying.patch(patch.id), "ada", now=False)
    assert "released already" in deploying.deploy(deploying.patch(patch.id), "ada", now=True)
    assert deploying.library.titles(TARGET) == ["read-once@1"]


def test_reject(store: Store) -> None:
    """A rejected patch ends its experiment; what is over can't be rejected."""
    deploying, patch = proposed(store)
    tested = deploying.test(patch, "ada")
    assert deploying.reject(tested, "ada", "we know").status == "rejected"
    assert deploying.proving.experiments.get(tested.experiment)[0].status == "stopped"
    with pytest.raises(UsageError, match="rejected already"):
        deploying.reject(store.patches.find(patch.id), "ada", "again")
    with pytest.raises(UsageError, match="rejected"):
        deploying.test(store.patches.find(patch.id), "ada")
