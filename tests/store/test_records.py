"""What goes into the store comes out of it."""

from __future__ import annotations

import dataclasses
import datetime
import inspect
from typing import Any

import pytest

from loopwright.errors import StoreError, UnknownName
from loopwright.ports import RunStore
from loopwright.records.check import Verdict
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.run import Acceptance, Ending, Reason, Status
from loopwright.store import Store, open_store

from . import samples
from .samples import AT, kinds, make_attempt, make_check, make_run, make_step


def left_at_default(record: Any) -> list[str]:
    """Name the fields whose loss nobody would see."""
    found = []
    for spec in dataclasses.fields(record):
        value = getattr(record, spec.name)
        if dataclasses.is_dataclass(value):
            found += [f"{spec.name}.{name}" for name in left_at_default(value)]
        default = spec.default_factory() if callable(spec.default_factory) else spec.default
        if value == default:
            found.append(spec.name)
    return found


def test_a_run_comes_back_as_it_was(store: Store) -> None:
    """A run with every field set is read back equal, with its task, its criteria and its profile."""
    run = samples.full_run()
    assert left_at_default(run) == ["source"]  # see test_sessions.py
    store.add_run(run, make_step(run))
    assert store.run(run.id) == run


def test_a_run_that_has_just_begun_comes_back_as_it_was(store: Store) -> None:
    """What is not known yet is None or empty, before and after."""
    run = make_run()
    store.add_run(run, make_step(run))
    assert store.run(run.id) == run


def test_a_step_comes_back_as_it_was(store: Store) -> None:
    """A step with every field set is read back equal."""
    run = make_run()
    step = dataclasses.replace(make_step(run), number=2, title="Then the login")
    assert left_at_default(step) == []
    store.add_run(run, step)
    assert store.step(run.id) == step


def test_an_attempt_comes_back_as_it_was(store: Store) -> None:
    """Attempts, with every field set or with none, are read back equal and in order."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    second, first = samples.full_attempt(step), make_attempt(step)
    assert left_at_default(second) == []
    store.save_attempt(second)
    store.save_attempt(first)
    assert store.attempts(run.id) == [first, second]


def test_a_check_comes_back_as_it_was(store: Store) -> None:
    """Checks, with every field set or with few, are read back equal."""
    run = make_run()
    step = make_step(run)
    attempt = make_attempt(step)
    store.add_run(run, step)
    store.save_attempt(attempt)
    added = [samples.full_check(attempt), make_check(run.id)]
    assert left_at_default(added[0]) == []
    store.add_checks(added)
    assert store.checks(run.id) == added


def test_an_event_comes_back_as_it_was(store: Store) -> None:
    """An event with every field set is read back equal, whatever is in its data."""
    run = make_run()
    store.add_run(run, make_step(run))
    event = samples.full_event()
    assert left_at_default(event) == []
    store.append_events(run.id, [event])
    assert store.events(run.id) == [event]


def test_comments_come_back_in_order(store: Store) -> None:
    """Comments are read back equal, the oldest first, and only those of the run."""
    run, other = make_run(), make_run()
    for one in (run, other):
        store.add_run(one, make_step(one))
    newer = dataclasses.replace(samples.full_comment(run.id), at="2027-01-01T00:00:00.000Z")
    older = samples.full_comment(run.id)
    for comment in (newer, older, samples.full_comment(other.id)):
        store.add_comment(comment)
    assert store.comments(run.id) == [older, newer]


def test_what_is_written_is_there_for_the_next_to_open(store: Store, place: str) -> None:
    """A second store on the same place reads what the first one wrote."""
    run = samples.full_run()
    store.add_run(run, make_step(run))
    with open_store(place, kinds) as another:
        assert another.run(run.id) == run


def test_saving_a_run_replaces_what_it_was(store: Store) -> None:
    """The newest state of a run is the one that is read, and no other run changes."""
    run, other = make_run(), make_run()
    for one in (run, other):
        store.add_run(one, make_step(one))
    ended = dataclasses.replace(samples.full_run(), id=run.id)
    store.save_run(ended)
    assert store.run(run.id) == ended
    assert store.run(other.id) == other


def test_saving_a_run_that_was_never_added_is_refused(store: Store) -> None:
    """A run can't get lost by being saved into nothing."""
    with pytest.raises(UnknownName):
        store.save_run(make_run())


def test_adding_a_run_twice_is_refused(store: Store) -> None:
    """A run is added once; the second time changes nothing, its step included."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    with pytest.raises(StoreError):
        store.add_run(dataclasses.replace(run, detail="other"), make_step(run))
    assert (store.run(run.id), store.step(run.id)) == (run, step)


def test_saving_an_attempt_twice_updates_it(store: Store) -> None:
    """The end of an attempt is written over its start: there is one of it."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    started = make_attempt(step, number=2)
    ended = dataclasses.replace(samples.full_attempt(step), id=started.id)
    store.save_attempt(started)
    store.save_attempt(ended)
    assert store.attempts(run.id) == [ended]


