"""A database that goes away is waited for, and nothing is lost or doubled."""

from __future__ import annotations

import dataclasses
import inspect
import math
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from loopwright.errors import StoreError
from loopwright.records.identity import new_id
from loopwright.records.run import Acceptance
from loopwright.store import Store, open_store
from loopwright.store.patience import OPENING_S, Passing, Patience
from postgres import Server, name_of
from proxy import Proxy

from .samples import AT, full_comment, kinds, make_attempt, make_check, make_run, make_step, messages

GONE_S = 0.3


class Told(list[str]):
    """Somebody who is told that the store waits."""


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def proxy(postgres: Server) -> Iterator[Proxy]:
    with Proxy(postgres.socket) as made:
        yield made


@pytest.fixture
def far(proxy: Proxy, postgres_url: str) -> str:
    """Give the store's URL through a network that fails on demand."""
    return f"postgresql://postgres:hunter2@127.0.0.1:{proxy.port}/{name_of(postgres_url)}?sslmode=disable&gssencmode=disable"


@pytest.fixture
def store(far: str, told: Told) -> Iterator[Store]:
    with open_store(far, kinds, Patience(for_s=20, waiting=told.append)) as opened:
        yield opened


@pytest.fixture
def near(postgres_url: str) -> Iterator[Store]:
    """Give the same store, straight."""
    with open_store(postgres_url, kinds) as opened:
        yield opened


def after(seconds: float, call: Callable[[], None]) -> None:
    threading.Timer(seconds, call).start()


def fails(trouble: str, times: float) -> Callable[[], int]:
    """Give a call that fails so often and then says how often it was made."""
    calls = []

    def call() -> int:
        calls.append(1)
        if len(calls) <= times:
            raise Passing("full" if trouble == "full" else "gone", f"{trouble} {len(calls)}")
        return len(calls)

    return call


def test_what_works_is_done_once_and_told_to_nobody(told: Told) -> None:
    """A call that works is made once."""
    assert Patience(waiting=told.append).keep_trying(fails("gone", 0)) == 1
    assert told == []


def test_what_passes_is_tried_again_and_told_once(told: Told) -> None:
    """A call is made until it works; the first reason is told, and that it goes on."""
    assert Patience(waiting=told.append).keep_trying(fails("gone", 3)) == 4
    assert [text.partition(";")[0] for text in told] == ["gone 1", "the store can be used again"]


def test_patience_has_an_end() -> None:
    """After its time the last reason is raised."""
    with pytest.raises(Passing, match=r"gone [2-9]"):
        Patience(for_s=0.05).keep_trying(fails("gone", math.inf))


def test_a_full_disk_is_waited_for_longer() -> None:
    """A disk that is full is waited for without end, whatever the patience with what is gone."""
    assert Patience(for_s=0).keep_trying(fails("full", 3)) == 4


def test_a_full_disk_is_waited_for_until_somebody_stops_it() -> None:
    """Who is stopped while he waits for room says why he waited."""
    stop = threading.Event()
    after(0.1, stop.set)
    with pytest.raises(Passing, match="full"):
        Patience(stop=stop).keep_trying(fails("full", math.inf))


def test_at_the_start_nothing_is_waited_for_without_end() -> None:
    """Who opens a store hears soon that it is not there, or has no room."""
    start = Patience().at_the_start()
    assert (start.for_s, start.full_s) == (OPENING_S, OPENING_S)
    assert Patience(for_s=1).at_the_start().for_s == 1


def test_every_method_of_a_store_is_patient() -> None:
    """Whatever is asked of a store is asked again while its database is gone; letting go of it is not."""
    public = {name: method for name, method in inspect.getmembers(Store, inspect.isfunction) if name[0] != "_"}
    assert [name for name, method in public.items() if not hasattr(method, "__wrapped__")] == ["close", "heed", "under"]


