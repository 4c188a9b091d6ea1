"""Experiments in their tables: trials, outcomes and ends, each counted once whoever brings them and when."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable

import pytest

from loopwright.errors import BusyError, UnknownName, UsageError
from loopwright.records.experiment import Arm, Evidence, Experiment, Look, Trial
from loopwright.records.identity import new_id
from loopwright.store import Store, open_store
from trials import BETTER, PROMPT_NAME, TYPE, assigned, begin, begin_prompt, live_pairs, proving_on

from .samples import kinds

AT = "2026-01-02T03:04:05.678Z"


def experiment(name: str = "one", **changes: object) -> Experiment:
    given = Experiment(new_id(), name, "review", Arm("none", "none"), Arm("self", "self"), [TYPE], {}, AT)
    return dataclasses.replace(given, guardrails=["cost", "time"], **changes)  # type: ignore[arg-type]


def add(store: Store, made: Experiment) -> Experiment:
    return store.experiments.add(lambda running: dataclasses.replace(made, concurrent=running + 1))


def trial(made: Experiment, arm: str = "A", block: str = "b/0", **changes: object) -> Trial:
    return Trial(new_id(), made.id, "u", arm, TYPE, block, "replay", AT, **changes)  # type: ignore[arg-type]


def delivered(one: Trial, passed: bool = True, **changes: object) -> Trial:
    return dataclasses.replace(one, run_id="r", passed=passed, delivered_at=AT, **changes)  # type: ignore[arg-type]


def counting(made: Experiment, before: Evidence, a: Trial, b: Trial) -> tuple[Evidence, Look]:
    after = dataclasses.replace(before, pairs=before.pairs + 1, wins=before.wins + bool(b.passed and not a.passed))
    return after, Look(after.pairs, 1.0, 1.0, -1.0, 1.0)


def undecided(made: Experiment, evidence: Evidence) -> Experiment:
    return made


def at_once(place: str, *works: Callable[[Store], object]) -> None:
    """Do works at the same time, each with a store of its own; all of them must come to their ends."""
    barrier, faults = threading.Barrier(len(works)), []

    def go(work: Callable[[Store], object]) -> None:
        try:
            with open_store(place, kinds) as mine:
                barrier.wait(30)
                work(mine)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=go, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    assert not any(thread.is_alive() for thread in threads)


def test_there_and_back(store: Store) -> None:
    """All of an experiment comes back as it was written; the newest is first; one status can be asked for."""
    first = add(store, experiment(share=0.2, minimum=40, threshold=12.5))
    second = add(store, experiment("two", created_at="2026-01-03T00:00:00.000Z"))
    assert store.experiments.get(first.id) == (dataclasses.replace(first, concurrent=2), Evidence())
    assert [one.name for one, _ in store.experiments.all()] == ["two", "one"]
    assert store.experiments.all("proven") == []
    with pytest.raises(UnknownName, match="no experiment `nobody`"):
        store.experiments.get("nobody")
    assert second.concurrent == 2


def test_found_by_name_or_the_end_of_its_id(store: Store) -> None:
    """A name, an id or its end name one; what names none is refused with the nearest."""
    made = add(store, experiment())
    for name in ("one", made.id, made.id[-6:]):
        assert store.experiments.find(name) == made.id
    with pytest.raises(UnknownName) as refused:
        store.experiments.find("onee")
    assert "`one`" in refused.value.hint


def test_a_name_is_given_once(store: Store) -> None:
    """A second experiment of the same name is refused; the same one written again is not."""
    made = add(store, experiment())
    with pytest.raises(UsageError, match="already"):
        add(store, experiment())
    add(store, made)
    assert len(store.experiments.all()) == 1


def test_a_pair_counts_once_both_have_come(store: Store) -> None:
    """In any order, each once: what is delivered again, even with another outcome, changes nothing."""
    made = add(store, experiment())
    a, b = store.experiments.add_trials([trial(made), trial(made, "B")])
    assert store.experiments.deliver(delivered(b), counting, undecided)[1].pairs == 0
    assert store.experiments.deliver(delivered(b, passed=False), counting, undecided)[1].pairs == 0
    after = store.experiments.deliver(delivered(a, passed=False), counting, undecided)[1]
    assert (after.pairs, after.wins) == (1, 1)
    assert store.experiments.deliver(delivered(a), counting, undecided)[1] == after == store.experiments.get(made.id)[1]
    assert [one.pairs for one in store.experiments.looks(made.id)] == [1]
    assert {one.arm: one.passed for one in store.experiments.trials(made.id)} == {"A": False, "B": True}


def test_what_is_decided_is_written_with_the_outcome(store: Store) -> None:
    """Who dies after an outcome leaves no evidence behind that nobody has decided on."""
    made = add(store, experiment())
    a, b = store.experiments.add_trials([trial(made), trial(made, "B")])
    store.experiments.deliver(delivered(a), counting, undecided)

    def enough(now: Experiment, evidence: Evidence) -> Experiment:
        return dataclasses.replace(now, status="proven", outcome=f"{evidence.pairs} pair")

    found, _ = store.experiments.deliver(delivered(b), counting, enough)
    assert (found.status, found.outcome) == ("proven", "1 pair")
    assert store.experiments.get(made.id)[0] == found


def test_clocks_that_differ(store: Store) -> None:
    """An outcome that comes before its task began, by another machine's clock, counts like any other."""
    made = add(store, experiment())
    a, b = store.experiments.add_trials([trial(made), trial(made, "B")])
    early = dataclasses.replace(delivered(a), delivered_at="1999-01-01T00:00:00.000Z")
    store.experiments.deliver(early, counting, undecided)
    late = dataclasses.replace(delivered(b), delivered_at="2999-01-01T00:00:00.000Z")
    assert store.experiments.deliver(late, counting, undecided)[1].pairs == 1


