"""What a session comes to is counted while its events go by."""

from __future__ import annotations

from loopwright.ingest.gathering import Gathering
from loopwright.ingest.spending import used
from loopwright.records.event import Event, EventKind


def gathered(*events: Event) -> Gathering:
    gathering = Gathering()
    gathering.add(events)
    return gathering


def at(time: str) -> Event:
    return Event(EventKind.MESSAGE, "x", at=f"2026-11-16T{time}.000Z")


def test_a_pause_is_not_work() -> None:
    """The session takes as long as the clock says; somebody was active for five minutes of a pause at the most."""
    told = gathered(at("10:00:00"), at("10:00:30"), at("12:00:30"), at("12:00:00"), at("12:01:00"))
    assert (told.duration_s, told.active_s) == (7260.0, 30 + 300 + 30)
    assert (told.started_at, told.ended_at) == ("2026-11-16T10:00:00.000Z", "2026-11-16T12:01:00.000Z")


def test_a_session_without_times_has_no_length() -> None:
    """Nor has one whose times are none."""
    assert gathered(Event(EventKind.PROMPT)).duration_s == 0
    assert gathered(Event(EventKind.PROMPT, at="soon"), Event(EventKind.PROMPT, at="later")).duration_s == 0


def test_tokens_are_summed_by_day_and_model_and_priced() -> None:
    """A model that nobody knows has no price, and is still counted."""
    events = [
        used("claude-sonnet-4-5", (1000, 100, 0, 0), "2026-11-16T23:59:59.000Z"),
        used("claude-sonnet-4-5", (1000, 100, 0, 0), "2026-11-17T00:00:01.000Z"),
        used("claude-sonnet-4-5", (1000, 100, 0, 0), "2026-11-17T00:00:02.000Z"),
        used("my-own-model", (5, 5, 0, 0), ""),
    ]
    unknown, first, second = gathered(*events).usage()
    assert (unknown.day, unknown.model, unknown.tokens.input, unknown.cost_usd) == ("", "my-own-model", 5, None)
    assert (first.day, first.tokens.input, second.day, second.tokens.input) == ("2026-11-16", 1000, "2026-11-17", 2000)
    assert first.cost_usd and second.cost_usd == 2 * first.cost_usd


def test_files_that_are_read_again_and_again_are_named() -> None:
    """Three times is again and again; an edit is no read."""
    reads = [Event(EventKind.TOOL_CALL, tool="Read", path="/a")] * 4 + [
        Event(EventKind.TOOL_CALL, tool="Edit", path="/b")
    ] * 4
    reads += [Event(EventKind.TOOL_CALL, tool="read_file", path="/c")] * 2
    assert gathered(*reads).reread() == {"/a": 4}
