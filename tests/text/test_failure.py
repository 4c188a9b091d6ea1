"""Results that failed, and when two failures are the same."""

from __future__ import annotations

from typing import Any

from loopwright.records.event import Event, EventKind
from loopwright.text.failure import Failure, failure_of


def result(text: str, **told: Any) -> Event:
    return Event(EventKind.TOOL_RESULT, text, **({"tool": "Bash", "command": "make", "is_error": True} | told))


def failed(text: str, **told: Any) -> Failure:
    found = failure_of(result(text, **told))
    assert found is not None
    return found


def test_the_line_that_tells() -> None:
    """The error is the last line that tells of one, without paths and numbers."""
    text = "Exit code 2\nbuilding\n/repo/a.c:3:4: error: x undeclared\nsee the log"
    assert failed(text).error == "<path>:#:#: error: x undeclared"
    assert failed("Chunk ID: ab12cd\nOutput:\nboom", exit_code=1).error == "boom"
    assert failed("", exit_code=3).error == "exit code 3"


def test_what_did_not_fail() -> None:
    """A success, a search that found nothing, and what was called off are no failures."""
    assert failure_of(result("fine", is_error=False, exit_code=0)) is None
    assert failure_of(result("", command="rg needle src", exit_code=1)) is None
    assert failure_of(result("<tool_use_error>Sibling tool call errored</tool_use_error>")) is None


def test_words_tell_more_than_exit_codes() -> None:
    """What a pipe has hidden is read from the output."""
    assert failure_of(result("1 failed, 2 passed in 0.1s", command="pytest | tail", is_error=False, exit_code=0))


def test_alike() -> None:
    """Without an edit the line counts; after one, all that is told."""
    one, other = failed("warning: x\nerror: y"), failed("error: z\nerror: y")
    assert one.is_like(other, edited=False)
    assert not one.is_like(other, edited=True)
    few, many = (failed(f"{count} failed, 2 passed in 0.1s", command="pytest") for count in (1, 3))
    assert not few.is_like(many, edited=False)
    assert few.is_like(few, edited=True)


def test_an_edit() -> None:
    """Of an edit, what it says first counts, without the text that was guessed."""
    found = []
    for guess in ("x", "error: </b>\ncannot"):
        call = Event(EventKind.TOOL_CALL, tool="Edit", data={"input": {"edits": [{"old_string": guess}], "n": 1}})
        told = result(f"not found: {guess}\nString: {guess}", tool="Edit", command=None)
        found.append(failure_of(told, call))
    assert found == [Failure("not found: …", frozenset({"not found: …"}))] * 2