def test_what_is_left_out(store: Store) -> None:
    """A pair of which one does not count is no pair, and the reasons are counted."""
    made = add(store, experiment())
    a, b = store.experiments.add_trials([trial(made), trial(made, "B")])
    store.experiments.deliver(delivered(a, left_out="it rained"), counting, undecided)
    assert store.experiments.deliver(delivered(b), counting, undecided)[1].pairs == 0
    assert store.experiments.left_out(made.id) == [("it rained", 1)]


def test_late_outcomes_are_kept_and_not_counted(store: Store) -> None:
    """What comes after the end is written down, and the evidence stays what was decided on."""
    made = add(store, experiment())
    a, b = store.experiments.add_trials([trial(made), trial(made, "B")])
    store.experiments.deliver(delivered(a), counting, undecided)
    assert store.experiments.end(dataclasses.replace(made, status="stopped"))
    assert store.experiments.deliver(delivered(b), counting, undecided)[1].pairs == 0
    assert store.experiments.trial(b.id).delivered_at == AT
    with pytest.raises(UnknownName, match="no trial"):
        store.experiments.trial("nobody")


def test_an_end_is_written_once(store: Store) -> None:
    """Who saw it running when it was not any more changes nothing; who writes the same end again is told yes."""
    made = add(store, experiment())
    ended_one = dataclasses.replace(made, status="stopped", outcome="enough", ended_at=AT)
    assert store.experiments.end(ended_one)
    assert store.experiments.end(ended_one)
    assert not store.experiments.end(dataclasses.replace(made, status="proven"))
    assert store.experiments.get(made.id)[0] == ended_one


def test_a_pair_that_somebody_else_has_begun(store: Store) -> None:
    """Two who replay one experiment get the same trials."""
    made = add(store, experiment())
    first = store.experiments.add_trials([trial(made), trial(made, "B")])
    assert store.experiments.add_trials([trial(made), trial(made, "B")]) == first


def test_outcomes_at_once_are_counted_once_each(place: str) -> None:
    """Four processes bring the same twenty pairs, each in its own order: twenty are counted."""
    with open_store(place, kinds) as store:
        made = add(store, experiment())
        pairs = [[trial(made, arm, f"b/{number}") for arm in "AB"] for number in range(20)]
        trials = [one for pair in pairs for one in store.experiments.add_trials(pair)]

        def bring(mine: Store, order: int) -> None:
            for one in sorted(trials, key=lambda one: one.id[-order:]):
                mine.experiments.deliver(delivered(one, passed=one.arm == "B"), counting, undecided)

        at_once(place, *(lambda mine, order=order: bring(mine, order) for order in (1, 2, 3, 4)))
        _, evidence = store.experiments.get(made.id)
        assert (evidence.pairs, evidence.wins) == (20, 20)
        assert [one.pairs for one in store.experiments.looks(made.id)] == list(range(1, 21))


def test_a_task_that_begins_twice_at_once_is_one_trial(place: str) -> None:
    """Four processes begin the same thirty tasks: each gets one trial, and the blocks are whole."""
    with open_store(place, kinds) as store:
        begin(proving_on(store))
        found: list[dict[str, str]] = []

        def assign(mine: Store) -> None:
            proving = proving_on(mine)
            found.append({unit: assigned(proving, unit).id for unit in map(str, range(30))})

        at_once(place, *[assign] * 4)
        assert all(one == found[0] for one in found)
        trials = store.experiments.trials(store.experiments.all()[0][0].id)
        assert len(trials) == 30
        assert sum(one.arm == "A" for one in trials) == 15
        assert len({(one.block, one.arm) for one in trials}) == 30


