"""The row of what a run came to is never behind what the other tables say of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text

from loopwright.records.budget import Spent, Usage
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.feedback import Feedback
from loopwright.records.identity import new_id
from loopwright.records.outcome import Tally
from loopwright.records.profile import Profile
from loopwright.records.run import Comment, Reason, Run, Status
from loopwright.records.session import Observation
from loopwright.store import outcomes
from loopwright.store.migrations.outcomes_0008 import fill
from loopwright.store.schema_measured import outcomes as table
from loopwright.store.store import Store

from .samples import AT, make_check, make_run, make_step, numbered
from .test_sessions import observation


def row(store: Store, run_id: str) -> dict[str, Any]:
    with store._database.read() as connection:
        return dict(connection.execute(select(table).where(table.c.run_id == run_id)).mappings().one())


def begun(store: Store, **changes: Any) -> Run:
    run = make_run(**changes)
    store.add_run(run, make_step(run))
    return run


def seen(store: Store, *events: Event, **session: Any) -> Observation:
    one = observation(new_id(), 0)
    one = dataclasses.replace(one, events=events, session=dataclasses.replace(one.session, **session))
    store.observed.save_observations([one])
    return one


def test_the_questions_of_the_docs(store: Store) -> None:
    """Each statement in docs/metrics.md is answered, by either database."""
    for end in [(Status.DONE, Reason.CRITERIA_MET), (Status.FAILED, Reason.BUDGET), (Status.FAILED, Reason.BUDGET)]:
        run = begun(store, id=new_id())
        store.save_run(dataclasses.replace(run, status=end[0], reason=end[1], spent=Spent(1)))
    page = Path(__file__).parents[2].joinpath("docs", "metrics.md").read_text()
    asked = [line.strip() for line in page.splitlines() if line.startswith("    SELECT ")]
    with store._database.read() as connection:
        rates, failures, hours = [connection.execute(text(words)).all() for words in asked]
    assert [(count, round(float(rate), 3)) for _, count, rate in rates] == [(3, 0.333)]
    assert [count for _, count in failures] == [2]
    assert [(count, failed) for _, count, failed in hours] == [(3, 2)]


@pytest.mark.parametrize(
    ("status", "reason", "iterations", "wanted"),
    [
        (Status.RUNNING, None, 0, (None, None, False)),
        (Status.DONE, Reason.CRITERIA_MET, 1, (True, True, False)),
        (Status.DONE, Reason.CRITERIA_MET, 2, (True, False, False)),
        (Status.DONE, Reason.ALREADY_MET, 0, (None, None, False)),
        (Status.ESCALATED, Reason.CRITERIA_UNMET, 12, (False, False, True)),
        (Status.FAILED, Reason.BUDGET, 3, (False, False, False)),
        (Status.CANCELLED, Reason.CRITERIA_UNMET, 1, (None, None, False)),
    ],
)
def test_the_end_of_a_run(
    store: Store, status: Status, reason: Reason | None, iterations: int, wanted: tuple[bool | None, ...]
) -> None:
    """Whether it passed, at once, and with a human's help follows its status, in the write that changes it."""
    run = begun(store)
    spent = Spent(iterations, 0.5, Usage(1, 2, 3, 4), 60.0)
    store.save_run(dataclasses.replace(run, status=status, reason=reason, spent=spent))
    found = row(store, run.id)
    assert (found["passed"], found["first_pass"], found["human"]) == wanted
    assert (found["seconds"], found["tokens"], found["cost_usd"], found["iterations"]) == (60.0, 10, 0.5, iterations)


def test_what_a_run_is_grouped_by(store: Store) -> None:
    """The project, the profile and the hour are in the row, as the run has them."""
    run = begun(store, profile=Profile("careful", "claude_code", "a model"), prompt_version="v2")
    found = row(store, run.id)
    names = ("project", "agent", "model", "profile", "prompt_version", "source", "started_at", "hour")
    assert [found[name] for name in names] == ["/repository", "claude_code", "a model", "careful", "v2", "", AT, 3]


