"""Many threads and many processes use one store, and none of them is ever told that it is locked."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from loopwright.store import Store, open_store

from .samples import full_comment, kinds, make_attempt, make_check, make_run, make_step, messages

PROCESSES = 8
BATCHES, BATCH = 15, 20


def open_at_once(place: str, barrier: Any) -> None:
    barrier.wait()
    with open_store(place, kinds) as store:
        run = make_run()
        store.add_run(run, make_step(run))


def work(store: Store) -> None:
    """Do what a run does to a store."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    attempt = make_attempt(step)
    store.save_attempt(attempt)
    for number in range(BATCHES):
        store.append_events(run.id, messages(BATCH, first=store.last_seq(run.id) + 1))
        store.add_checks([make_check(run.id, number, attempt_id=attempt.id) for _ in range(2)])
        store.save_run(run)
    store.save_attempt(attempt)
    store.add_comment(full_comment(run.id))


def work_in_threads(place: str, barrier: Any) -> None:
    barrier.wait()
    with open_store(place, kinds) as store, ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, store) for _ in range(2)]:
            done.result()


def in_processes(target: Callable[[str, Any], None], place: str) -> list[int | None]:
    """Let processes that know nothing of each other begin at the same moment; give their exit codes."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(PROCESSES)
    processes = [context.Process(target=target, args=(place, barrier)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    return [process.exitcode for process in processes]


def assert_whole(store: Store, runs: int) -> None:
    assert len(store.runs()) == runs
    for run in store.runs():
        assert [event.seq for event in store.events(run.id)] == list(range(1, BATCHES * BATCH + 1))
        assert [check.iteration for check in store.checks(run.id)] == [n for n in range(BATCHES) for _ in range(2)]
        assert (len(store.attempts(run.id)), len(store.comments(run.id))) == (1, 1)


def test_processes_can_make_one_store_together(empty_place: str) -> None:
    """Eight processes that open a store that is not there all get it, and it is one store."""
    assert in_processes(open_at_once, empty_place) == [0] * PROCESSES
    with open_store(empty_place, kinds) as store:
        assert len(store.runs()) == PROCESSES


def test_processes_can_write_one_store_together(place: str) -> None:
    """Eight processes with two threads each write all that they have, and nothing is lost."""
    assert in_processes(work_in_threads, place) == [0] * PROCESSES
    with open_store(place, kinds) as store:
        assert_whole(store, runs=PROCESSES * 2)


def test_threads_can_share_a_store(store: Store) -> None:
    """Thirty-two threads, more than a pool has connections, write all that they have."""
    with ThreadPoolExecutor(32) as pool:
        for done in [pool.submit(work, store) for _ in range(32)]:
            done.result()
    assert_whole(store, runs=32)


def test_a_reader_that_follows_misses_nothing(store: Store) -> None:
    """Somebody who reads while events are written sees each number once, in order."""
    run = make_run()
    store.add_run(run, make_step(run))
    total, seen = 5000, []

    def write() -> None:
        for first in range(1, total, 50):
            store.append_events(run.id, messages(50, first=first))

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        while not writing.done() or len(seen) < store.last_seq(run.id):
            seen += [event.seq for event in store.events(run.id, after=len(seen), limit=70)]
        writing.result()
    assert seen == list(range(1, total + 1))
