"""The lines of a session are understood; tokens count once, however often it was taken up again."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.codex import of_kind, texts, tokens
from ingest.copilot import MODEL, answer, begun, done, line, request, shutdown, start, told
from loopwright.ingest.copilot_session import Session
from loopwright.ingest.ports import About
from loopwright.records.event import EventKind


def test_a_session_is_told_as_it_was() -> None:
    """Prompts, thoughts, words, calls and results come out in order, and what the session is."""
    about = About()
    events = told(
        *(start(), line("hook.start", hookType="sessionStart"), line("hook.end", success=True)),
        *(line("system.message", role="system", content="You are"), line("user.message", content="Fix it")),
        *(
            line("assistant.turn_start", turnId="0"),
            answer("I look.", request("c1", command="ls"), reasoningText="Hm."),
        ),
        *(begun("c1", command="ls"), done("c1", "a.py\n<exited with exit code 0>"), line("assistant.turn_end")),
        line("session.title_changed", title="Login"),
        about=about,
    )
    assert [(event.kind.value, event.text[:8]) for event in events] == [
        ("system", "You are"),
        ("prompt", "Fix it"),
        ("thinking", "Hm."),
        ("message", "I look."),
        ("tool_call", ""),
        ("tool_result", "a.py\n<ex"),
    ]
    assert (about.goal, about.project, about.branch, about.commit) == ("Fix it", "/home/me/shop", "main", "85acf25c")
    assert (about.agent_version, about.model, about.title) == ("1.0.64", MODEL, "Login")


def test_the_end_of_a_session_has_its_tokens() -> None:
    """What its messages say of them is part of that, and what was cached is not counted twice."""
    assert tokens(told(start(), answer("a", output=30), shutdown(1000, 50, 400))) == [600, 50, 400]


def test_totals_of_a_session_that_went_on_are_not_added_up() -> None:
    """Newer versions count on when a session is taken up again, older ones begin anew: both are counted once."""
    again = line("session.resume", resumeTime="x", eventCount=3)
    on = [answer("a", output=50), shutdown(1000, 50), again, answer("b", output=30), shutdown(1500, 80)]
    anew = [answer("a", output=50), shutdown(1000, 50), again, answer("b", output=80), shutdown(1500, 80)]
    less = [answer("a", output=50), shutdown(1000, 50), again, shutdown(500, 30)]
    silent = [shutdown(1000, 50), again, shutdown(1500, 80)]
    assert [tokens(told(start(), *lines))[:2] for lines in (on, anew, less, silent)] == [
        *([1500, 80], [2500, 130]),
        *([1500, 80], [1500, 80]),
    ]


def test_requests_that_were_recorded_count_and_the_end_adds_what_they_lack() -> None:
    """Newer versions tell the tokens of each request; the total at the end is not added to them."""
    usage = {"model": MODEL, "inputTokens": 100, "outputTokens": 10, "cacheReadTokens": 40}
    one, two = (line("session.usage_record", usage=usage) for _ in range(2))
    assert tokens(told(start(), one, answer("a", output=10), shutdown(100, 10, 40), two)) == [120, 20, 80]
    assert tokens(told(start(), one, shutdown(150, 15, 40), two, shutdown(250, 25, 80))) == [170, 25, 80]


def test_without_an_end_there_is_what_the_messages_say() -> None:
    """A session that still goes on, or was killed, has at least the tokens that were written."""
    assert tokens(told(start(), answer("a", output=30), answer("b", output=12))) == [0, 42, 0]
    assert tokens(told(shutdown(10, 5), answer("a", output=30))) == [10, 35, 0]


def test_each_model_has_its_own_tokens() -> None:
    """A subagent may use another model."""
    events = told(shutdown(10, 1), shutdown(20, 2, model="small"))
    assert {event.data["model"]: event.data["output"] for event in events} == {MODEL: 1, "small": 2}


@pytest.mark.parametrize("name", ["agent", ""])
def test_what_a_subagent_does_belongs_to_its_call(name: str) -> None:
    """Its lines say which agent they are of, or which call is above them; nothing of it is a prompt."""
    about = About()
    events = told(
        *(start(), answer("", request("t1", "task", prompt="Look")), begun("t1", "task", prompt="Look")),
        line("subagent.started", name, toolCallId="t1", agentName="explore"),
        line("user.message", "agent", content="Look"),
        answer("", request("n1", command="ls"), agent="agent", model="small"),
        *(begun("n1", agent="agent", command="ls"), begun("o1", parent="t1", command="pwd")),
        line("abort", "agent", reason="user_initiated"),
        line("subagent.completed", "agent", toolCallId="t1", agentName="explore"),
        *(done("t1"), line("user.message", content="Thanks")),
        about=about,
    )
    parents = {event.call_id: event.parent_call_id for event in of_kind(events, EventKind.TOOL_CALL)}
    assert parents == {"t1": None, "n1": "t1", "o1": "t1"}
    assert texts(events, EventKind.PROMPT) == ["Thanks"]
    assert not of_kind(events, EventKind.INTERRUPT)
    assert about.model == MODEL


def test_only_a_humans_words_are_prompts() -> None:
    """Skills, schedules and notices speak in the user's name, and say so."""
    lines = [line("user.message", content="x", source=source) for source in ("skill-pdf", "system", "user", "", None)]
    assert len(of_kind(told(*lines), EventKind.PROMPT)) == 3


def test_a_thought_is_told_once() -> None:
    """A line of its own has it, and the message after it."""
    assert (
        len(
            of_kind(
                told(line("assistant.reasoning", content="Hm."), answer("a", reasoningText="Hm.")), EventKind.THINKING
            )
        )
        == 1
    )


def test_a_human_who_stops_it_is_seen() -> None:
    """An abort is an interrupt."""
    assert texts(told(line("abort", reason="user_initiated")), EventKind.INTERRUPT) == ["user_initiated"]


def test_the_rest_is_told_or_known() -> None:
    """Errors, retries and notes are read; news of settings and streams are silent."""
    events = told(
        *(
            line("session.error", errorType="quota", message="no credit"),
            line("model.call_failure", errorMessage="503"),
        ),
        *(
            line("session.info", infoType="mcp", message="up"),
            line("session.compaction_complete", summaryContent="So far"),
        ),
        *(line("session.model_change", newModel="x"), line("session.mode_changed"), line("assistant.message_delta")),
        *(line("session.usage_checkpoint"), line("permission.requested"), line("session.mcp_servers_loaded")),
    )
    assert [(event.kind.value, event.text) for event in events] == [
        ("error", "no credit"),
        ("retry", "503"),
        ("system", "up"),
        ("system", "So far"),
    ]


@pytest.mark.parametrize(
    "raw",
    [{}, {"type": "x.y", "data": {}}, {"type": "user.message"}, {"type": [], "data": {}}, {"type": "abort", "data": 1}],
)
def test_what_is_not_understood_is_said(raw: dict[str, Any]) -> None:
    """A kind of line that nobody knows, or one without its data, is not passed over."""
    assert Session(About()).read(raw) is None


def test_a_line_is_read_once() -> None:
    """A copy of a session has the same ids."""
    lines = [start(), line("user.message", content="Fix it"), answer("a", output=3)]
    assert len(told(*lines, *lines)) == len(told(*lines))
