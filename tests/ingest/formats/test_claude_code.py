"""Claude Code's transcripts become events: each call and each token once, and nothing makes the reader fail."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.claude import SESSION, call, line, prompt, result, said, words, write
from ingest.transcripts import real_sessions
from loopwright.ingest.formats.claude_code import ClaudeCode
from loopwright.ingest.gathering import Gathering
from loopwright.ingest.ports import Reading
from loopwright.records.event import Event, EventKind

MANY = int(os.environ.get("FUZZ", "50"))


def read(path: Path, *more: Path) -> tuple[list[Event], Reading]:
    reading = ClaudeCode().read(SESSION, [path, *more])
    return list(reading.events()), reading


def test_a_session_is_told_as_it_was(tmp_path: Path) -> None:
    """Prompts, words, calls with their results, exit codes, durations and tokens come out in order."""
    path = write(
        tmp_path / "a.jsonl",
        prompt("Fix the login"),
        said({"type": "thinking", "thinking": "Hm."}, name="m1"),
        said(words("I look."), name="m1"),
        said(call("c1", command="pytest -q"), name="m1", output=30),
        result("c1", "Exit code 1\n1 failed", failed=True),
        said(call("c2", "Read", file_path="/home/me/shop/a.py"), name="m2"),
        result("c2", [{"type": "text", "text": "def f(): ..."}, {"type": "image"}]),
    )
    events, reading = read(path)
    assert [(event.kind.value, event.text) for event in events if event.kind is not EventKind.USAGE] == [
        ("prompt", "Fix the login"),
        ("thinking", "Hm."),
        ("message", "I look."),
        ("tool_call", ""),
        ("tool_result", "Exit code 1\n1 failed"),
        ("tool_call", ""),
        ("tool_result", "def f(): ...\n[image]"),
    ]
    failed = next(event for event in events if event.is_error)
    assert (failed.tool, failed.command, failed.exit_code, failed.duration_s) == ("Bash", "pytest -q", 1, 1.0)
    assert failed.error_kind == "PARSED_ERROR" and failed.fingerprint
    about = reading.about
    assert (about.goal, about.project, about.branch) == ("Fix the login", "/home/me/shop", "main")
    assert (about.agent_version, about.model) == ("2.1.325", "claude-sonnet-4-5")


def test_the_tokens_of_a_message_are_the_largest_of_its_lines(tmp_path: Path) -> None:
    """Lines of one message repeat its usage, and the first ones have what it was at its beginning."""
    lines = [said(words("a"), name="m1", output=1), said(words("b"), name="m1", output=40), said(words("c"), name="m2")]
    events, _ = read(write(tmp_path / "a.jsonl", *lines))
    (used,) = _gathered(events).usage()
    assert (used.tokens.input, used.tokens.output, used.tokens.cache_read, used.tokens.cache_write) == (
        20,
        45,
        2000,
        200,
    )


def test_what_a_cache_keeps_for_an_hour_is_priced_so(tmp_path: Path) -> None:
    """A sum by hand: $3, $15, $0.30 a million, $3.75 for five minutes and $6 for an hour."""
    first, second, third = (said(words("a"), name=name) for name in ("m1", "m2", "m3"))
    first["message"]["usage"]["cache_creation"] = {"ephemeral_5m_input_tokens": 40, "ephemeral_1h_input_tokens": 60}
    second["message"]["usage"]["cache_creation"] = {"ephemeral_1h_input_tokens": "all"}
    third["message"]["usage"]["cache_creation"] = [1]
    events, _ = read(write(tmp_path / "a.jsonl", first, first | {"uuid": "again"}, second, third))
    gathering = Gathering()
    gathering.add(events)
    (day,) = gathering.usage()
    assert day.tokens.cache_write == 300
    assert day.cost_usd == pytest.approx((30 * 3 + 15 * 15 + 3000 * 0.3 + 240 * 3.75 + 60 * 6) / 1e6)


def test_lines_that_are_there_twice_count_once(tmp_path: Path) -> None:
    """A copy of the session beside it adds nothing, nor does a call that is told again."""
    lines = [prompt("Fix it"), said(call("c1", command="ls")), result("c1", "a.py")]
    again = [*lines, said(call("c1", command="ls"), name="m9"), result("c1", "a.py")]
    events, _ = read(write(tmp_path / "a.jsonl", *lines), write(tmp_path / "b.jsonl", *again))
    kinds = Counter(event.kind for event in events)
    assert (kinds[EventKind.PROMPT], kinds[EventKind.TOOL_CALL], kinds[EventKind.TOOL_RESULT]) == (1, 1, 1)


def test_what_a_subagent_does_belongs_to_its_call(tmp_path: Path) -> None:
    """Its lines stand inside of progress lines, in the file itself or beside it, and are linked to the call."""
    main = [
        prompt("Look around"),
        said(call("t1", "Task", prompt="Find the login")),
        line(
            "progress",
            parentToolUseID="t1",
            data={"type": "agent_progress", "message": said(call("n1", command="ls"), name="n1")},
        ),
        line("progress", parentToolUseID="t1", data={"type": "agent_progress", "message": result("n1", "a.py")}),
        line("progress", data={"type": "hook_progress"}),
    ]
    inside = [
        prompt("Find the login", isSidechain=True, agentId="a1"),
        said(call("s1", "Read", file_path="/a.py"), name="s1", isSidechain=True, agentId="a1"),
    ]
    folder = tmp_path / SESSION
    events, reading = read(
        write(tmp_path / f"{SESSION}.jsonl", *main), write(folder / "subagents" / "agent-a1.jsonl", *inside)
    )
    parents = {event.call_id: event.parent_call_id for event in events if event.kind is EventKind.TOOL_CALL}
    assert parents == {"t1": None, "n1": "t1", "s1": "t1"}
    assert reading.about.goal == "Look around"
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert list(ClaudeCode().sessions(folder / "subagents" / "agent-a1.jsonl")) == [SESSION]


def test_a_humans_no_is_seen(tmp_path: Path) -> None:
    """An interrupt and a rejected call are events of their own."""
    no = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    path = write(
        tmp_path / "a.jsonl",
        said(call("c1", command="rm -rf /")),
        result("c1", no, failed=True),
        line("user", {"content": [words("[Request interrupted by user for tool use]")]}),
    )
    events, _ = read(path)
    rejected = next(event for event in events if event.kind is EventKind.REJECTION)
    assert (rejected.call_id, rejected.command) == ("c1", "rm -rf /")
    assert [event.kind for event in events].count(EventKind.INTERRUPT) == 1
    assert not [event for event in events if event.kind is EventKind.PROMPT]


def test_what_nobody_said_is_no_prompt(tmp_path: Path) -> None:
    """Commands, reminders and summaries are written in the user's name."""
    lines = [
        prompt("<command-name>/clear</command-name>"),
        prompt("Caveat: The messages below", isMeta=True),
        prompt("This session is being continued", isCompactSummary=True),
        line("system", content="Conversation compacted", subtype="compact_boundary"),
    ]
    events, reading = read(write(tmp_path / "a.jsonl", *lines))
    assert {event.kind for event in events} == {EventKind.SYSTEM}
    assert reading.about.goal == ""


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b'{"type":"user"}',
        b'{"type":["user"]}',
        b'{"type":"unheard-of","uuid":"u"}',
        b"[1]",
        b"\xff\xfe{}",
        b'{"type":"assistant","message":{"content":[{"type":"hologram"}]}}',
        b'{"type":"user","message":{"content":17}}',
        b'{"type":"user","message":{"content":[{"type":"\\ud800"}]}}',
        b'{"type":"user","message":{"content":' + b"[" * 3000 + b"]" * 3000 + b"}}",
    ],
)
def test_what_is_not_understood_is_kept(tmp_path: Path, raw: bytes) -> None:
    """A line or a block that nothing understood is in the record as it was, and counted."""
    events, _ = read(write(tmp_path / "a.jsonl", prompt("Fix it"), raw))
    assert [event.kind for event in events] == [EventKind.PROMPT, EventKind.RAW]
    assert _gathered(events).counts[EventKind.RAW] == 1


