"""The lines of a thread are understood, and what two lines tell of is told once."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.codex import (
    call,
    exited,
    item,
    line,
    meta,
    news,
    of_kind,
    output,
    said,
    spent,
    texts,
    tokens,
    told,
    turn,
    usage,
)
from loopwright.ingest.codex_thread import Thread
from loopwright.ingest.ports import About
from loopwright.ingest.seen import Seen
from loopwright.records.event import EventKind


def test_a_session_says_what_it_is() -> None:
    """Folder, branch, commit, version, model and goal are those of the record."""
    about = About()
    told(meta(originator="codex-tui"), turn(), said("user", "Fix it"), turn("gpt-6"), said("user", "More"), about=about)
    assert (about.project, about.branch, about.commit) == ("/home/me/shop", "main", "4e480f90")
    assert (about.agent_version, about.model, about.goal) == ("0.140.0", "gpt-6", "Fix it")
    assert about.attributes == {"originator": "codex-tui", "source": "cli"}


def test_words_are_told_once() -> None:
    """The conversation and the terminal have the same words, in either order; both are one event."""
    events = told(
        *(said("user", "Fix it"), news("user_message", message="Fix it", images=[])),
        *(news("agent_message", message="I look."), said("assistant", "I look.")),
        *(news("user_message", message="go on"), said("user", "go on")),
        *(said("user", "go on"), news("user_message", message="go on")),
    )
    assert texts(events, EventKind.PROMPT) == ["Fix it", "go on", "go on"]
    assert texts(events, EventKind.MESSAGE) == ["I look."]


def test_items_of_newer_versions_are_told_once() -> None:
    """Items that were completed repeat what the conversation has."""
    items: list[dict[str, Any]] = [
        {"type": "UserMessage", "id": "u", "content": [{"type": "text", "text": "Fix it"}]},
        {"type": "AgentMessage", "id": "m", "content": [{"type": "Text", "text": "I look."}]},
        {"type": "Reasoning", "id": "r", "summary_text": ["Hm."]},
    ]
    first, second, third = (news("item_completed", item=one) for one in items)
    thought = item("reasoning", id="r", summary=[{"type": "summary_text", "text": "Hm."}])
    events = told(said("user", "Fix it", id="x"), first, second, said("assistant", "I look.", id="m"), third, thought)
    assert [(event.kind.value, event.text) for event in events] == [
        ("prompt", "Fix it"),
        ("message", "I look."),
        ("thinking", "Hm."),
    ]


def test_what_codex_says_is_no_prompt() -> None:
    """Developer messages, the environment and instructions are the system's, wherever they stand."""
    first = said("user", "# AGENTS.md instructions for /x", "<environment_context>")
    events = told(said("developer", "<permissions instructions>"), said("system", "Be nice"), first)
    events += told(news("user_message", kind="environment_context", message="<environment_context>"))
    assert {event.kind for event in events} == {EventKind.SYSTEM}


def test_tokens_are_differences_of_the_total() -> None:
    """A total that is told again adds nothing; what was cached is not counted twice; each model has its own."""
    events = told(
        *(meta(), turn("a"), spent(usage(100, 10, 40))),
        *(spent(usage(100, 10, 40)), turn("b"), spent(usage(250, 30, 90), usage(150, 20, 50))),
        news("token_count", info=None),
    )
    assert tokens(events) == [160, 30, 90]
    assert [event.data["model"] for event in of_kind(events, EventKind.USAGE)] == ["a", "b"]


def test_a_total_may_start_anew() -> None:
    """After a compaction or a new process the total is smaller: its last part counts."""
    events = told(
        meta(), spent(usage(100, 10)), spent(usage(0, 0)), spent(usage(30, 3)), spent(usage(20, 2), usage(5, 1))
    )
    assert tokens(events) == [135, 14, 0]


def test_a_record_of_tokens_and_the_count_after_it_are_one() -> None:
    """Newer versions write both for each answer."""
    record = line("token_usage_record", response_id="r", usage=usage(100, 10), thread_token_usage=usage(100, 10))
    assert tokens(told(meta(), record, spent(usage(100, 10)))) == [100, 10, 0]


def test_a_fork_has_only_its_own_tokens() -> None:
    """Its first total holds what was used before it was forked."""
    assert tokens(told(meta(forked_from_id="x" * 36), spent(usage(1410, 189), usage(150, 21)))) == [150, 21, 0]