def test_two_attempts_with_one_number_are_refused(store: Store) -> None:
    """A number belongs to one attempt of a run."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    first = make_attempt(step)
    store.save_attempt(first)
    with pytest.raises(StoreError):
        store.save_attempt(make_attempt(step, ending=Ending.LOST))
    assert store.attempts(run.id) == [first]


def test_checks_keep_the_order_in_which_they_came(store: Store) -> None:
    """Checks of one millisecond, whose ids have no order, are read as they were added."""
    run = make_run()
    store.add_run(run, make_step(run))
    added = [make_check(run.id, iteration, evidence=str(number)) for iteration in range(3) for number in range(20)]
    for iteration in range(3):
        store.add_checks([check for check in added if check.iteration == iteration])
    store.add_checks([])
    assert store.checks(run.id) == added


def test_a_check_of_an_unknown_run_is_refused(store: Store) -> None:
    """What belongs to no run is not written."""
    with pytest.raises(StoreError):
        store.add_checks([make_check("nobody", verdict=Verdict.FAIL)])


def test_an_unknown_run_is_named_in_the_error(store: Store) -> None:
    """Asking for a run or its step that is not there says so."""
    with pytest.raises(UnknownName, match="no run `nobody`"):
        store.run("nobody")
    with pytest.raises(UnknownName, match="no run `nobody`"):
        store.step("nobody")


def test_a_task_of_an_unknown_kind_is_named_in_the_error(store: Store, place: str) -> None:
    """A run whose criterion nobody can read any more is named, with the reason."""
    run = make_run()
    store.add_run(run, make_step(run))

    def none(name: str) -> Any:
        raise UnknownName("criterion", name, ())

    with open_store(place, none) as another, pytest.raises(StoreError, match=rf"(?s){run.id}.*no criterion `says`"):
        another.run(run.id)


def test_the_newest_runs_come_first(store: Store) -> None:
    """Runs are listed by when they began, as many and of the status that is asked for."""
    days = [make_run(started_at=f"2026-01-0{day}T00:00:00.000Z") for day in (2, 3, 1)]
    done = make_run(started_at="2026-01-04T00:00:00.000Z", status=Status.DONE, reason=Reason.CRITERIA_MET)
    for run in (*days, done):
        store.add_run(run, make_step(run))
    assert store.runs() == [done, days[1], days[0], days[2]]
    assert store.runs(limit=2) == [done, days[1]]
    assert store.runs(status=Status.RUNNING, limit=2) == [days[1], days[0]]
    assert store.runs(status=Status.FAILED) == []


def test_the_queue_holds_what_waits_for_a_human(store: Store) -> None:
    """Escalated runs that nobody has closed are in the queue, the newest first."""
    waiting = [make_run(started_at=f"2026-01-0{day}T00:00:00.000Z", status=Status.ESCALATED) for day in (1, 2)]
    closed = make_run(status=Status.ESCALATED, closed_at=samples.AT)
    others = [make_run(status=status) for status in Status if status is not Status.ESCALATED]
    for run in (*waiting, closed, *others):
        store.add_run(run, make_step(run))
    assert store.queue() == [waiting[1], waiting[0]]


def test_what_json_does_not_know_is_written_as_text(store: Store) -> None:
    """A profile from a file may hold what JSON has no word for, such as a date."""
    run = make_run(profile=Profile(agent_options={"day": datetime.date(2026, 1, 2)}))
    store.add_run(run, make_step(run))
    assert store.run(run.id).profile.agent_options == {"day": "2026-01-02"}


def test_the_store_is_what_a_run_needs() -> None:
    """The store has every method of the port, with the same parameters."""
    for name, asked in inspect.getmembers(RunStore, inspect.isfunction):
        if not name.startswith("_"):
            assert list(inspect.signature(getattr(Store, name)).parameters) == list(inspect.signature(asked).parameters)


def test_acceptances_come_back_in_order(store: Store) -> None:
    """A person's words on tampering come back as they were, the oldest first, and only those of the run."""
    run, other = make_run(), make_run()
    for made in (run, other):
        store.add_run(made, make_step(made))
    contents = {"tests/té\nst.py": "a" * 40, "gone.py": ""}
    later = Acceptance(new_id(), run.id, "2026-01-03T00:00:00.000Z", "Grace", "fine\ntoo ✓", {})
    first = Acceptance(new_id(), run.id, AT, "Ada", "the test was wrong", contents)
    elsewhere = Acceptance(new_id(), other.id, AT, "Ada", "x", {"a": "b"})
    for acceptance in (later, first, elsewhere):
        store.add_acceptance(acceptance)
    assert store.acceptances(run.id) == [first, later]
    assert store.acceptances(other.id) == [elsewhere]
    assert store.acceptances("nobody") == []


def test_an_acceptance_of_an_unknown_run_is_refused(store: Store) -> None:
    """A word on a run that is not there is refused, like a check of one."""
    with pytest.raises(StoreError):
        store.add_acceptance(Acceptance(new_id(), "nobody", AT, "Ada", "x", {}))
