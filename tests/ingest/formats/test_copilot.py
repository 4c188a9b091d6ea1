"""Copilot CLI's sessions become events: each call and each token once, and nothing makes the reader fail."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.codex import of_kind, tokens
from ingest.copilot import SESSION, answer, begun, done, line, request, shutdown, start, write
from ingest.mutating import MANY, mutated_file
from ingest.transcripts import real_sessions
from loopwright.ingest.formats.copilot import Copilot
from loopwright.ingest.ports import Reading
from loopwright.records.event import Event, EventKind

GOLDEN = Path(__file__).parents[2] / "golden" / "copilot"
WHOLE = [
    *(start(), line("user.message", content="Fix it"), answer("I look.", request("c1", command="ls"), output=7)),
    *(begun("c1", command="ls"), done("c1", "a.py"), shutdown(100, 10, 40)),
]
OLD = {
    "sessionId": SESSION,
    "startTime": "2025-10-08T21:10:16.398Z",
    "chatMessages": [{"role": "user", "content": "Hi"}],
}


def read(*paths: Path) -> tuple[list[Event], Reading]:
    reading = Copilot().read(SESSION, paths)
    return list(reading.events()), reading


def test_its_places_are_known(tmp_path: Path) -> None:
    """Sessions are below its home, which can be named."""
    names = ("session-state", "history-session-state")
    assert Copilot().places(tmp_path, {}) == [tmp_path / ".copilot" / name for name in names]
    assert Copilot().places(tmp_path, {"COPILOT_HOME": "/c"})[0] == Path("/c/session-state")


def test_what_the_real_copilot_wrote_is_read() -> None:
    """Calls and results, a subagent's as well, and all tokens that the model's server gave, over two processes."""
    events, reading = read(GOLDEN / "main.jsonl")
    results = {event.call_id: event for event in of_kind(events, EventKind.TOOL_RESULT)}
    calls = of_kind(events, EventKind.TOOL_CALL)
    assert [(event.command or event.path or event.tool, event.parent_call_id) for event in calls] == [
        ("cat answer; exit 3", None),
        ("/home/me/work/answer", None),
        ("/home/me/work/nothing", None),
        ("task", None),
        ("echo sub", "call_3_0"),
    ]
    assert [results[event.call_id].is_error for event in calls] == [True, False, True, False, False]
    assert results["call_1_2"].exit_code == 3
    assert tokens(events) == [896, 168, 364]
    assert [event.text for event in of_kind(events, EventKind.PROMPT)] == ["Make it 42.", "Is it?"]
    assert not of_kind(events, EventKind.RAW)
    assert (reading.about.agent_version, reading.about.model) == ("1.0.102", "gpt-5.5")


def test_a_real_denial_is_seen_once() -> None:
    """Nobody was there to ask: that is a rule's no, and the result is an error."""
    events, _ = read(GOLDEN / "denied.jsonl")
    (no,) = of_kind(events, EventKind.DENIAL)
    assert (no.command, no.call_id) == ("touch x", "call_1_0")
    assert tokens(events) == [221, 43, 89]
    assert not of_kind(events, EventKind.REJECTION)
    assert not of_kind(events, EventKind.RAW)


def test_a_session_is_read(tmp_path: Path) -> None:
    """What a session of our own making has is there, once, also where its file is there twice."""
    one, two = (write(tmp_path / name / "events.jsonl", *WHOLE) for name in "ab")
    for paths in ([one], [one, two]):
        events, reading = read(*paths)
        assert Counter(event.kind.value for event in events) == {
            "prompt": 1,
            "message": 1,
            "tool_call": 1,
            "tool_result": 1,
            "usage": 1,
        }
        assert tokens(events) == [60, 10, 40]
        assert reading.about.goal == "Fix it"