def test_only_a_human_interrupts() -> None:
    """A turn that was replaced, or a subagent that was ended, was not interrupted by somebody."""
    stopped = news("turn_aborted", reason="interrupted")
    assert texts(told(meta(), stopped), EventKind.INTERRUPT) == ["interrupted"]
    assert not of_kind(told(meta(), news("turn_aborted", reason="replaced")), EventKind.INTERRUPT)
    assert not of_kind(told(meta(parent_thread_id="p"), stopped), EventKind.INTERRUPT)


@pytest.mark.parametrize(
    "source",
    [{"subagent": "review"}, {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}],
)
def test_what_a_subagent_is_told_is_no_prompt(source: Any) -> None:
    """Its words come from another agent, and its goal is not the session's."""
    about = About()
    started = line("session_meta", id="s", source=source)
    events = told(started, turn("small"), said("user", "Say hello"), about=about)
    assert {event.kind for event in events} == {EventKind.SYSTEM}
    assert (about.goal, about.model, about.heads) == ("", "", [])


def test_older_lines_are_understood() -> None:
    """The first line had no type, and the others no payload."""
    about = About()
    old = {"id": "5973b6c0-94b8-487b-a530-2aeb6098ae0e", "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None}
    events = told(
        {**old, "git": {"branch": "dev"}},
        {"record_type": "state"},
        said("user", "Fix it")["payload"],
        call("c1", "ls")["payload"],
        output("c1", '{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.5}}')["payload"],
        about=about,
    )
    assert (about.branch, about.goal) == ("dev", "Fix it")
    assert [(event.kind.value, event.exit_code) for event in events[1:]] == [("tool_call", None), ("tool_result", 2)]
    assert {event.at for event in events} == {"2025-05-07T17:24:21.123Z"}


def test_the_rest_is_told_or_known() -> None:
    """Errors, retries, warnings, compactions, denials and names are read; what repeats other lines is silent."""
    about = About()
    events = told(
        *(news("error", message='{"detail":"no credit"}'), news("stream_error", message="Reconnecting... 1/5")),
        *(
            news("task_complete", error={"message": '{"detail":"no credit"}'}),
            news("task_complete", error={"message": "x"}),
        ),
        *(news("warning", message="long"), line("compacted", message="So far", replacement_history=[{}])),
        *(
            news("guardian_assessment", status="denied", rationale="risky"),
            news("guardian_assessment", status="approved"),
        ),
        *(
            news("thread_name_updated", thread_name="Login"),
            news("task_started", turn_id="t"),
            news("context_compacted"),
        ),
        *(
            item("ghost_snapshot", ghost_commit={}),
            item("compaction", encrypted_content="x"),
            line("world_state", state={}),
        ),
        *(news("agent_reasoning", text="Hm."), news("exec_command_begin", call_id="c"), news("item_started", item={})),
        about=about,
    )
    assert [(event.kind.value, event.text) for event in events] == [
        ("error", "no credit"),
        ("retry", "Reconnecting... 1/5"),
        ("error", "x"),
        ("system", "long"),
        ("system", "So far"),
        ("denial", "risky"),
    ]
    assert about.title == "Login"


@pytest.mark.parametrize(
    "raw",
    [
        *({}, {"type": None}, {"type": "unheard_of", "payload": {}}, {"type": "unheard_of"}, {"type": ["event_msg"]}),
        *({"type": "event_msg", "payload": {"type": "unheard_of"}}, {"type": "event_msg", "payload": {"type": {}}}),
        *({"type": "response_item", "payload": {"type": "unheard_of"}}, {"type": "response_item", "payload": 7}),
        {"type": "response_item", "payload": {"type": "function_call", "call_id": "c"}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UnheardOf"}}},
    ],
)
def test_what_is_not_understood_is_said(raw: dict[str, Any]) -> None:
    """A kind of line that nobody knows is not passed over."""
    assert Thread(About(), Seen()).read(raw) is None


def test_what_was_copied_is_told_once() -> None:
    """A thread that was forked within the session begins with the lines of the other, with other times."""
    about, seen = About(), Seen()
    lines = [said("user", "Fix it", id="msg_1"), call("c1", "ls"), output("c1", exited(0)), spent(usage(100, 10))]
    first, second = Thread(about, seen), Thread(about, seen, "c9")
    before = [event for one in (meta(), *lines) for event in first.read(one) or ()]
    fork = meta("child", parent_thread_id="p", forked_from_id="p")
    after = [event for one in (fork, meta(), *lines, call("c2", "pwd")) for event in second.read(one) or ()]
    assert len(before) == 4
    assert [(event.call_id, event.parent_call_id) for event in after] == [("c2", "c9")]
