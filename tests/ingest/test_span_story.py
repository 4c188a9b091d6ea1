"""Spans of agents become the events that they tell of."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.otlp_json import spans_in
from loopwright.ingest.span import from_dict, span_of
from loopwright.ingest.span_story import Story
from loopwright.records.event import Event, EventKind
from otlp_spans import agent_at_work, request, span, text
from strangers import FUZZ, mutated


def told(*spans: dict[str, Any], **resource: Any) -> tuple[Story, list[Event]]:
    read = [span_of(sent) for sent in spans_in(request(*spans, **resource)) if sent]
    read = [from_dict(json.loads(json.dumps(one.to_dict()))) for one in read]  # as the store gives them back
    story = Story([read])
    return story, list(story.events())


def of(events: list[Event], kind: EventKind) -> list[Event]:
    return [event for event in events if event.kind is kind]


def tokens(events: list[Event]) -> tuple[int, ...]:
    used = [event.data for event in of(events, EventKind.USAGE)]
    return tuple(sum(one[name] for one in used) for name in ("input", "output", "cache_read", "cache_write"))


def test_an_agent_at_work() -> None:
    """Prompt, call, result and answer come in the order of their times; nothing of the history comes twice."""
    story, events = told(*agent_at_work(), service__name="shop")
    assert [event.kind for event in events] == [
        EventKind.SYSTEM,
        *(EventKind.SYSTEM, EventKind.PROMPT, EventKind.USAGE),
        *(EventKind.TOOL_CALL, EventKind.TOOL_RESULT),
        *(EventKind.MESSAGE, EventKind.USAGE, EventKind.SYSTEM),
    ]
    call, result = of(events, EventKind.TOOL_CALL)[0], of(events, EventKind.TOOL_RESULT)[0]
    assert (call.tool, call.command, call.call_id) == ("bash", "pytest -q", "call_1")
    assert (result.call_id, result.text, result.is_error, result.duration_s) == ("call_1", "1 failed", True, 1.5)
    assert story.about.goal == "Fix the login"
    assert (story.about.agent, story.about.model, story.about.project) == ("fixer", "claude-sonnet-4-5", "shop")
    assert (story.about.prompt_version, story.about.task_type) == ("7", "bug_fix")


def test_tokens_are_those_of_the_model_and_not_once_more_those_of_the_agent() -> None:
    """An agent's span sums up what its model's spans say; cached tokens are part of the input."""
    _, events = told(*agent_at_work())
    assert tokens(events) == (240, 40, 60, 0)


def test_tokens_of_an_agent_whose_model_is_not_traced() -> None:
    """Where no model's span is within an agent's, the agent's own word counts; of two agents the inner one's."""
    outer, inner = agent_at_work()[0], agent_at_work()[0]
    inner |= {"spanId": "00000000000000ff", "parentSpanId": outer["spanId"]}
    assert tokens(told(outer)[1]) == (300, 40, 0, 0)
    assert tokens(told(outer, inner)[1]) == (300, 40, 0, 0)


def test_a_model_that_is_traced_by_two_libraries() -> None:
    """The span of a provider's library within that of a framework is the same call: once is enough."""
    outer = agent_at_work()[1]
    inner = {**outer, "spanId": "00000000000000ff", "parentSpanId": outer["spanId"]}
    _, events = told(outer, inner)
    assert tokens(events) == (70, 20, 30, 0)
    assert len(of(events, EventKind.PROMPT)) == len(of(events, EventKind.TOOL_CALL)) == 1


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_the_order_in_which_spans_come_does_not_matter(order: tuple[int, ...]) -> None:
    """Whatever comes first, the same is told; also where spans come twice."""
    spans = agent_at_work()
    assert told(*(spans[place] for place in order), *spans)[1] == told(*spans)[1]


def test_a_subagent_is_below_the_call_that_started_it() -> None:
    """What happens within the span of a tool, or of an agent within an agent, names that as its parent."""
    inner = agent_at_work(prefix="sub_")
    moved = [
        {
            **one,
            "spanId": f"1{one['spanId'][1:]}",
            "parentSpanId": one["parentSpanId"] and f"1{one['parentSpanId'][1:]}",
        }
        for one in inner
    ]
    moved[0]["parentSpanId"] = "0000000000000003"
    _, events = told(*agent_at_work(), *moved)
    below = [event for event in events if event.parent_call_id]
    assert {event.parent_call_id for event in below} == {"call_1"}
    assert [event.kind for event in below if event.kind is EventKind.TOOL_CALL] == [EventKind.TOOL_CALL]
    assert len(of(events, EventKind.PROMPT)) == 1
    moved[0]["parentSpanId"] = "0000000000000001"
    _, events = told(*agent_at_work(), *moved)
    assert {event.parent_call_id for event in events if event.parent_call_id} == {moved[0]["spanId"]}


def test_a_conversation_goes_on_in_another_trace() -> None:
    """The history that a later turn brings along is not told again; a new question is, also with the same words."""
    again = "f" * 32
    history = [text("user", "Fix the login"), text("assistant", "Done."), text("user", "Fix the login")]
    first = span(1, "chat", 0, 1, gen_ai__operation__name="chat", gen_ai__input__messages=json.dumps(history[:1]))
    second = span(
        2, "chat", 5, 6, trace=again, gen_ai__operation__name="chat", gen_ai__input__messages=json.dumps(history)
    )
    _, events = told(first, second)
    assert [event.text for event in of(events, EventKind.PROMPT)] == ["Fix the login", "Fix the login"]


