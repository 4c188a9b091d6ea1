"""Signals, practices and what humans say, in both databases."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from export.samples import observed
from loopwright.errors import UnknownName, UsageError
from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.measure.measuring import Measuring
from loopwright.records.event import EventKind
from loopwright.records.feedback import Feedback
from loopwright.records.identity import new_id, timestamp
from loopwright.records.practice import Failing, Practice, Recovery
from loopwright.records.signal import Precision, Signal, signal_id
from loopwright.store.store import Store


def brought(store: Store) -> str:
    bundle = observed()
    store.recorded.bring(bundle)
    return bundle.run.id


def signal(run_id: str, first: int = 1, type_name: str = "error_loop") -> Signal:
    name = signal_id(run_id, type_name, first)
    return Signal(name, run_id, type_name, "high", "it failed", (first, first + 2), timestamp(), tokens=5)


def test_signals_come_back(store: Store) -> None:
    """What was found is read as it was; found again, it is there once, and what is not found any more is gone."""
    run_id, measured = brought(store), store.measured
    practice = Practice(run_id, [Failing("f", "Bash", 2, "no rule")], [Recovery("edit", "", 2, 1)], 3, 2, 1)
    measured.save([signal(run_id), signal(run_id, 7)], practice, "d1")
    measured.save([signal(run_id)], practice, "d1")
    assert [one.id for one in measured.signals()] == [signal(run_id).id]
    assert len(measured.signals([run_id])) == 1
    assert measured.signals([run_id], "timeout") == []
    assert measured.unmeasured("d1") == []
    assert measured.unmeasured("d2") == [run_id]
    assert [(gap.runs, gap.times, gap.message) for gap in measured.gaps(1, 5)] == [(1, 2, "no rule")]
    assert measured.gaps(2, 5) == []
    assert [(one.remedy, one.tries, one.passes) for one in measured.remedied()] == [("edit", 2, 1)]
    assert [(one.run_id, one.edits) for one in measured.cells()] == [(run_id, 2)]


def test_the_newest_signals(store: Store) -> None:
    """Of many the newest are given, the oldest of them first, since a moment where one is asked for; and a count."""
    run_id, measured = brought(store), store.measured
    many = [dataclasses.replace(signal(run_id, day), at=f"2026-01-0{day}T00:00:00.000Z") for day in range(1, 6)]
    measured.save(many, Practice(run_id), "d1")

    def days(*asked: Any) -> tuple[list[int], int]:
        found, total = measured.newest(*asked)
        return [one.events[0] for one in found], total

    assert days(None, "", "", 2) == ([4, 5], 5)
    assert days(run_id, "error_loop", "2026-01-03", 2) == ([4, 5], 3)
    assert days(run_id, "", "2026-01-02", None) == ([2, 3, 4, 5], 4)
    assert days("another", "", "", 2) == days(None, "timeout", "", 2) == ([], 0)


def test_a_humans_word_stays(store: Store) -> None:
    """A signal that was called wrong is so still when its run is looked at again, and counts for its detector."""
    run_id, measured = brought(store), store.measured
    measured.save([signal(run_id), signal(run_id, 9)], Practice(run_id), "d1")
    found = measured.find(signal(run_id).id[:6])
    measured.mark(found, wrong=True, reason="it was polling")
    measured.save([signal(run_id), signal(run_id, 9)], Practice(run_id), "d2")
    assert {one.id: one.is_wrong for one in measured.signals()} == {signal(run_id).id: True, signal(run_id, 9).id: None}
    assert measured.precision() == [Precision("error_loop", 2, 0, 1)]
    assert measured.wrong("error_loop") == {signal(run_id).id}
    assert measured.wrong("timeout") == set()
    with pytest.raises(UnknownName, match="there is no signal `zzzz`"):
        measured.find("zzzz")


def test_a_part_of_an_id_has_to_be_long_enough(store: Store) -> None:
    """Less than four characters name nothing, and what two signals begin with names neither."""
    run_id = brought(store)
    twins = [dataclasses.replace(signal(run_id), id=f"abcd{number}") for number in range(2)]
    store.measured.add(twins)
    with pytest.raises(UsageError, match="`abc` is too short"):
        store.measured.find("abc")
    with pytest.raises(UsageError, match="`abcd` is more than one signal") as caught:
        store.measured.find("abcd")
    assert "abcd0" in caught.value.hint and "abcd1" in caught.value.hint
    assert store.measured.find("ABCD1").id == "abcd1"


def test_feedback(store: Store) -> None:
    """What humans said of a run is read in its order."""
    run_id = brought(store)
    given = [Feedback(new_id(), run_id, timestamp(number), number == 1, "nice", "me") for number in (1, 2)]
    for one in given:
        store.measured.add_feedback(one)
    assert store.measured.feedback(run_id) == given
    assert store.measured.feedback("other") == []


def test_feedback_is_weighed(store: Store) -> None:
    """A run is looked at again after feedback, and says why its newest word is a thumb down."""
    run_id = brought(store)
    for number, (up, why) in enumerate([(False, "slow"), (True, ""), (False, "")]):
        store.measured.save([], Practice(run_id), "d1")
        store.measured.add_feedback(Feedback(new_id(), run_id, timestamp(number), up, why))
        assert store.measured.unmeasured("d1") == [run_id]
        assert [totals.disliked for totals in store.outcomes.totals([run_id])] == [None if up else why]


def test_measuring(store: Store) -> None:
    """Runs are looked at once; one whose events changed is looked at again."""
    bundle = observed()
    template = next(event for event in bundle.events if event.kind is EventKind.TOOL_RESULT)
    wrong = dataclasses.replace(template, is_error=True, fingerprint="f", error_kind="PARSED_ERROR")
    events = [dataclasses.replace(wrong, seq=number) for number in range(1, 5)]
    store.recorded.bring(dataclasses.replace(bundle, events=events))
    measuring = Measuring(store.measured, lambda: {"error_loop": ErrorLoop()})
    assert measuring.measure() == 1
    assert measuring.measure() == 0
    assert [one.events for one in store.measured.signals()] == [(1, 2, 3, 4)]
    assert Measuring(store.measured, lambda: {"error_loop": ErrorLoop(times=9)}).measure() == 1
    assert store.measured.signals() == []


def test_a_run_that_is_replaced_takes_all_with_it(store: Store) -> None:
    """A run that is brought in again has no signals of what it was."""
    bundle = observed()
    store.recorded.bring(bundle)
    store.measured.save([signal(bundle.run.id)], Practice(bundle.run.id), "d1")
    store.recorded.bring(bundle, replace=True)
    assert store.measured.signals() == []
    assert store.measured.unmeasured("d1") == [bundle.run.id]
