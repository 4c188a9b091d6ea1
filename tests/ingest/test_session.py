"""A session is written in parts that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.guard.redact import Masker
from loopwright.ingest.masking import Masking
from loopwright.ingest.ports import About
from loopwright.ingest.session import BATCH, Name, Observing
from loopwright.records.event import Event, EventKind


class Told:
    """A session that is at hand (a ports.Reading)."""

    def __init__(self, *events: Event) -> None:
        self.about, self._events = About(), events

    def events(self) -> Iterator[Event]:
        yield from self._events


def parts_of(*events: Event) -> list[tuple[int, int]]:
    """Give the first number of each part and how many events it has."""
    observing = Observing(Name("f", "s", "", "r"), Told(*events), Masking(Masker({})))
    return [(part.first, len(part.events)) for part in observing.parts()]


def test_many_small_events_are_put_together() -> None:
    """So many at a time, and the rest."""
    assert parts_of(*[Event(EventKind.MESSAGE, "a")] * (BATCH + 1)) == [(1, BATCH), (BATCH + 1, 1)]


def test_few_large_events_are_a_part_of_their_own() -> None:
    """Large in their text, or anywhere in their data."""
    large = {"input": {"edits": [{"text": "a b " * 5000} for _ in range(150)]}}
    said, done = Event(EventKind.MESSAGE, "a b " * 600_000), Event(EventKind.TOOL_CALL, data=large)
    assert parts_of(*[said] * 5) == [(1, 2), (3, 2), (5, 1)]
    assert parts_of(*[done] * 5) == [(1, 2), (3, 2), (5, 1)]


def test_no_name_of_a_session_is_a_secret() -> None:
    """Its id, agent, version, model and the ids of its first messages are masked, by themselves and in what is made."""
    key = "ghp_" + "Zq7Xw9Kd3Lm5Np2Rt8Vy4Bc6Hj1Fg0SaUeTi"
    told = Told(Event(EventKind.MESSAGE, "a"))
    told.about = About(
        agent=key, agent_version=key, model=key, task_type=key, prompt_version=key, heads=[key], goal=key, branch=key
    )
    (part,) = Observing(Name("f", key, "", "r"), told, Masking(Masker({}))).parts()
    assert key not in str(part)
    assert part.session.session_id == part.heads[0] == Masker({}).identity(key)
