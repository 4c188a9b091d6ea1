"""Spans that are posted become sessions, whenever and however often they come."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from export.samples import observed
from loopwright.export.otlp import traces
from loopwright.guard.redact import Masker
from loopwright.ingest.otlp_json import spans_in
from loopwright.ingest.traces import Traces
from loopwright.records.event import EventKind
from loopwright.records.identity import timestamp
from loopwright.records.run import Status
from loopwright.registry import kinds
from loopwright.store import Store, open_store
from otlp_spans import T0, TRACE, agent_at_work, request, span


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Give an empty store, once in SQLite and once in PostgreSQL."""
    postgres = request.param == "postgres"
    with open_store(request.getfixturevalue("postgres_url") if postgres else tmp_path / "s.sqlite", kinds) as opened:
        yield opened


def post(store: Store, *spans: dict[str, Any], content: bool = True, **resource: Any) -> Traces:
    traces = Traces(store.sent, store.observed, Masker({}), content=content)
    traces.take(spans_in(request(*spans, **resource)))
    traces.settle()
    assert list(traces.notes) == []
    return traces


def sessions(store: Store) -> dict[str, tuple[int, int, int]]:
    """Give the calls, the tokens that went in and the events of each session."""
    return {
        name: (
            sum(row["calls"] for row in store.view("tool_usage", run_id)),
            store.run(run_id).spent.tokens.input,
            store.last_seq(run_id),
        )
        for (_, name), run_id in store.observed.session_runs().items()
    }


def test_one_post_is_one_session(store: Store) -> None:
    """A conversation is a run that ran elsewhere, with what its spans say of it."""
    post(store, *agent_at_work(), service__name="shop")
    assert sessions(store) == {"chat-1": (1, 240, 9)}
    run = store.runs()[0]
    assert (run.status, run.source, run.prompt_version) == (Status.OBSERVED, "otlp", "7")
    assert (run.task.goal, run.task.task_type, run.profile.agent) == ("Fix the login", "bug_fix", "fixer")
    assert run.spent.cost_usd > 0


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::7])
def test_several_posts_in_any_order_and_again(store: Store, order: tuple[int, ...]) -> None:
    """Whatever comes when, and however often, the end is the same: nothing counts twice."""
    spans = agent_at_work()
    for place in (*order, order[0], order[2]):
        post(store, spans[place])
    post(store, *spans)
    assert sessions(store) == {"chat-1": (1, 240, 9)}
    assert len(store.runs()) == 1


def test_a_trace_turns_out_to_be_a_conversation(store: Store) -> None:
    """What came before the span that names the conversation goes with it, and the run keeps its id."""
    spans = agent_at_work()
    post(store, *spans[1:])
    before = store.observed.session_runs()
    assert list(sessions(store)) == [TRACE]
    post(store, spans[0])
    assert sessions(store) == {"chat-1": (1, 240, 9)}
    assert list(store.observed.session_runs().values()) == list(before.values())


def test_a_trace_joins_a_conversation_that_is_there(store: Store) -> None:
    """A trace that belongs to a known conversation is no session of its own any more."""
    other = "e" * 32
    post(store, *agent_at_work())
    later = agent_at_work(trace=other, prefix="second_")
    post(store, *later[1:])
    assert set(sessions(store)) == {"chat-1", other}
    post(store, later[0])
    assert sessions(store) == {"chat-1": (2, 480, 16)}
    assert len(store.runs()) == 1


def test_spans_that_wait_are_settled_later(store: Store) -> None:
    """What was written down before a crash becomes a session with the next start."""
    traces = Traces(store.sent, store.observed, Masker({}))
    assert traces.take(spans_in(request(*agent_at_work()))) == (4, 0)
    assert sessions(store) == {}
    Traces(store.sent, store.observed, Masker({})).settle()
    assert sessions(store) == {"chat-1": (1, 240, 9)}


def test_spans_of_no_agent_make_no_session(store: Store) -> None:
    """The spans of a web server are not sessions, until an agent's come to their trace."""
    post(store, span(9, "GET /", 0, 10, http__method="GET"))
    assert sessions(store) == {}
    post(store, *agent_at_work())
    assert sessions(store) == {"chat-1": (1, 240, 10)}


