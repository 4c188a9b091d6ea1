"""Updates of the Agent Client Protocol become events: over the recordings of four agents, and over odd ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.acp_lines import AcpLines, model, usage_of

GOLDEN = Path(__file__).parent.parent / "golden" / "acp"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))


def events_of(name: str) -> list[Event]:
    """Read a recording's updates and requests for permission."""
    lines, events = AcpLines(), []
    for text in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines():
        line = json.loads(text)
        if line["k"] == "update":
            found = lines.update(line["d"])
            assert found is not None, line
            events += found
        elif line["k"] == "PERMISSION":
            events += lines.asked(line["d"]["tool"], "")
    return events + lines.end()


def chunk(text: str, message: str = "m", kind: str = "agent_message_chunk") -> dict[str, Any]:
    return {"sessionUpdate": kind, "messageId": message, "content": {"type": "text", "text": text}}


def call(status: str = "", update: str = "tool_call_update", **told: Any) -> dict[str, Any]:
    return {"sessionUpdate": update, "toolCallId": "c", **({"status": status} if status else {}), **told}


@pytest.mark.parametrize("name", NAMES)
def test_every_call_has_one_start_and_one_end(name: str) -> None:
    """Whatever an agent tells in however many updates, each tool call is one event, and so is its result."""
    events = events_of(name)
    calls = [event.call_id for event in events if event.kind is EventKind.TOOL_CALL]
    results = [event.call_id for event in events if event.kind is EventKind.TOOL_RESULT]
    assert sorted(calls) == sorted(results)
    assert len(set(calls)) == len(calls) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_calls_have_their_command_or_path_from_the_start(name: str) -> None:
    """A call is told once its arguments are known: a command for a shell, a path for a file."""
    for event in events_of(name):
        if event.kind is EventKind.TOOL_CALL and event.tool != "NoSuchTool":
            assert bool(event.command) != bool(event.path), event
            assert event.command not in ("bash", "Terminal")


@pytest.mark.parametrize(
    ("name", "code", "failed"),
    [
        ("acp_claude_tools", 3, True),
        ("acp_codex_tools", 3, True),
        ("acp_opencode_oc", 3, True),
        ("acp_gemini_tools", None, False),  # it tells neither output nor exit code
    ],
)
def test_a_command_that_failed(name: str, code: int | None, failed: bool) -> None:
    """Its exit code is found wherever an agent puts it, also where the status says that all is well."""
    results = [event for event in events_of(name) if event.kind is EventKind.TOOL_RESULT]
    found = [event for event in results if event.command == "echo to-stderr >&2; exit 3"]
    assert [(event.exit_code, event.is_error) for event in found] == [(code, failed)]
    assert ("to-stderr" in found[0].text) is failed


@pytest.mark.parametrize("name", NAMES)
def test_words_are_joined(name: str) -> None:
    """A message that came in pieces is one event."""
    messages = [event.text for event in events_of(name) if event.kind is EventKind.MESSAGE]
    assert messages[-1] == "Done: created and edited hello.txt."
    assert all(len(text.split()) > 1 or text == "Creating." for text in messages)


@pytest.mark.parametrize("name", NAMES)
def test_edits_have_their_diff(name: str) -> None:
    """What was changed in a file is kept with its call or its result."""
    diffs = [diff for event in events_of(name) for diff in event.data.get("diffs", [])]
    assert [diff for diff in diffs if "stub" in diff["newText"]]


def test_messages_are_told_apart() -> None:
    """Another message, thoughts or a tool call end the words before; the last message is the agent's last word."""
    lines = AcpLines()
    told = [chunk("Hel"), chunk("lo"), chunk("I think", "t", "agent_thought_chunk"), chunk("Bye", "n"), chunk(" ", "o")]
    events = [event for update in told for event in lines.update(update) or []]
    assert [(event.kind.value, event.text) for event in events] == [
        ("message", "Hello"),
        ("thinking", "I think"),
        ("message", "Bye"),
    ]
    assert lines.end() == []
    assert lines.last_message == "Bye"


