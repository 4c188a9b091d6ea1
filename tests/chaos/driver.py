"""One process of ours that can be told at which write to the store it is to be killed: `driver.py AT SIDE ACTION …`.

It goes through the store's port: every change of a run's state is a write, so before and after each write are all the
moments there are. What the store has acknowledged is noted in a file of its own, which outlives the process.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from loopwright.choosing import choose_profile
from loopwright.ports import RunStore
from loopwright.records.task import Task
from loopwright.run.criteria.test import TestCriteria
from loopwright.wire import open_project

WRITES = {"add_run", "save_run", "save_attempt", "append_events", "add_checks", "take", "release"}


class Mortal:
    """A store in which we die."""

    writes = 0

    def __init__(self, store: Any, at: int, before: bool, acknowledged: Path) -> None:
        self._store, self._at, self._before, self._acknowledged = store, at, before, acknowledged

    def under(self, lease: Any) -> Mortal:
        return Mortal(self._store.under(lease), self._at, self._before, self._acknowledged)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in WRITES:
            return method

        def call(*arguments: Any, **named: Any) -> Any:
            Mortal.writes += 1
            mine = Mortal.writes
            if mine == self._at and self._before:
                os.kill(os.getpid(), signal.SIGKILL)
            given = method(*arguments, **named)
            if name == "append_events":
                self._note("".join(f"{event.seq} {event.kind}\n" for event in arguments[1]))
            if mine == self._at:
                os.kill(os.getpid(), signal.SIGKILL)
            return given

        return call

    def _note(self, text: str) -> None:
        with self._acknowledged.open("a") as file:
            file.write(text)


def jump(seconds: float, after_s: float) -> None:
    """Set the clock of this process, some time from now: the time of day jumps, and the passing of time does not."""
    real, began = time.time, time.monotonic()
    time.time = lambda: real() + (seconds if time.monotonic() - began > after_s else 0)


def main(at: str, side: str, acknowledged: str, action: str, *rest: str) -> int:
    if seconds := os.environ.get("CHAOS_JUMP"):
        jump(float(seconds), 0.7)
    with closing(open_project(Path.cwd())) as project:
        store: RunStore = Mortal(project.store, int(at), side == "before", Path(acknowledged))  # type: ignore[assignment]
        cycle = dataclasses.replace(project.cycle(), store=store, silence_s=2.0)
        if action == "run":
            profile = choose_profile(project.settings, agent_options={"command": rest[0]})
            result = cycle.run_task(Task("Fix it", [TestCriteria("sh test.sh")]), profile)
        else:
            result = cycle.resume(project.store.find("last"))
    print(result.status, Mortal.writes)
    return result.exit_code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
