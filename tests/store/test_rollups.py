"""What events come to is counted as they come in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopwright.errors import StoreError
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Run
from loopwright.store import Store, open_store
from loopwright.store.migrating import MIGRATIONS

from .samples import kinds, make_run, make_step, numbered

CALL, RESULT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT
ROLLED_UP = next((MIGRATIONS / "versions").glob("0003_*.py")).read_text().split('"""')[3]
"""How step 0003 counts the events of an older store."""
EVENTS = st.builds(
    Event,
    kind=st.sampled_from([CALL, RESULT, EventKind.MESSAGE, EventKind.DENIAL]),
    tool=st.none() | st.sampled_from(["", "Bash", "Read", "a\0b"]),
    call_id=st.none() | st.sampled_from(["1", "2", "3\0"]),
    is_error=st.booleans(),
    error_kind=st.none() | st.just("EXIT_ERROR"),
    duration_s=st.none() | st.sampled_from([0.25, 4.0]),
)


@pytest.fixture
def run(store: Store) -> Run:
    made = make_run()
    store.add_run(made, make_step(made))
    return made


def usage(store: Store, run: Run) -> dict[str, tuple[int, int, float]]:
    rows = store.view("tool_usage", run.id)
    return {row["tool"]: (row["calls"], row["errors"], row["total_duration_s"]) for row in rows}


def test_a_call_in_an_earlier_batch_names_the_tool(store: Store, run: Run) -> None:
    """A result that comes later than its call, and names no tool, counts for the last call with its id."""
    calls = [Event(CALL, tool=tool, call_id=call_id) for tool, call_id in (("Read", "1"), ("Edit", "1"), ("Bash", "2"))]
    store.append_events(run.id, numbered(*calls))
    results = [Event(RESULT, call_id=call_id, duration_s=1.0) for call_id in ("1", "2", "2", "unheard of")]
    store.append_events(run.id, numbered(*results, first=4))
    assert usage(store, run) == {"Read": (1, 0, 0.0), "Edit": (1, 0, 1.0), "Bash": (1, 0, 2.0)}


def test_the_call_of_another_run_does_not_count(store: Store, run: Run) -> None:
    """Call ids are a run's own."""
    other = make_run()
    store.add_run(other, make_step(other))
    store.append_events(other.id, numbered(Event(CALL, tool="Bash", call_id="1")))
    store.append_events(run.id, numbered(Event(RESULT, call_id="1")))
    assert usage(store, run) == {}


def test_more_ids_than_a_query_takes(store: Store, run: Run) -> None:
    """A batch may have any number of results whose calls came before."""
    store.append_events(run.id, numbered(*(Event(CALL, tool="Bash", call_id=str(n)) for n in range(2500))))
    store.append_events(
        run.id, numbered(*(Event(RESULT, call_id=str(n), is_error=True) for n in range(2500)), first=2501)
    )
    assert usage(store, run) == {"Bash": (2500, 2500, 0.0)}


def test_a_time_that_is_no_number_is_not_counted(store: Store, run: Run) -> None:
    """What an agent says of its time can't make a sum that no database holds."""
    times = (float("nan"), float("inf"), float("-inf"), 2.0)
    store.append_events(run.id, numbered(*(Event(RESULT, tool="Bash", duration_s=time) for time in times)))
    assert usage(store, run) == {"Bash": (0, 0, 2.0)}


def test_a_batch_that_is_refused_is_not_counted(store: Store, run: Run) -> None:
    """Events and counts are written together or not at all."""
    store.append_events(run.id, numbered(Event(CALL, tool="Bash")))
    with pytest.raises(StoreError):
        store.append_events(run.id, numbered(Event(CALL, tool="Bash"), Event(CALL, tool="Bash")))
    assert usage(store, run) == {"Bash": (1, 0, 0.0)}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(st.lists(EVENTS, min_size=1, max_size=8), min_size=1, max_size=4))
def test_counting_as_they_come_is_counting_them_all(tmp_path: Path, batches: list[list[Event]]) -> None:
    """The counts are those that an older store gets when it is migrated, however the events were put into batches."""
    path = tmp_path / "store.sqlite"
    path.unlink(missing_ok=True)
    with open_store(path, kinds) as store:
        run, first = make_run(), 1
        store.add_run(run, make_step(run))
        for batch in batches:
            store.append_events(run.id, numbered(*batch, first=first)[::-1])
            first += len(batch)
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT * FROM rollups ORDER BY tool").fetchall()
        connection.execute("DELETE FROM rollups")
        connection.execute(ROLLED_UP)
        assert kept == connection.execute("SELECT * FROM rollups ORDER BY tool").fetchall()