def test_experiments_that_begin_at_once_know_of_each_other(place: str) -> None:
    """Of five that begin at the same time three may; each of these knows of three, while outcomes come in."""
    with open_store(place, kinds) as store:
        old = add(store, experiment("old", role="planner"))
        pairs = [[trial(old, arm, f"b/{number}") for arm in "AB"] for number in range(30)]
        trials = [one for pair in pairs for one in store.experiments.add_trials(pair)]
        proving_on(store).versions.in_use("profile", PROMPT_NAME)
        refused: list[str] = []

        def begin_one(mine: Store) -> None:
            try:
                begin(proving_on(mine))
            except UsageError as error:
                refused.append(error.message)

        def bring(mine: Store) -> None:
            for one in trials:
                mine.experiments.deliver(delivered(one), counting, undecided)

        at_once(place, *[begin_one] * 5, bring)
        workers = [one for one, _ in store.experiments.all("running") if one.role == "worker"]
        assert [one.concurrent for one in workers] == [3, 3, 3]
        assert len(refused) == 2
        assert all("at most 3" in words for words in refused)
        assert store.experiments.get(old.id)[1].pairs == 30


def test_two_that_are_made_at_the_same_moment_are_both_counted(place: str) -> None:
    """However long it takes to make one, the next one is made knowing of it."""
    with open_store(place, kinds) as store:

        def begin_slowly(mine: Store) -> None:
            made = experiment(new_id())

            def make(running: int) -> Experiment:
                time.sleep(0.05)
                return dataclasses.replace(made, concurrent=running + 1)

            mine.experiments.add(make)

        at_once(place, *[begin_slowly] * 3)
        assert [one.concurrent for one, _ in store.experiments.all()] == [3, 3, 3]


def test_two_release_at_once(place: str) -> None:
    """One does it; the other is told; there is one new version and one new release."""
    with open_store(place, kinds) as store:
        proving = proving_on(store)
        made = begin(proving)
        live_pairs(proving, BETTER)
        assert proving.experiments.get(made.id)[0].status == "proven"
        told: list[str] = []

        def release(mine: Store) -> None:
            try:
                told.append(proving_on(mine).release(made.id, "me").status)
            except (BusyError, UsageError) as error:
                told.append(type(error).__name__)

        at_once(place, *[release] * 4)
        assert sorted(told)[-1] == "promoted"
        assert told.count("promoted") == 1
        assert [one.content for one in store.versions.history("profile", PROMPT_NAME)] == ["{}", '{"review": "self"}']
        assert len(store.versions.releases("profile", PROMPT_NAME)) == 2


def test_a_release_is_whole_or_nothing(store: Store) -> None:
    """Where one of two task types was released meanwhile, neither is touched, and it can be asked for again."""
    proving = proving_on(store)
    made = begin(proving, task_types=["docs", "tests"])
    live_pairs(proving, BETTER)
    experiment_now, _ = store.experiments.get(made.id)
    seen = store.versions.current("profile", PROMPT_NAME)
    assert seen is not None
    version = dataclasses.replace(seen[1], id=new_id(), number=2, content='{"review": "self"}')
    release = dataclasses.replace(seen[0], id=new_id(), number=2)
    promoted = dataclasses.replace(experiment_now, status="promoted")
    with pytest.raises(BusyError, match="meanwhile"):
        stale = (dataclasses.replace(release, id=new_id()), "stale")
        store.experiments.end(promoted, [version], [(release, seen[0].id), stale], seen="proven")
    with pytest.raises(BusyError, match="meanwhile"):
        odd = dataclasses.replace(version, number=7)
        store.experiments.end(promoted, [odd], [], seen="proven")
    assert store.experiments.get(made.id)[0].status == "proven"
    assert len(store.versions.history("profile", PROMPT_NAME)) == 1
    assert store.versions.current("profile", PROMPT_NAME) == seen
    assert proving.release(made.id, "me").status == "promoted"


def test_prompts_go_through_both_databases(store: Store) -> None:
    """An experiment on a prompt is begun, proven and put into use."""
    proving = proving_on(store)
    made = begin_prompt(proving)
    live_pairs(proving, BETTER)
    assert proving.release(made.id, "me").status == "promoted"
    found = store.versions.current("prompt", PROMPT_NAME)
    assert found is not None
    assert (found[1].number, found[0].experiment) == (2, made.id)
