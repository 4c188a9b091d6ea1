"""Secrets are found wherever they stand in an event, and nothing else is touched."""

from __future__ import annotations

from loopwright.guard.redact import Masker
from loopwright.ingest.masking import Masking, bare
from loopwright.records.event import Event, EventKind

KEY = "sk-ant-api03-" + "Ab1" * 12


def test_only_events_with_a_secret_are_changed() -> None:
    """In the text, the tool, the command, the path or anywhere in the data; each is counted."""
    clean = Event(EventKind.MESSAGE, "sk-ant is how they begin", data={"a": [1, None, {"b": "c"}]})
    holding = [
        Event(EventKind.MESSAGE, f"x {KEY}"),
        Event(EventKind.TOOL_CALL, command=f"echo {KEY}"),
        Event(EventKind.TOOL_CALL, path=f"/{KEY}"),
        Event(EventKind.TOOL_RESULT, tool=KEY),
        Event(EventKind.TOOL_CALL, data={"input": {"deep": [{"er": KEY}]}}),
    ]
    masking = Masking(Masker({}))
    masked = masking.masked([clean, holding[0], clean, *holding[1:]])
    assert masked[0] is clean and masked[2] is clean
    assert KEY not in str(masked)
    assert masking.counts == {"anthropic-key": 5}


def test_a_private_key_over_many_lines_is_masked() -> None:
    """Also where its lines are those of JSON."""
    pem = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQ\n" * 5 + "-----END PRIVATE KEY-----"
    events = [Event(EventKind.TOOL_RESULT, pem), Event(EventKind.TOOL_CALL, data={"input": {"content": pem}})]
    masked = Masking(Masker({})).masked(events)
    assert "MIIEvQ" not in str(masked)


def test_without_content_nothing_that_anybody_said_is_left() -> None:
    """What happened, when, how long it took and how it ended stays."""
    event = Event(
        EventKind.TOOL_RESULT,
        "text",
        tool="Bash",
        call_id="c",
        command="ls",
        exit_code=1,
        path="/a",
        is_error=True,
        fingerprint="f",
        duration_s=1.0,
        data={"input": {"command": "ls"}, "subtype": "x", "output": 3},
        at="now",
    )
    left = bare(event)
    assert (left.text, left.command, left.path, left.data) == ("", "…", None, {"subtype": "x", "output": 3})
    assert (left.tool, left.exit_code, left.is_error, left.duration_s, left.at) == ("Bash", 1, True, 1.0, "now")


def test_without_content_the_structure_is_masked_as_well() -> None:
    """Names of tools and kinds are kept, and a secret may be in their place."""
    events = [Event(EventKind.TOOL_CALL, "text", tool=KEY), Event(EventKind.SYSTEM, data={"subtype": KEY})]
    masked = Masking(Masker({}), content=False).masked(events)
    assert KEY not in str(masked) and masked[0].text == ""


def test_ids_and_models_are_masked_and_stay_joined() -> None:
    """A call and its result have the same id still, two calls have two, and a message counts as itself."""
    first, second = KEY + "a", KEY + "b"
    used = {"message": first, "model": second, "input": 1, "output": 1, "cache_read": 0, "cache_write": 0}
    events = [
        Event(EventKind.TOOL_CALL, call_id=first),
        Event(EventKind.TOOL_RESULT, call_id=first, parent_call_id=second),
        Event(EventKind.TOOL_CALL, call_id=second),
        Event(EventKind.USAGE, data=used),
        Event(EventKind.TOOL_CALL, call_id="toolu_1"),
    ]
    masked = Masking(Masker({})).masked(list(events))
    assert KEY not in str(masked)
    assert masked[0].call_id == masked[1].call_id == masked[3].data["message"]
    assert masked[1].parent_call_id == masked[2].call_id != masked[0].call_id
    assert masked[3].data["model"] == "[masked:anthropic-key]" and masked[3].data["input"] == 1
    assert masked[4] is events[4]