def test_secrets_are_masked_before_anything_is_stored(store: Store) -> None:
    """No table holds a secret that was in a message, an attribute or an argument."""
    secret = "sk-ant-api03-" + "Ab1" * 31 + "AA"
    spans = [
        span(1, "chat", 0, 1, gen_ai__operation__name="chat", input__value=f"use {secret}", note=f"k={secret}"),
        span(
            2,
            "t",
            1,
            2,
            1,
            gen_ai__operation__name="execute_tool",
            gen_ai__tool__call__arguments=f'{{"k": "{secret}"}}',
        ),
    ]
    post(store, *spans, deployment=secret)
    kept = [store.sent.session_spans(TRACE), *(store.events(run.id) for run in store.runs())]
    assert "masked" in str(kept)
    assert secret not in str(kept)


def test_without_content_no_word_is_kept(store: Store) -> None:
    """Only what happened is stored: tools, tokens and times."""
    post(store, *agent_at_work(), content=False)
    assert sessions(store)["chat-1"][:2] == (1, 240)
    kept = str([store.sent.session_spans("chat-1"), *(store.events(run.id) for run in store.runs())])
    assert not any(word in kept for word in ("Fix the login", "pytest -q", "1 failed", "It is fixed"))


@pytest.mark.parametrize("content", [True, False])
def test_our_own_export_is_taken(store: Store, content: bool) -> None:
    """What is exported as spans and posted elsewhere comes to the same; without content, no word of it is kept."""
    bundle = observed()
    taking = Traces(store.sent, store.observed, Masker({}), content=content)
    taking.take(spans_in(json.loads(json.dumps(traces(bundle)))))
    taking.settle()
    (found,) = store.observed.summaries(list(store.observed.session_runs().values()))
    assert (found.session_id, found.tool_calls, found.tokens) == ("s-1", 6, bundle.run.spent.tokens)
    assert (found.prompts, found.rejections, found.raw_lines) == (1, 1, 1)
    kept = str([store.sent.session_spans("s-1"), *(store.events(run.id) for run in store.runs())])
    assert all((word in kept) is content for word in ("Fix the login", "I am the helper", "Where is it?", "pytest -q"))


def test_a_span_that_comes_again_with_more_replaces_itself(store: Store) -> None:
    """Some send a span when it begins and once more when it has ended: the last word counts."""
    spans = agent_at_work()
    pending = {**spans[3], "attributes": spans[3]["attributes"][:0], "endTimeUnixNano": "0"}
    post(store, *spans[:3], pending)
    post(store, spans[3])
    assert sessions(store) == {"chat-1": (1, 240, 9)}


def test_what_is_no_span_is_counted(store: Store) -> None:
    """Spans without ids are left out, and the sender is told how many."""
    traces = Traces(store.sent, store.observed, Masker({}))
    wrong = [{**agent_at_work()[0], "traceId": value} for value in ("", "0" * 32, "zz", None, 7)]
    assert traces.take(spans_in(request(*wrong, agent_at_work()[0]))) == (1, 5)


def test_results_are_joined_in_the_store(store: Store) -> None:
    """The views that people write SQL for have the call with its command, its end and how long it took."""
    post(store, *agent_at_work())
    row = store.view("commands")[0]
    assert (row["command"], row["duration_s"], bool(row["is_error"])) == ("pytest -q", 1.5, True)
    events = store.events(store.runs()[0].id)
    assert [event.kind for event in events].count(EventKind.TOOL_RESULT) == 1


def test_old_spans_go_with_old_events(store: Store) -> None:
    """`gc` removes the spans of sessions that are over, and none of one that goes on; what they came to stays."""
    post(store, *agent_at_work())
    late = agent_at_work(trace="c" * 32, conversation="chat-2")
    post(store, *late, {**late[0], "spanId": "00000000000000ee", "endTimeUnixNano": str(int((T0 + 5000) * 1e9))})
    store.remove_events(timestamp(T0 + 1000))
    assert (store.sent.count_spans("chat-1"), store.sent.count_spans("chat-2")) == (0, 5)
    assert {calls for calls, _, _ in sessions(store).values()} == {1}
