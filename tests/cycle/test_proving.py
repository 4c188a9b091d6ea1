"""Experiments from start to end: who gets which arm, what came of it, what is put into use by itself."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.choosing import idle
from loopwright.cycle.proving import Proving
from loopwright.errors import UnknownName, UsageError
from loopwright.records.experiment import Experiment
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Status
from loopwright.registry import kinds
from loopwright.store import Store, open_store
from trials import BETTER, PROMPT_NAME, TYPE, assigned, begin, begin_prompt, ended, live_pairs, proving_on


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


@pytest.fixture
def proving(store: Store) -> Proving:
    return proving_on(store)


def now(proving: Proving, experiment: Experiment) -> Experiment:
    return proving.experiments.get(experiment.id)[0]


def test_a_task_keeps_its_arm(proving: Proving) -> None:
    """The same task gets the same trial at every call; pairs are two in a row of one type, one of each arm."""
    begin(proving, task_types=["docs", "tests"])
    trials = [assigned(proving, f"u{number}", "docs" if number % 3 else "tests") for number in range(60)]
    assert trials == [assigned(proving, f"u{number}", "docs" if number % 3 else "tests") for number in range(60)]
    for task_type in ("docs", "tests"):
        ours = [one for one in trials if one.task_type == task_type]
        for first, second in zip(ours[::2], ours[1::2], strict=True):
            assert first.block == second.block
            assert {first.arm, second.arm} == {"A", "B"}
    assert len({one.block for one in trials}) == 30


def test_which_arm_comes_first_is_left_to_chance(proving: Proving) -> None:
    """About half of the blocks begin with B, and it depends on the experiment alone which ones."""
    begin(proving)
    firsts = [assigned(proving, f"u{number}").arm for number in range(400)][::2]
    assert 75 < firsts.count("B") < 125


def test_a_share_takes_part(proving: Proving) -> None:
    """A fifth of the tasks takes part, always the same ones; with none, nobody does."""
    begin(proving, share=0.2)
    taking = [unit for unit in map(str, range(500)) if proving.assign(unit, TYPE)]
    assert 70 < len(taking) < 130
    assert taking == [unit for unit in map(str, range(500)) if proving.assign(unit, TYPE)]
    proving.stop(proving.experiments.all("running")[0][0].id, "x")
    begin(proving, share=0.0)
    assert not any(proving.assign(unit, TYPE) for unit in map(str, range(50)))


def test_who_takes_no_part(proving: Proving) -> None:
    """Another task type, and a task for which somebody has fixed what is compared, also when it took part before."""
    begin(proving)
    assert proving.assign("u", "tests") is None
    assert proving.assign("u", TYPE, {"review"}) is None
    assert proving.assign("v", TYPE, {"model"}) is not None
    assert proving.assign("v", TYPE, {"review"}) is None


def test_experiments_share_the_tasks_by_lot(proving: Proving) -> None:
    """Each of two gets its part; no task is in both, and a task stays where it was when a third one begins."""
    first, second = begin(proving), begin(proving, parameter="context", treatment="full_files")
    before = {unit: assigned(proving, unit) for unit in map(str, range(200))}
    shares = Counter(one.experiment_id for one in before.values())
    assert shares.keys() == {first.id, second.id}
    assert min(shares.values()) > 60
    begin(proving, parameter="planning", treatment="plan_then_execute")
    assert before == {unit: assigned(proving, unit) for unit in before}


def test_arms_of_two_experiments_are_independent(proving: Proving) -> None:
    """Who is in which arm of the first says nothing of the second."""
    arms: list[list[str]] = []
    for parameter, value in (("review", "self"), ("context", "full_files")):
        made = begin(proving, parameter=parameter, treatment=value)
        arms.append([assigned(proving, unit).arm for unit in map(str, range(400))])
        proving.stop(made.id, "x")
    together = sum(one == other for one, other in zip(*arms, strict=True))
    assert 140 < together < 260


def test_assignment_is_quick(proving: Proving) -> None:
    """With two experiments at once it takes about a millisecond, and three at most where the machine is busy."""
    begin(proving)
    begin(proving, parameter="context", treatment="full_files")
    times = []
    for number in range(300):
        began = time.perf_counter()
        proving.assign(f"u{number}", TYPE)
        times.append(time.perf_counter() - began)
    assert sorted(times)[len(times) // 2] < 0.003


def test_what_a_trial_is_told_and_set_to(proving: Proving) -> None:
    """The base of the start and the arm, whatever is put into use meanwhile."""
    begin(proving)
    version = proving.versions.write("profile", PROMPT_NAME, '{"model": "m", "review": "separate"}', "x")
    proving.versions.put_in_use(version, "me", "x")
    for unit in "uvwx":
        trial = assigned(proving, unit)
        told = proving.equip(trial)
        assert told.parameters == {"review": "none" if trial.arm == "A" else "self"}
        assert (told.trial, told.versions[f"profile {PROMPT_NAME}"]) == (trial.id, 1)


def test_what_a_prompt_arm_is_told(proving: Proving) -> None:
    """B is told its version and says so; an edit in the middle reaches neither arm."""
    begin_prompt(proving, "Hum a tune.")
    edited = proving.versions.write(
        "prompt", PROMPT_NAME, proving.versions.get("prompt", PROMPT_NAME).content + "Sing.", "x"
    )
    proving.versions.put_in_use(edited, "me", "x")
    for unit in "uvwx":
        trial = assigned(proving, unit)
        told = proving.equip(trial)
        assert ("Hum a tune." in told.prompts["system_prompt"]) == (trial.arm == "B")
        assert "Sing." not in told.prompts["system_prompt"]
        assert told.versions[f"prompt {PROMPT_NAME}"] == (2 if trial.arm == "B" else 1)


def test_a_version_that_is_gone_is_said(proving: Proving) -> None:
    """No command removes a version; where one is gone all the same, the trial is refused and not run with another."""
    made = begin_prompt(proving)
    trials = [assigned(proving, unit) for unit in "uv"]
    arm = dataclasses.replace(made.treatment, value=9)
    assert proving.experiments.end(dataclasses.replace(made, treatment=arm))
    with pytest.raises(UnknownName, match="no version `9`"):
        proving.equip(next(one for one in trials if one.arm == "B"))


def test_outcomes_twice_late_and_out_of_order(proving: Proving) -> None:
    """Each is counted once, whatever comes first; after the end none is."""
    made = begin(proving)
    trials = [assigned(proving, unit) for unit in map(str, range(20))]
    runs = [ended(one, passed=one.arm == "B") for one in trials]
    for run in [*reversed(runs), *runs]:
        proving.deliver_live(run)
    _, evidence = proving.experiments.get(made.id)
    assert (evidence.pairs, evidence.wins, evidence.delivered) == (10, 10, {"A": 10, "B": 10})
    late = [assigned(proving, unit) for unit in ("late", "later")]
    proving.stop(made.id, "enough")
    for trial in late:
        proving.deliver_live(ended(trial))
    assert proving.experiments.get(made.id)[1].pairs == 10


def test_a_run_that_was_cut_short_is_waited_for(proving: Proving) -> None:
    """Cancelled, it says nothing; taken up again, it says what it comes to."""
    made = begin(proving)
    pair = [assigned(proving, unit) for unit in "uv"]
    proving.deliver_live(ended(pair[0]))
    cut = ended(pair[1], status=Status.CANCELLED)
    assert proving.deliver_live(cut) is None
    assert proving.experiments.get(made.id)[1].pairs == 0
    proving.deliver_live(dataclasses.replace(cut, status=Status.DONE))
    assert proving.experiments.get(made.id)[1].pairs == 1


def test_what_is_nobodys_fault_does_not_count(proving: Proving) -> None:
    """A task that could not be judged, or was done before, makes no pair, and is said."""
    made = begin(proving)
    pair = [assigned(proving, unit) for unit in "uv"]
    proving.deliver_live(dataclasses.replace(ended(pair[0], passed=False), reason=Reason.UNVERIFIABLE))
    proving.deliver_live(ended(pair[1]))
    assert proving.experiments.get(made.id)[1].pairs == 0
    assert proving.experiments.left_out(made.id) == [("the run ended as unverifiable", 1)]


def test_a_run_that_is_no_trial_says_nothing(proving: Proving) -> None:
    """Neither a run without a trial nor a replayed one is taken for a live outcome."""
    begin(proving)
    trial = assigned(proving, "u")
    assert (
        proving.deliver_live(
            dataclasses.replace(ended(trial), profile=dataclasses.replace(ended(trial).profile, trial=""))
        )
        is None
    )


def test_an_arm_that_does_not_come_back_stops_it(proving: Proving) -> None:
    """Where nearly only outcomes of A come back, something else decides, and it is stopped before it is decided."""
    made = begin(proving)
    for number in range(200):
        trial = proving.assign(f"u{number}", TYPE)
        if trial and (trial.arm == "A" or number % 9 == 0):
            proving.deliver_live(ended(trial))
    found = now(proving, made)
    assert found.status == "stopped"
    assert "half and half" in found.outcome


def test_better_is_proven_and_waits_for_a_human(proving: Proving) -> None:
    """Nothing is in use before somebody releases it; then it is a version with its parent, and says why."""
    made = begin(proving)
    live_pairs(proving, BETTER)
    assert now(proving, made).status == "proven"
    assert proving.versions.get("profile", PROMPT_NAME).number == 1
    assert proving.release(made.id, "me").status == "promoted"
    release, version = proving.versions.in_use("profile", PROMPT_NAME)
    assert (version.content, version.parent, version.depth, version.author) == ('{"review": "self"}', 1, 1, "patch")
    assert (release.by, release.experiment, release.previous) == ("me", made.id, 1)
    assert "B alone passed 28 and A alone 2" in release.reason
    with pytest.raises(UsageError, match="promoted, not proven"):
        proving.release(made.id, "me")


def test_no_difference_ends_it(proving: Proving) -> None:
    """Pairs without a difference end it, and what is in use stays."""
    made = begin(proving)
    with pytest.raises(AssertionError):  # the experiment has ended, and no task takes part any more
        live_pairs(proving, [(True, True), (False, False)] * 400)
    found = now(proving, made)
    assert found.status == "no_difference"
    with pytest.raises(UsageError, match="not proven"):
        proving.release(made.id, "me")


def test_too_few_pairs_are_never_released(proving: Proving) -> None:
    """Whoever writes that an experiment is proven, without the evidence, is refused by the guardrails."""
    for outcomes, words in ((BETTER[:20], "20 pairs are not enough"), ([(True, True)] * 40, "says `continue`")):
        made = begin(proving)
        live_pairs(proving, outcomes)
        assert proving.experiments.end(dataclasses.replace(now(proving, made), status="proven"))
        with pytest.raises(UsageError, match=words):
            proving.release(made.id, "me")
    assert proving.versions.get("profile", PROMPT_NAME).number == 1


@pytest.mark.parametrize("autonomy", ["suggest", "approve"])
def test_without_the_setting_nothing_is_released_by_itself(store: Store, autonomy: str) -> None:
    """Also a small change of a prompt waits."""
    proving = proving_on(store, autonomy)  # type: ignore[arg-type]
    made = begin_prompt(proving)
    live_pairs(proving, BETTER)
    assert now(proving, made).status == "proven"


def test_small_changes_of_words_are_released_by_themselves(store: Store) -> None:
    """With `auto_low_risk` a small change of a prompt is in use once it is proven, and says who did it."""
    proving = proving_on(store, "auto_low_risk")
    made = begin_prompt(proving)
    live_pairs(proving, BETTER)
    assert now(proving, made).status == "promoted"
    release, version = proving.versions.in_use("prompt", PROMPT_NAME)
    assert (version.number, release.by) == (2, "auto_low_risk")


def test_larger_changes_wait(store: Store) -> None:
    """A change of the size by a fifth or more, and any parameter, wait for a human."""
    proving = proving_on(store, "auto_low_risk")
    size = len(proving.versions.get("prompt", PROMPT_NAME).content)
    words = ("Write a word of thanks. " * size)[: size // 4]
    large = begin_prompt(proving, words)
    live_pairs(proving, BETTER)
    assert now(proving, large).status == "proven"
    model = begin(proving, parameter="model", treatment="m")
    live_pairs(proving, BETTER)
    assert now(proving, model).status == "proven"


def test_what_stands_against_it_is_left_to_a_human(store: Store) -> None:
    """Where the base has changed, nothing is released by itself, and nothing fails."""
    proving = proving_on(store, "auto_low_risk")
    made = begin_prompt(proving)
    content = proving.versions.get("prompt", PROMPT_NAME).content + "Sing."
    proving.versions.put_in_use(proving.versions.write("prompt", PROMPT_NAME, content, "x"), "me", "x")
    live_pairs(proving, BETTER)
    assert now(proving, made).status == "proven"


def test_a_cheaper_model_that_is_no_worse_is_proven(proving: Proving) -> None:
    """A model that costs half and passes as often is proven once that is shown, and can be put into use."""
    made = begin(proving, parameter="model", treatment="small")
    with pytest.raises(AssertionError):
        live_pairs(proving, [(True, True)] * 400, cost_a=0.2, cost_b=0.1)
    found, evidence = proving.experiments.get(made.id)
    assert (found.status, evidence.wins) == ("proven", 0)
    assert 30 < evidence.pairs < 400
    assert "costs less" in found.outcome
    assert proving.release(made.id, "me").status == "promoted"


def test_stopped_by_a_human(proving: Proving) -> None:
    """It ends with the reason, once."""
    made = begin(proving)
    assert proving.stop(made.id, "enough").outcome == "enough"
    with pytest.raises(UsageError, match="has ended: stopped"):
        proving.stop(made.id, "again")


def test_a_planners_prompt_is_proven_and_put_into_use(proving: Proving) -> None:
    """B tells the planner its version, and nobody else another one; what is proven is in use for the planner."""
    name = f"planner/{TYPE}"
    content = f"{proving.versions.get('prompt', name).content}\nName what could go wrong first.\n"
    version = proving.versions.write("prompt", name, content, "better")
    made = begin(proving, parameter="planner_prompt", treatment=str(version.number))
    assert made.role == "planner"
    for unit in "uv":
        trial = assigned(proving, unit)
        told = proving.equip(trial)
        assert ("could go wrong first" in told.prompts["planner_prompt"]) == (trial.arm == "B")
        assert told.versions[f"prompt {name}"] == (2 if trial.arm == "B" else 1)
        assert told.versions[f"prompt {PROMPT_NAME}"] == 1
        proving.deliver_live(ended(trial, passed=trial.arm == "B"))
    live_pairs(proving, BETTER[1:])
    proving.release(made.id, "me")
    assert proving.versions.get("prompt", name).number == 2
    assert proving.versions.get("prompt", PROMPT_NAME).number == 1


def test_a_prompt_that_nobody_is_told_takes_no_task(proving: Proving) -> None:
    """A task without a planner is no trial of a planner's prompt."""
    name = f"planner/{TYPE}"
    content = f"{proving.versions.get('prompt', name).content}\nName what could go wrong first.\n"
    version = proving.versions.write("prompt", name, content, "better")
    begin(proving, parameter="planner_prompt", treatment=str(version.number))
    assert proving.assign("u", TYPE, idle(Profile())) is None
    assert proving.assign("u", TYPE, idle(Profile(planning="plan_then_execute"))) is not None


def test_what_hinders_a_release(proving: Proving) -> None:
    """It is said before somebody tries: what was compared is not in use any more. What goes on is not asked about."""
    made = begin(proving)
    proven = dataclasses.replace(made, status="proven")
    assert proving.hindrance(proven) == ""
    version = proving.versions.write("profile", "worker/docs", '{"review": "separate"}', "x")
    proving.versions.put_in_use(version, "me", "x")
    assert "it was proven on `worker/docs@1`" in proving.hindrance(proven)
    assert proving.hindrance(made) == ""


def test_the_half_that_judges(proving: Proving) -> None:
    """What a patch has written is judged on the half that it was not made from; what a human has, on all."""
    assert proving.half(begin_prompt(proving)) == "held_out"
    content = proving.versions.get("prompt", "worker/docs").content + "Be brief.\n"
    version = proving.versions.write("prompt", "worker/docs", content, "mine")
    by_hand = begin(proving, parameter="system_prompt", treatment=str(version.number))
    assert (proving.half(by_hand), proving.half(begin(proving))) == (None, None)
