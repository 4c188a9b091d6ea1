from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from loopwright.run.waiting import Waiting


class Clock(threading.Event):
    """A day that passes as fast as it is waited."""

    def __init__(self) -> None:
        super().__init__()
        self.time = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
        self.pauses: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout or 0.0)
        self.time += timedelta(seconds=timeout or 0.0)
        return False


def waiting(clock: Clock, said: list[str]) -> Waiting:
    return Waiting(600.0, clock, said.append, lambda: clock.time)


def test_pauses_grow_and_come_to_an_end() -> None:
    """Each pause is twice as long as the last, none is longer than a sixth, and all together keep to the limit."""
    clock, said = Clock(), list[str]()
    wait = waiting(clock, said)
    while not (later := wait.pause("")):
        pass
    assert clock.pauses[:4] == [10.0, 20.0, 40.0, 80.0]
    assert max(clock.pauses) == 100.0
    assert sum(clock.pauses) <= 600.0
    assert later.startswith("2026-11-16")
    assert said[0].startswith("paused: the model is not available")
    assert "(for 10m at most: [limits] unavailable;" in said[0]


def test_a_time_that_is_told_is_kept() -> None:
    """Where the model says when, that is when it is asked; where that is too late, nobody waits."""
    clock = Clock()
    wait = waiting(clock, [])
    assert wait.pause((clock.time + timedelta(seconds=90)).isoformat()) == ""
    assert clock.pauses == [90.0]
    later = wait.pause((clock.time + timedelta(hours=5)).isoformat())
    assert "17:01:30" in later
    assert clock.pauses == [90.0]


def test_an_answer_makes_the_next_trouble_a_new_one() -> None:
    """What was waited before an answer is not held against the next pause."""
    clock = Clock()
    wait = waiting(clock, [])
    wait.pause("")
    wait.pause("")
    wait.answered()
    wait.pause("")
    assert clock.pauses == [10.0, 20.0, 10.0]
    assert wait.total_s == 40.0