def test_a_denial_names_what_was_denied() -> None:
    """A request that was denied gives the call and its denial; the result still comes."""
    lines = AcpLines()
    tool = {"toolCallId": "c", "kind": "edit", "title": "Write x", "locations": [{"path": "/x"}]}
    events = lines.asked(tool, "outside") + (lines.update(call("failed")) or [])
    assert [event.kind.value for event in events] == ["tool_call", "denial", "tool_result"]
    assert [(event.call_id, event.path) for event in events] == [("c", "/x")] * 3
    assert (events[1].text, events[2].is_error) == ("outside", True)
    (denial,) = lines.asked({"kind": "read", "locations": [{"path": "/y"}]}, "outside")
    assert (denial.kind, denial.tool, denial.path, denial.call_id) == (EventKind.DENIAL, "read", "/y", None)


def test_a_call_that_is_never_heard_of_again_is_told_at_the_end() -> None:
    """A call whose arguments never came is not lost."""
    lines = AcpLines()
    assert lines.update(call("pending", "tool_call", kind="other", title="Think", rawInput={})) == []
    (event,) = lines.end()
    assert (event.kind, event.tool, event.data["title"]) == (EventKind.TOOL_CALL, "other", "Think")


def test_a_plan_is_told() -> None:
    """The agent's plan is an event of the system."""
    entries = [{"content": "Look", "status": "completed"}, {"content": "Fix", "status": "pending"}]
    (event,) = AcpLines().update({"sessionUpdate": "plan", "entries": entries}) or []
    assert (event.kind, event.text) == (EventKind.SYSTEM, "completed: Look\npending: Fix")


@pytest.mark.parametrize(
    "update",
    [{}, {"sessionUpdate": "from_the_future"}, {"sessionUpdate": 3}, {"sessionUpdate": "agent_message_chunk"}],
)
def test_what_nobody_knows_is_not_understood(update: dict[str, Any]) -> None:
    """An update that is not of the protocol comes back as not understood."""
    assert AcpLines().update(update) is None


@pytest.mark.parametrize(
    "told",
    [
        {"content": 3, "locations": "x", "rawInput": [], "rawOutput": 3, "_meta": []},
        {"content": [3, {"content": 3}], "locations": [3], "rawInput": "x", "kind": "execute", "title": {}},
        {"kind": "execute", "rawInput": {"command": ["ls", 3]}, "rawOutput": {"exit_code": "x", "metadata": 3}},
    ],
)
def test_no_odd_update_breaks_it(told: dict[str, Any]) -> None:
    """Fields of a wrong type are as if they were not there."""
    lines = AcpLines()
    events = (lines.update(call(update="tool_call", **told)) or []) + (lines.update(call("completed", **told)) or [])
    assert [event.kind.value for event in events] == ["tool_call", "tool_result"]


def test_calls_without_an_end_are_forgotten() -> None:
    """Of very many calls that never end only the newest are held."""
    lines = AcpLines()
    for number in range(1200):
        lines.update({"sessionUpdate": "tool_call", "toolCallId": str(number), "kind": "other"})
    assert len(lines.end()) == 1000


def test_cost_and_tokens() -> None:
    """Tokens are read wherever they stand, and only money that is in dollars."""
    lines = AcpLines()
    for amount in (0.5, 0.25, -1, "x"):
        lines.update({"sessionUpdate": "usage_update", "cost": {"amount": amount, "currency": "USD"}})
    lines.update({"sessionUpdate": "usage_update", "cost": {"amount": 9, "currency": "EUR"}})
    assert lines.cost_usd == 0.5
    assert usage_of(
        {"usage": {"inputTokens": 1, "outputTokens": 2, "cachedReadTokens": 3, "cachedWriteTokens": 4}}
    ) == (Usage(1, 2, 3, 4))
    thinking = {"inputTokens": 63, "outputTokens": 18, "thoughtTokens": 5, "cachedReadTokens": 40}
    assert usage_of({"usage": {**thinking, "totalTokens": 126}}) == Usage(63, 23, 40)
    assert usage_of({"usage": {**thinking, "totalTokens": 121}}) == Usage(63, 18, 40)
    assert usage_of({"_meta": {"quota": {"token_count": {"input_tokens": 5}}}}) == Usage(5)
    assert usage_of({"usage": {"inputTokens": -1, "outputTokens": "x"}}) == Usage()


def test_the_model() -> None:
    """The model is a session's option, or the one that has answered."""
    assert model({"configOptions": [{"id": "a"}, {"id": "m", "category": "model", "currentValue": "big"}]}) == "big"
    assert model({"models": {"currentModelId": "old"}}) == "old"
    assert model({"_meta": {"quota": {"model_usage": [{"model": "flash"}]}}}) == "flash"
    assert model({"configOptions": 3}) == ""