def test_openinference() -> None:
    """Spans by OpenInference's names tell the same; a tool without an id is the one that the model asked for."""
    spans = [
        span(1, "agent", 0, 9, openinference__span__kind="AGENT", input__value="Fix it", session__id="s-1"),
        span(
            *(2, "llm", 1, 2, 1),
            **{
                "openinference.span.kind": "LLM",
                "llm.model_name": "gpt-5",
                "llm.token_count.prompt": 50,
                "llm.token_count.completion": 5,
                "llm.token_count.prompt_details.cache_read": 20,
                "llm.prompt_template.version": "v3",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.contents.0.message_content.type": "text",
                "llm.input_messages.0.message.contents.0.message_content.text": "Fix it",
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c9",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "read_file",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"path": "a.py"}',
            },
        ),
        span(3, "read_file", 3, 4, 1, openinference__span__kind="TOOL", tool__name="read_file", output__value="x = 1"),
        span(4, "chain", 4, 5, 1, openinference__span__kind="CHAIN"),
    ]
    story, events = told(*spans)
    assert [event.text for event in of(events, EventKind.PROMPT)] == ["Fix it"]
    call, result = of(events, EventKind.TOOL_CALL)[0], of(events, EventKind.TOOL_RESULT)[0]
    assert (call.call_id, call.path, result.call_id, result.text) == ("c9", "a.py", "c9", "x = 1")
    assert tokens(events) == (30, 5, 20, 0)
    assert story.about.prompt_version == "v3"
    assert of(events, EventKind.RAW) == []


def test_messages_as_events_of_a_span() -> None:
    """Conventions up to 1.36 have the messages as events: those are read as well."""
    notes: list[tuple[str, dict[str, Any]]] = [
        ("gen_ai.system.message", {"content": "Be brief."}),
        ("gen_ai.user.message", {"content": "Hi"}),
        ("gen_ai.choice", {"index": 0, "message": json.dumps({"role": "assistant", "content": "Hello"})}),
    ]
    _, events = told(span(1, "chat gpt", 0, 1, gen_ai__operation__name="chat", events=notes))
    assert [(event.kind.value, event.text) for event in events] == [
        ("system", "Be brief."),
        ("prompt", "Hi"),
        ("message", "Hello"),
    ]


def test_numbered_attributes_and_structured_ones() -> None:
    """`gen_ai.prompt.0.content` is read, and so are messages that are no text but lists."""
    numbered = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi", "gen_ai.completion.0.content": "Ho"}
    _, events = told(span(1, "x", 0, 1, **numbered, **{"llm.request.type": "chat"}))
    assert [event.text for event in events] == ["Hi", "Ho"]
    _, events = told(span(1, "x", 0, 1, gen_ai__operation__name="chat", gen_ai__input__messages=[text("user", "Hi")]))
    assert [event.text for event in of(events, EventKind.PROMPT)] == ["Hi"]


def test_what_fails_is_an_error_once() -> None:
    """An error is told where it happened, and not once more for all that it happened within."""
    agent = span(1, "a", 0, 9, gen_ai__operation__name="invoke_agent", error="timeout")
    chat = span(
        *(2, "c", 1, 2, 1),
        gen_ai__operation__name="chat",
        error__type="429",
        events=[("exception", {"exception.message": "rate limited"})],
    )
    _, events = told(agent, chat)
    found = [event for event in events if event.is_error]
    assert [(event.kind, event.text, event.error_kind) for event in found] == [
        (EventKind.ERROR, "rate limited", "PARSED_ERROR")
    ]
    assert found[0].fingerprint


def test_spans_of_no_agent_are_kept_raw() -> None:
    """What is no work of an agent is kept as it was, and what is within it still finds its agent."""
    http = span(5, "POST /x", 2.2, 4.5, 1, http__method="POST")
    tool = {**agent_at_work()[2], "parentSpanId": http["spanId"]}
    _, events = told(agent_at_work()[0], http, tool)
    assert [json.loads(event.text)["name"] for event in of(events, EventKind.RAW)] == ["POST /x"]
    assert of(events, EventKind.TOOL_CALL)[0].parent_call_id is None


def test_a_session_ends_when_its_last_span_ends() -> None:
    """An agent that works on after its last answer has an end of its own; where an answer is the end, none is added."""
    agent = span(1, "a", 0, 100, gen_ai__operation__name="invoke_agent")
    chat = span(2, "c", 20, 27, 1, gen_ai__operation__name="chat", gen_ai__usage__input_tokens=5)
    _, events = told(agent, chat)
    assert (events[-1].data, events[-1].at) == ({"subtype": "end"}, "2026-09-21T14:15:00.000Z")
    assert [event.kind for event in told(chat)[1]] == [EventKind.USAGE]


def test_cycles_and_missing_parents_do_no_harm() -> None:
    """Spans that are each other's parents, or their own, or an orphan, are told of."""
    one, two = agent_at_work()[:2]
    spans = [{**one, "parentSpanId": two["spanId"]}, two, span(9, "x", 0, 1, 9, gen_ai__operation__name="chat")]
    assert len(told(*spans)[1]) > 2


@FUZZ
@given(st.data())
def test_nothing_that_is_sent_makes_it_fail(data: st.DataObject) -> None:
    """Requests in which anything is of a wrong type give spans and events, or none."""
    document = data.draw(mutated(request(*agent_at_work(), service__name="shop")))
    read = [span_of(sent) for sent in spans_in(document) if sent]
    for event in Story([read]).events():
        assert isinstance(event.text, str)
