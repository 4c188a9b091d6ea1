"""A model of the lease against the real store: workers that stop, go on, take over and write, with clocks that jump."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from chaos.conftest import LONG, Row
from loopwright.errors import LeaseLost
from loopwright.records.event import Event, EventKind
from loopwright.records.lease import Lease
from loopwright.run.hold import Watch
from loopwright.store import Store, open_store
from store.samples import kinds, make_run, make_step

SILENCE_S = 10.0
WORKERS = st.integers(0, 2)


class Leasing(RuleBasedStateMachine):
    """What a worker believes, and what the store lets it do."""

    place = ""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store: Store = open_store(self.place or Path(self.folder.name) / "store", kinds)
        run = make_run()
        self.run_id = run.id
        self.leases: dict[int, Lease] = {0: self.store.add_run(run, make_step(run), "worker 0")}
        self.watches: dict[int, Watch] = {}
        self.stopped: set[int] = set()
        self.time, self.day, self.shown = 0.0, 0.0, 0.0
        self.written: list[int] = []
        self.newest = 1

    @rule(seconds=st.floats(0, 30))
    def time_goes_by(self, seconds: float) -> None:
        """Whoever believes to hold the run, and is not stopped, shows itself; only the holder is heard."""
        self.time += seconds
        for worker, lease in self.leases.items():
            if worker not in self.stopped and seconds >= 1:
                heard = self.store.renew(lease)
                assert heard == (lease.token == self.newest)
                if heard:
                    self.shown = self.time

    @rule(jump=st.floats(-3600, 3600))
    def the_clock_jumps(self, jump: float) -> None:
        """The time of day is another; nobody decides by it."""
        self.day += jump

    @rule(worker=WORKERS)
    def stop_or_go_on(self, worker: int) -> None:
        """SIGSTOP and SIGCONT."""
        self.stopped ^= {worker}

    @rule(worker=WORKERS)
    def look(self, worker: int) -> None:
        """Watch the lease, and take it where its holder was silent for too long by one's own clock."""
        if worker in self.stopped or self._holds(worker):
            return
        seen = self.store.lease(self.run_id)
        watch = self.watches.setdefault(worker, Watch(seen, SILENCE_S, lambda: self.time))
        watch.look(seen)
        if watch.silent:
            assert self.time - self.shown >= SILENCE_S, "a holder that had shown itself was taken over"
            taken = self.store.take(watch.seen, f"worker {worker}")
            assert taken is not None and taken.token == self.newest + 1
            self.leases[worker], self.newest, self.shown = taken, taken.token, self.time
            del self.watches[worker]

    @rule(worker=WORKERS)
    def write(self, worker: int) -> None:
        """Write with the lease that one believes to have: accepted from the newest holder, refused from all others."""
        if worker in self.stopped or worker not in self.leases:
            return
        event = Event(EventKind.MESSAGE, str(self.leases[worker].token), seq=len(self.written) + 1, at="2026-01-01")
        try:
            self.store.under(self.leases[worker]).append_events(self.run_id, [event])
        except LeaseLost:
            assert not self._holds(worker)
        else:
            assert self._holds(worker)
            self.written.append(self.leases[worker].token)

    @invariant()
    def nothing_stale_is_there(self) -> None:
        """What is in the store was written by holders in their order, and all of it is there."""
        if hasattr(self, "store"):
            there = [int(event.text) for event in self.store.events(self.run_id)]
            assert there == self.written == sorted(self.written)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    def _holds(self, worker: int) -> bool:
        return worker in self.leases and self.leases[worker].token == self.newest


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_the_lease_holds(database: str, request: pytest.FixtureRequest, row: Row) -> None:
    """In no order of events are there two holders, a stale write, or a holder that lost its run while it was alive."""
    examples = (200 if database == "sqlite" else 40) if LONG else (15 if database == "sqlite" else 5)
    place = request.getfixturevalue("postgres_url") if database == "postgres" else ""
    machine = type("Leasing", (Leasing,), {"place": place})
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=examples, stateful_step_count=40, deadline=None, suppress_health_check=quiet),
    )
    row(f"leases by a model, clock jumps, {database}", faults=examples)
