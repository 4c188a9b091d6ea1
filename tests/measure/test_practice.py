"""How an agent went about a session."""

from __future__ import annotations

from loopwright.ingest.masking import bare
from loopwright.measure.practice import Practising
from loopwright.records.event import EventKind
from loopwright.records.practice import Practice, Recovery
from measure.stretches import Stretch


def practice(stretch: Stretch) -> Practice:
    practising = Practising("run")
    practising.see(stretch.events)
    return practising.practice()


def test_what_was_done_before_the_next_go() -> None:
    """Each thing that was done between a failure and the next go at it counts, with whether that passed."""
    stretch = Stretch().ran("cd app && pytest -q", "1 failed", exit_code=1)
    stretch.read("a.py").edit("a.py").ran("git diff", "…")
    stretch.ran("pytest -q 2>&1 | tail -5", "1 failed", exit_code=1).ran("pytest -q", "1 passed")
    assert practice(stretch).recoveries == [
        Recovery("edit", "", 1, 0),
        Recovery("reading", "", 1, 0),
        Recovery("retry", "", 1, 1),
    ]


def test_searches_have_a_topic() -> None:
    """A search is known by its words or its host, a diagnostic by its program."""
    stretch = Stretch().ran("npm test", "boom", exit_code=1)
    stretch.call("WebSearch", query="Vitest  mock hoisting").result("…")
    stretch.call("WebFetch", url="https://vitest.dev/api/?x=1").result("…")
    stretch.ran("npx tsc --noEmit", "ok").ran("npm test", "ok")
    assert practice(stretch).recoveries == [
        Recovery("diagnostic", "tsc", 1, 1),
        Recovery("search", "vitest mock hoisting", 1, 1),
        Recovery("search", "vitest.dev", 1, 1),
    ]


def test_verdicts_are_goes_too() -> None:
    """In a run of ours, a criterion that failed and then holds is a recovery by what was done between."""
    stretch = Stretch()
    for failing in (True, False):
        stretch.add(EventKind.VERDICT, "test", is_error=failing, data={"criterion_hash": "h"})
        stretch.edit("a.py")
    assert practice(stretch).recoveries == [Recovery("edit", "", 1, 1)]


def test_like_errors_are_one() -> None:
    """Errors that differ in paths and numbers alone are one, with how often it came and what the first said."""
    stretch = Stretch().ran("a", "no such file: /x/1.py", exit_code=1).ran("b", "no such file: /y/2.py", exit_code=1)
    found = practice(stretch)
    assert [(error.count, error.message) for error in found.errors] == [(2, "no such file: /x/1.py")]
    assert (found.edits, found.reads_before_edit) == (0, 0)


def test_without_content() -> None:
    """Where no content is kept, there is no error to tell, and no go is known to be the next one at the same."""
    stretch = Stretch().ran("make a", "error: x", exit_code=1).ran("make b", "ok")
    stretch.events = [bare(event) for event in stretch.events]
    assert practice(stretch).errors == []
    assert practice(stretch).recoveries == []