def test_a_human_who_speaks_is_seen(store: Store) -> None:
    """A comment makes a run one in which a human stepped in; thumbs down, one that was rejected."""
    run = begun(store)
    store.add_comment(Comment(new_id(), run.id, AT, "try again"))
    assert (row(store, run.id)["human"], row(store, run.id)["rejected"]) == (True, False)
    store.measured.add_feedback(Feedback(new_id(), run.id, AT, is_up=False))
    assert row(store, run.id)["rejected"] is True


def test_the_lines_and_the_coverage_of_a_run(store: Store) -> None:
    """The note at its end says what it changed, and a check of its work how much is covered."""
    run = begun(store)
    changed = {"files_changed": "1 file changed, 7 insertions(+), 2 deletions(-)"}
    store.append_events(run.id, numbered(Event(EventKind.NOTE, "done", data=changed)))
    store.add_checks([make_check(run.id, 0, evidence="TOTAL 1 2 10%"), make_check(run.id, 1, evidence="TOTAL 1 2 87%")])
    store.save_run(dataclasses.replace(run, status=Status.DONE, ended_at=AT))
    found = row(store, run.id)
    assert (found["lines_added"], found["lines_removed"], found["coverage"]) == (7, 2, 87.0)


def edit(call_id: str, new: str = "b\nc") -> Event:
    given = {"old_string": "a", "new_string": new}
    return Event(EventKind.TOOL_CALL, tool="Edit", call_id=call_id, data={"input": given})


def test_a_session(store: Store) -> None:
    """Nobody judged it; its calls, stops and edits are counted, an edit that failed is none."""
    failed = Event(EventKind.TOOL_RESULT, "no", tool="Edit", call_id="c2", is_error=True)
    said = Event(EventKind.TOOL_RESULT, "TOTAL 1 2 40%\n", tool="Bash", call_id="c3", command="pytest --cov")
    one = seen(store, edit("c1"), edit("c2"), failed, said, active_s=30.0, interrupts=1, rejections=2, project="/p")
    found = row(store, one.run.id)
    assert (found["passed"], found["first_pass"], found["human"], found["rejected"]) == (None, None, True, True)
    assert (found["seconds"], found["tool_calls"], found["tool_errors"], found["project"]) == (30.0, 2, 1, "/p")
    assert (found["interrupts"], found["rejections"]) == (1, 2)
    assert (found["lines_added"], found["lines_removed"], found["coverage"]) == (2, 1, 40.0)


def test_a_session_without_edits_has_no_lines(store: Store) -> None:
    """What is not known is not nothing."""
    found = row(store, seen(store).run.id)
    assert (found["lines_added"], found["coverage"]) == (None, None)


def test_the_parts_of_a_session_add_up(store: Store) -> None:
    """A later part adds its lines, and the first one, read again, begins anew."""
    one = seen(store, edit("c1"))
    for first, wanted in ((2, 4), (3, 6), (1, 2)):
        store.observed.save_observations([dataclasses.replace(one, events=(edit(f"d{first}"),), first=first)])
        assert row(store, one.run.id)["lines_added"] == wanted


def test_the_newest_word_decides_on_a_session(store: Store) -> None:
    """A session passed where somebody says so: an evaluation, else a human."""
    one = seen(store)
    store.measured.add_feedback(Feedback(new_id(), one.run.id, AT, is_up=True))
    assert row(store, one.run.id)["passed"] is True
    store.sent.add_evaluation(Evaluation(new_id(), one.run.id, AT, "bug_fix", passed=False), one)
    assert (row(store, one.run.id)["passed"], row(store, one.run.id)["rejected"]) == (False, True)


def test_an_older_store_is_filled(store: Store) -> None:
    """What the step to this version writes is what was kept up to date all along."""
    run, one = begun(store, status=Status.ESCALATED), seen(store, active_s=5.0)
    before = [row(store, run.id), row(store, one.run.id)]
    with store._database.write() as connection:
        connection.execute(delete(table))
        connection.exec_driver_sql(fill(connection.dialect.name, "TRUE"))
    assert [row(store, run.id), row(store, one.run.id)] == before