def test_a_session_has_its_name_from_its_lines(tmp_path: Path) -> None:
    """Without a line that says so, its folder's name counts, or the file's where it has no folder of its own."""
    cases = [("x/events.jsonl", WHOLE, SESSION), ("x/events.jsonl", WHOLE[1:], "x"), ("y.jsonl", WHOLE[1:], "y")]
    for name, lines, expected in cases:
        assert list(Copilot().sessions(write(tmp_path / name, *lines))) == [expected]


def test_a_file_is_known_by_what_is_in_it() -> None:
    """Its name does not matter; other JSON is not taken for it."""
    assert all(Copilot().recognises(json.dumps(one).encode()) for one in [*WHOLE, OLD])
    assert Copilot().recognises(json.dumps(OLD, indent=2).encode())
    others: list[Any] = [
        *({"type": "session_meta", "payload": {}}, {"type": "user", "message": {}, "sessionId": "x"}, [1], {"id": 1}),
        *({"type": "session.start", "data": 7, "parentId": None}, {"sessionId": "x", "requests": []}),
    ]
    assert not any(Copilot().recognises(json.dumps(one).encode()) for one in others)


def test_the_first_sessions_were_one_document(tmp_path: Path) -> None:
    """What the first versions wrote is read as well."""
    path = tmp_path / f"session_{SESSION}.json"
    path.write_text(json.dumps(OLD, indent=2))
    assert list(Copilot().sessions(path)) == [SESSION]
    assert [event.kind for event in read(path)[0]] == [EventKind.PROMPT]


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """Lines that are cut, of unknown kinds or no JSON at all are in the record as they were."""
    wrong = [b"{", b"[1]", b"\xff\xfe{}", b'{"type":"hologram.shown","data":{}}', b'"x"']
    events, _ = read(write(tmp_path / "a.jsonl", start(), *wrong))
    assert [event.kind for event in events] == [EventKind.RAW] * 5


KINDS = [
    *(
        *WHOLE,
        OLD,
        {**OLD, "timeline": [{"type": "tool_call_completed", "callId": "x", "result": {"type": "failure"}}]},
    ),
    *(line("subagent.started", "agent", toolCallId="c1", agentName="x"), answer("x", agent="agent")),
    line("permission.requested", requestId="r", permissionRequest={"toolCallId": "c1"}),
    line("permission.completed", requestId="r", result={"kind": "denied-by-rules"}),
    *(line("abort", reason="x"), line("session.error", message="x"), line("assistant.reasoning", content="x")),
    done("c1", success=False, error={"message": "no", "code": "rejected"}, shellExecution={"exitCode": 1}),
]


@settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nothing_makes_it_fail(tmp_path: Path, data: st.DataObject) -> None:
    """Lines with anything in any place, cut anywhere, give events and no error."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(mutated_file(KINDS, data))
    assert all(isinstance(event, Event) for event in read(path)[0])
    assert len(list(Copilot().sessions(path))) == 1
    Copilot().recognises(path.read_bytes())


@pytest.mark.parametrize("path", real_sessions("copilot"), ids=lambda path: path.stem)
def test_real_sessions_are_counted_right(path: Path) -> None:
    """Prompts, calls, failures and tokens are those of a plain count, and no line is lost."""
    lines = [json.loads(one) for one in path.read_text().splitlines()]
    kinds = Counter(one["type"] for one in lines)
    events, _ = read(path)
    assert len(of_kind(events, EventKind.PROMPT)) == kinds["user.message"]
    assert len(of_kind(events, EventKind.TOOL_CALL)) == kinds["tool.execution_start"]
    assert sum(event.is_error for event in events) == sum(one["data"].get("success") is False for one in lines)
    ends = [one["data"]["modelMetrics"] for one in lines if one["type"] == "session.shutdown"]
    usages = [metric["usage"] for metric in ends[-1].values()]
    assert tokens(events)[1] == sum(usage["outputTokens"] for usage in usages)
    assert sum(tokens(events)[::2]) == sum(usage["inputTokens"] for usage in usages)
    assert not of_kind(events, EventKind.RAW)
