"""Who works on a run. A model of it, over the real store, is in chaos/test_lease_model.py."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import pytest

from loopwright.errors import BusyError
from loopwright.process.identity import myself
from loopwright.records.lease import Lease
from loopwright.run.hold import Stop, holder_name, is_abandoned, is_gone, kept, queue_name, take
from world import wait_for

GONE = f"999999999:1:{myself().rpartition(':')[2]} dead"
ELSEWHERE = "1:1:another-machine alive"


@dataclass
class Shelf:
    """A lease store in memory."""

    now: Lease = field(default_factory=lambda: Lease("run", 1, holder_name(), 1))

    def lease(self, run_id: str) -> Lease:
        return self.now

    def take(self, seen: Lease, holder: str) -> Lease | None:
        if (seen.token, seen.beat) != (self.now.token, self.now.beat):
            return None
        self.now = Lease(seen.run_id, seen.token + 1, holder, seen.beat + 1)
        return self.now

    def renew(self, lease: Lease) -> bool:
        if lease.token != self.now.token:
            return False
        self.now = Lease(lease.run_id, lease.token, self.now.holder, self.now.beat + 1)
        return True

    def release(self, lease: Lease) -> None:
        if lease.token == self.now.token:
            self.now = Lease(lease.run_id, lease.token, "", self.now.beat)


def test_a_holder_that_is_gone_is_not_waited_for() -> None:
    """A dead process of this machine, a released run and one that waits in line are taken at once."""
    for holder in (GONE, "", queue_name()):
        shelf = Shelf(Lease("run", 7, holder, 3))
        began = time.monotonic()
        before, ours = take(shelf, "run")
        assert (before.holder, ours.token) == (holder, 8)
        assert time.monotonic() - began < 0.1


def test_a_holder_that_shows_itself_is_left_alone() -> None:
    """While the beat goes on, whoever asks is told who is at work."""
    shelf = Shelf()
    with kept(shelf, shelf.now, threading.Event(), 0.05), pytest.raises(BusyError, match="process"):
        take(shelf, "run", silence_s=5)


def test_without_waiting_nobody_who_may_be_alive_is_taken_over() -> None:
    """A look at the list must not take ten seconds, nor a run from somebody."""
    for holder in (holder_name(), ELSEWHERE):
        shelf = Shelf(Lease("run", 1, holder, 1))
        with pytest.raises(BusyError):
            take(shelf, "run", wait=False)


def test_a_silent_holder_is_taken_over() -> None:
    """One that says nothing for long enough loses the run, wherever it is."""
    for holder in (holder_name(), ELSEWHERE):
        shelf = Shelf(Lease("run", 1, holder, 1))
        _, ours = take(shelf, "run", silence_s=0.3)
        assert ours.token == 2 == shelf.now.token


def test_who_was_taken_over_is_told_to_stop() -> None:
    """The heart of a holder notices, and its run stops; other runs of the process go on."""
    shelf, all_of_us = Shelf(), threading.Event()
    stop, other = Stop(all_of_us), Stop(all_of_us)
    with kept(shelf, shelf.now, stop, 0.01):
        shelf.take(shelf.now, "thief")
        wait_for(stop.is_set)
    assert not other.is_set()
    assert shelf.now.holder == "thief"
    all_of_us.set()
    assert other.is_set() and other.wait(0)


def test_an_order_to_stop_may_have_its_time() -> None:
    """Whose time is up has to stop; what is above it goes on."""
    above = threading.Event()
    stop, later = Stop(above, 0.0), Stop(above, 60.0)
    assert (stop.is_set(), later.is_set(), above.is_set()) == (True, False, False)
    above.set()
    assert later.is_set()


def test_what_is_known_of_holders() -> None:
    """Gone, at work, in line, or on a machine that we can't see."""
    assert is_gone(Lease("run", 1, "")) is True
    assert is_gone(Lease("run", 1, GONE)) is True
    assert is_gone(Lease("run", 1, holder_name())) is False
    assert is_gone(Lease("run", 1, ELSEWHERE)) is None
    assert is_gone(Lease("run", 1, queue_name())) is True
    assert [is_abandoned(Lease("run", 1, name)) for name in ("", GONE, queue_name(), ELSEWHERE)] == [
        True,
        True,
        False,
        False,
    ]
