"""A session watched by all detectors."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.measure.detector import Detector
from loopwright.measure.watch import MOST_SIGNALS, Watch
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from measure.stretches import Stretch


@dataclass
class Errors(Detector):
    """Every failed result of a tool, with the tool of its call."""

    kinds = (EventKind.TOOL_RESULT,)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        return Moment([event.seq], f"failed: {call.tool if call else '?'}") if event.is_error else None

    def end(self) -> list[Moment]:
        return [Moment([1], "it has ended")]


def test_a_result_comes_with_its_call() -> None:
    """A detector sees the kinds it wants, each result with the call it belongs to, and the end."""
    stretch = Stretch().prompt("Fix it").ran("make", "no rule", exit_code=2).ran("ls")
    watch = Watch("run-1", {"errors": Errors()})
    found = watch.see(stretch.events)
    assert [(signal.description, signal.events) for signal in found] == [("failed: Bash", (3,))]
    assert [signal.description for signal in watch.end()] == ["it has ended"]


def test_who_looks_again_finds_the_same() -> None:
    """The id of a signal depends on the run, the type and the first event, and on nothing else."""
    stretch = Stretch().ran("make", "no rule", exit_code=2)
    one, two = (Watch("run-1", {"errors": Errors()}).see(stretch.events)[0] for _ in range(2))
    other = Watch("run-2", {"errors": Errors()}).see(stretch.events)[0]
    assert one == two
    assert one.id != other.id


def test_only_so_many_are_kept() -> None:
    """A session of failures does not fill the store."""
    stretch = Stretch()
    for _ in range(MOST_SIGNALS + 50):
        stretch.ran("make", "no rule", exit_code=2)
    assert len(Watch("run-1", {"errors": Errors()}).see(stretch.events)) == MOST_SIGNALS


@dataclass
class Noes(Detector):
    """Every verdict that says no."""

    kinds = (EventKind.VERDICT,)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        return Moment([event.seq], "no") if event.is_error else None


def test_what_decides_nothing_is_no_verdict() -> None:
    """A check that is advisory is nobody's rejection."""
    stretch = Stretch().add(EventKind.VERDICT, "fail: lint", is_error=True, data={"advisory": True})
    assert Watch("run-1", {"noes": Noes()}).see(stretch.events) == []
    stretch.add(EventKind.VERDICT, "fail: test", is_error=True)
    assert len(Watch("run-1", {"noes": Noes()}).see(stretch.events)) == 1


@dataclass
class Broken(Detector):
    """Somebody's, that goes wrong."""

    kinds = (EventKind.TOOL_CALL,)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        raise KeyError("oh")


def test_one_that_goes_wrong_is_named_and_the_others_go_on() -> None:
    """A detector that raises looks no further, and what the others find is there."""
    stretch = Stretch().ran("make", "no rule", exit_code=2).ran("make", "no rule", exit_code=2)
    watch = Watch("run-1", {"broken": Broken(), "errors": Errors()})
    assert len(watch.see(stretch.events)) == 2
    assert watch.faults == {"broken": "KeyError: 'oh'"}
