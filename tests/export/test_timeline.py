"""The picture of a run has a mark for what happened, and stays small."""

from __future__ import annotations

import dataclasses
import re

from loopwright.export.timeline import drawn
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp

from .samples import STARTED, called, event, numbered, observed, returned


def test_each_kind_of_doing_has_its_row() -> None:
    """People, words, reads, edits, commands and errors are drawn apart, and each mark leads to its event."""
    picture = drawn(observed().events)
    assert re.findall(r'<g class="row-([a-z-]+)">', picture) == [
        *("people", "words", "reads", "edits", "commands", "other-tools", "errors"),
    ]
    assert 'href="#e1"' in picture


def test_a_call_is_as_long_as_it_took() -> None:
    """A call's mark ends where its result came."""
    events = [called("Bash", "a", command="make"), returned("Bash", "a", duration_s=50.0), event(EventKind.NOTE)]
    picture = drawn(numbered(events, "x", step_s=50.0))
    widths = [float(width) for width in re.findall(r'width="([\d.]+)" height="16"', picture)]
    assert len(widths) == 1 and 440 < widths[0] < 460


def test_a_night_does_not_take_all_the_room() -> None:
    """A long pause is cut short and said."""
    first, second = event(EventKind.PROMPT, "a"), event(EventKind.PROMPT, "b")
    later = dataclasses.replace(second, at=timestamp(STARTED + 36_000), seq=2)
    picture = drawn([dataclasses.replace(first, at=timestamp(STARTED), seq=1), later])
    assert "a pause of 10.0 h" in picture


def test_many_events_are_few_marks() -> None:
    """Marks that would lie on each other are one that says how many more there are."""
    events = numbered([event(EventKind.MESSAGE, "m") for _ in range(20_000)], "x", step_s=0.1)
    picture = drawn(events)
    assert picture.count("<rect") < 2000
    assert "more" in picture


def test_nothing_without_times() -> None:
    """Where no time was told, or all was at once, nothing breaks."""
    assert drawn([]) == ""
    assert drawn([Event(EventKind.NOTE), Event(EventKind.NOTE, at="never")]) == ""
    same = [dataclasses.replace(event(EventKind.PROMPT), at=timestamp(STARTED), seq=seq) for seq in (1, 2)]
    assert drawn(same).count("<rect") == 1