def test_half_right_lines_are_read_as_far_as_they_are_right(tmp_path: Path) -> None:
    """A field of the wrong type, bad UTF-8 and half of a surrogate pair cost only themselves."""
    lines = [
        prompt("one", cwd=17, uuid=["x"], isSidechain="no"),
        b'{"type":"user","message":{"content":"tw\xff"}}',
        b'{"type":"user","message":{"content":"three \\ud800"}}',
        b'{"type":"assistant","message":{"content":"four","usage":{"input_tokens":"many","output_tokens":3}}}',
    ]
    events, _ = read(write(tmp_path / "a.jsonl", *lines))
    assert [event.text for event in events if event.text] == ["one", "tw\ufffd", "three \ufffd", "four"]


def test_a_file_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    """Its name does not matter; other JSON lines are not taken for it."""
    known = [
        prompt("Fix it"),
        {"type": "summary", "summary": "Fixes", "leafUuid": "x"},
        {"type": "mode", "sessionId": "x"},
    ]
    assert all(ClaudeCode().recognises(json.dumps(one).encode()) for one in known)
    others: list[Any] = [
        {"type": "thread.started"},
        {"type": "session.start", "data": {}},
        [1],
        {"type": "user", "id": 1},
    ]
    assert not any(ClaudeCode().recognises(json.dumps(one).encode()) for one in others)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["user", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nothing_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Lines with anything in any place, cut anywhere, give events and no error."""
    valid = [said(call("c1", command="ls")), result("c1", "a"), prompt("x"), line("progress", data={"message": {}})]
    chosen = data.draw(st.sampled_from(valid))
    mutated = json.dumps(_mutated(chosen, data)).encode()
    mutated = mutated[: data.draw(st.integers(0, len(mutated)))] if data.draw(st.booleans()) else mutated
    path = write(tmp_path_factory.mktemp("fuzz") / "a.jsonl", mutated, data.draw(st.binary(max_size=50)))
    for event in read(path)[0]:
        assert isinstance(event, Event)
    list(ClaudeCode().sessions(path))
    ClaudeCode().recognises(path.read_bytes())


def _mutated(value: Any, data: st.DataObject) -> Any:
    if data.draw(st.integers(0, 9)) == 0:
        return data.draw(values)
    if isinstance(value, dict):
        return {key: _mutated(item, data) for key, item in value.items()}
    if isinstance(value, list):
        return [_mutated(item, data) for item in value]
    return value


def _gathered(events: list[Event]) -> Gathering:
    gathering = Gathering()
    gathering.add(events)
    return gathering


@pytest.mark.parametrize("path", real_sessions("claude_code"), ids=lambda path: path.stem)
def test_real_sessions_are_counted_right(path: Path) -> None:
    """Calls, failed results and tokens are those that a plain count over the lines gives, and no line is lost."""
    calls, failed, tokens, unread = _plainly_counted(path)
    events, _ = read(path)
    assert {event.call_id for event in events if event.kind is EventKind.TOOL_CALL} == calls
    assert {event.call_id for event in events if event.kind is EventKind.TOOL_RESULT and event.is_error} == failed
    used = sum((Counter(_tokens(event)) for event in events if event.kind is EventKind.USAGE), Counter())
    assert used == tokens
    assert sum(event.kind is EventKind.RAW for event in events) == unread


def _tokens(event: Event) -> dict[str, int]:
    return {name: event.data[name] for name in ("input", "output", "cache_read", "cache_write")}


def _plainly_counted(path: Path) -> tuple[set[str], set[str], Counter[str], int]:
    calls, failed, unread = set(), set(), 0
    messages: dict[str, dict[str, int]] = {}
    for raw in path.read_text().splitlines():
        try:
            told = json.loads(raw)
        except ValueError:
            unread += 1
            continue
        if told["type"] == "progress" and told["data"]["type"] == "agent_progress":
            told = told["data"]["message"]
        message = told.get("message") or {}
        blocks = message.get("content") if isinstance(message.get("content"), list) else []
        calls |= {block["id"] for block in blocks if block["type"] == "tool_use"}
        failed |= {block["tool_use_id"] for block in blocks if block.get("is_error")}
        if "usage" in message:
            names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            now = [message["usage"].get(name) or 0 for name in names]
            before = messages.get(message["id"], [0, 0, 0, 0])
            messages[message["id"]] = [max(pair) for pair in zip(now, before, strict=True)]
    total = [sum(counts) for counts in zip(*messages.values(), strict=True)] or [0, 0, 0, 0]
    counted = dict(zip(("input", "output", "cache_read", "cache_write"), total, strict=True))
    return calls, failed, Counter({name: number for name, number in counted.items() if number}), unread