def test_an_export_brings_its_numbers_back(store: Store) -> None:
    """A run that is brought in has its row at once."""
    one = seen(store, edit("c1"), active_s=5.0)
    bundle = store.recorded.bundle(one.run.id)
    before = row(store, one.run.id)
    store.recorded.bring(bundle, replace=True)
    assert row(store, one.run.id) == before


def test_runs_are_counted_by_group_and_day(store: Store) -> None:
    """Runs that have not ended, or in which nobody worked, are left out."""
    for status, iterations in ((Status.DONE, 1), (Status.FAILED, 3), (Status.RUNNING, 1), (Status.DONE, 0)):
        run = begun(store, profile=Profile(agent="a"))
        store.save_run(dataclasses.replace(run, status=status, spent=Spent(iterations, 1.0, Usage(5), 7.0)))
    [tally] = store.outcomes.tallies("agent")
    [by_type] = store.outcomes.tallies("task_type")
    assert (tally.group, tally.day, tally.runs, tally.judged, tally.passed) == ("a", AT[:10], 2, 2, 1)
    assert (tally.first_pass, tally.rejected, tally.human, tally.tokens, tally.cost_usd) == (1, 0, 0, 10, 2.0)
    assert [sample.seconds for sample in store.outcomes.samples("agent", [tally])] == [7.0, 7.0]
    assert store.outcomes.tallies("hour", since="2027") == []
    assert len(store.outcomes.history([by_type.group])) == 2
    newest = store.outcomes.newest("agent", "a", AT[:10])
    assert newest is not None and newest[1:] == (AT, 1)
    assert store.outcomes.newest("agent", "b", AT[:10]) is None


@pytest.mark.parametrize(
    ("size", "others", "wanted"),
    [(250, 400, "00 80 ff"), (1000, 10, "00 80 ff"), (1000, 39, "00"), (2501, 1, "00 80 ff"), (2501, 5, "00 80")],
)
def test_large_groups_are_sampled(store: Store, size: int, others: int, wanted: str) -> None:
    """Where groups of a size have very many runs together, those are read whose ids end low; small ones are whole."""
    for place, digits in enumerate(("00", "80", "ff")):
        run = begun(store, id=f"{new_id()[:34]}{digits}", profile=Profile(agent="a"))
        store.save_run(dataclasses.replace(run, status=Status.DONE, spent=Spent(1, 0.0, Usage(), 1.0 + place)))
    one = Tally("a", AT[:10], size, 0, 0, 0, 0, 0, 0, 0, 0.0)
    tallies = [one, *(one._replace(group=f"other {number}") for number in range(others))]
    read = store.outcomes.samples("agent", tallies)
    assert sorted(sample.seconds for sample in read) == [1.0, 2.0, 3.0][: len(wanted.split())]


def test_refreshing_nothing_is_fine(store: Store) -> None:
    """Where no run is named, none gets a row."""
    with store._database.write() as connection:
        outcomes.refresh(connection, [])
    assert store.outcomes.tallies("agent") == []


def test_sums_are_of_all_kinds_together(store: Store) -> None:
    """Runs that are alike in all that is asked for are added up; what nobody knows counts as nothing."""
    for agent, model in (("codex", "a"), ("codex", "a"), ("codex", "b")):
        run = begun(store, id=new_id(), profile=Profile(agent=agent, model=model))
        spent = Spent(1, 0.5, Usage(100), 30.0)
        store.save_run(dataclasses.replace(run, status=Status.DONE, reason=Reason.CRITERIA_MET, spent=spent))
    begun(store, id=new_id())
    found = {tuple(names): sums for names, sums in store.outcomes.sums(["agent", "model"])}
    assert set(found) == {("codex", "a"), ("codex", "b")}
    one = found["codex", "a"]
    assert (one.runs, one.judged, one.passed, one.tokens, one.cost_usd, one.seconds) == (2, 2, 2, 200, 1.0, 60.0)
    assert (one.lines_added, one.covered, one.coverage) == (0, 0, 0)