@pytest.mark.parametrize("method", ["add_run", "save_run", "save_attempt", "append_events", "add_checks", "words"])
def test_a_commit_whose_word_was_lost_is_not_done_twice(store: Store, near: Store, proxy: Proxy, method: str) -> None:
    """The server committed, the connection broke before we heard of it: what is done again doubles nothing."""
    run = make_run()
    step = make_step(run)
    attempt, events, checks = make_attempt(step), messages(20), [make_check(run.id), make_check(run.id, 1)]
    comment, acceptance = full_comment(run.id), Acceptance(new_id(), run.id, AT, "Ada", "fine", {})
    if method != "add_run":
        near.add_run(run, step)
    proxy.lose_commit()
    match method:
        case "add_run":
            store.add_run(run, step)
            assert (near.runs(), near.step(run.id)) == ([run], step)
        case "save_run":
            store.save_run(run)
            assert near.runs() == [run]
        case "save_attempt":
            store.save_attempt(attempt)
            assert near.attempts(run.id) == [attempt]
        case "append_events":
            store.append_events(run.id, events[::-1])
            assert near.events(run.id) == events
        case "add_checks":
            store.add_checks(checks)
            assert near.checks(run.id) == checks
        case "words":
            store.add_comment(comment)
            proxy.lose_commit()
            store.add_acceptance(acceptance)
            assert (near.comments(run.id), near.acceptances(run.id)) == ([comment], [acceptance])
    assert [b"COMMIT\0" in answer for answer in proxy.lost] == [True] * (2 if method == "words" else 1)


def test_a_taken_number_is_still_refused(store: Store) -> None:
    """Only what is there already, to the word, passes for written: another's events do not."""
    run = make_run()
    store.add_run(run, make_step(run))
    store.append_events(run.id, messages(3))
    store.append_events(run.id, messages(3))
    assert len(store.events(run.id)) == 3
    with pytest.raises(StoreError):
        store.append_events(run.id, [*messages(2), *messages(1, first=4)])
    others = [dataclasses.replace(event, text="other") for event in messages(3)]
    with pytest.raises(StoreError):
        store.append_events(run.id, others)
    assert store.events(run.id) == messages(3)


def test_a_server_that_goes_away_is_waited_for(store: Store, proxy: Proxy, told: Told) -> None:
    """A write waits while connections are cut and refused, goes on when the server is back, and says both once."""
    run = make_run()
    proxy.refuse()
    after(GONE_S, proxy.listen)
    began = time.monotonic()
    store.add_run(run, make_step(run))
    assert time.monotonic() - began >= GONE_S
    assert store.runs() == [run]
    assert len(told) == 2
    assert "waiting" in told[0] and "going on" in told[1]
    assert "hunter2" not in told[0]


def test_a_server_may_be_gone_at_the_start(far: str, proxy: Proxy, told: Told) -> None:
    """A store is opened when its server is back."""
    proxy.refuse()
    after(GONE_S, proxy.listen)
    with open_store(far, kinds, Patience(waiting=told.append)) as store:
        assert store.runs() == []
    assert len(told) == 2


def test_a_server_that_stalls_is_waited_for(store: Store, proxy: Proxy) -> None:
    """Nothing is lost when nothing gets through for a while."""
    run = make_run()
    proxy.stall()
    after(GONE_S, proxy.flow)
    store.add_run(run, make_step(run))
    assert store.runs() == [run]


def test_dead_connections_are_thrown_away_together(store: Store, proxy: Proxy, told: Told) -> None:
    """Of many connections that were cut, one failure tells of all: each is replaced, none is tried."""
    with store._database.read() as one, store._database.read() as two, store._database.read() as three:
        assert [connection.exec_driver_sql("SELECT 1").scalar() for connection in (one, two, three)] == [1, 1, 1]
    proxy.cut()
    for _ in range(3):
        assert store.runs() == []
    assert len(told) == 2


def test_a_server_that_goes_away_amid_events_is_waited_for(store: Store, proxy: Proxy, told: Told) -> None:
    """A batch that was cut on its way is written whole once, and the connection that broke is not used again."""
    run = make_run()
    store.add_run(run, make_step(run))
    events = [dataclasses.replace(event, text="long " * 1000) for event in messages(500)]
    proxy.cut_at = b"COPY"
    store.append_events(run.id, events)
    assert proxy.cut_at == b""
    assert store.events(run.id) == events
    assert len(told) == 2


def test_a_server_that_ends_our_sessions_is_waited_for(
    store: Store, postgres: Server, postgres_url: str, told: Told
) -> None:
    """An administrator may end all sessions, as a shutdown does, and the next call gets a new one."""
    assert store.runs() == []
    ours = f"datname = '{name_of(postgres_url)}' AND application_name = 'loopwright'"
    assert postgres.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")
    assert store.runs() == []
    assert len(told) == 2


def test_a_server_that_stays_away_is_an_error(far: str, proxy: Proxy) -> None:
    """When patience is over, the error names the store without its password."""
    with open_store(far, kinds, Patience(for_s=0.1)) as store:
        proxy.refuse()
        with pytest.raises(StoreError, match="refused") as caught:
            store.runs()
    proxy.listen()
    assert f"`postgresql://postgres:***@127.0.0.1:{proxy.port}/" in caught.value.message
    assert "hunter2" not in str(caught.value)
