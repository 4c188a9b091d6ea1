"""What our own exports say of an event."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from loopwright.ingest.restored import duration_of, is_restorable, noted, restored
from loopwright.records.event import EventKind
from strangers import ANY_JSON, FUZZ, mutated

TOLD: dict[str, Any] = {
    "kind": "rejection",
    "tool": "Bash",
    "call_id": "c1",
    "parent_call_id": "c0",
    "command": "rm -r x",
    "path": "/p",
    "exit_code": 1,
    "is_error": True,
    "error_kind": "EXIT_ERROR",
    "duration_s": 2.5,
    "data": '{"subtype": "x"}',
    "at": "2026-01-02T03:04:05.000Z",
}


def test_an_event_is_what_it_was() -> None:
    """Every field comes back; like errors have the same fingerprint here as anywhere."""
    event = restored(TOLD, "no", "", None)
    assert (event.kind, event.text, event.tool, event.call_id) == (EventKind.REJECTION, "no", "Bash", "c1")
    assert (event.parent_call_id, event.command, event.path, event.exit_code) == ("c0", "rm -r x", "/p", 1)
    assert (event.is_error, event.error_kind, event.duration_s) == (True, "EXIT_ERROR", 2.5)
    assert (event.data, event.at) == ({"subtype": "x"}, TOLD["at"])
    assert event.fingerprint == restored({**TOLD, "fingerprint": "forged"}, "no", "", None).fingerprint


def test_what_is_told_elsewhere_is_passed_over() -> None:
    """Calls, results and tokens have places of their own, and another's events are not ours."""
    names = ["loopwright.prompt", "loopwright.tool_call", "loopwright.usage", "prompt", "loopwright.dance"]
    found = noted([(name, {"loopwright.text": "hello", "other": 1}) for name in names])
    assert found == [{"text": "hello", "kind": "prompt"}]
    assert not is_restorable({"kind": "tool_result"}) and not is_restorable({"kind": ["prompt"]})


def test_durations_that_cannot_be() -> None:
    """Only a number of seconds that can have passed is one."""
    assert [duration_of(value) for value in (1, 0.5, -1, 1e30, float("nan"), True, "1")] == [1.0, 0.5, *[None] * 5]


@FUZZ
@given(mutated(TOLD), ANY_JSON)
def test_nothing_makes_it_fail(told: Any, other: Any) -> None:
    """Whatever stands in a field, there is an event or it is passed over."""
    if isinstance(told, dict) and is_restorable(told):
        assert restored(told, "x", "", None).text == "x"
    noted([("loopwright.prompt", {"loopwright.text": other, "loopwright.data": other})])
