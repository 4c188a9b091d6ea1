"""What a judge gets to see of a session."""

from __future__ import annotations

from loopwright.measure.digest import LONGEST, Digest
from loopwright.records.event import Event, EventKind


def test_what_is_told_has_its_number() -> None:
    """Prompts, words, errors and what a human did are told in order, each with its event's number."""
    events = [
        Event(EventKind.PROMPT, "Fix the login", seq=1),
        Event(EventKind.TOOL_RESULT, "ok", tool="Bash", seq=2),
        Event(
            EventKind.TOOL_RESULT, "no such file", tool="Bash", command="cat x", is_error=True, fingerprint="f", seq=3
        ),
        Event(
            EventKind.TOOL_RESULT, "no such file", tool="Bash", command="cat y", is_error=True, fingerprint="f", seq=4
        ),
        Event(EventKind.REJECTION, "no", seq=5),
        Event(EventKind.MESSAGE, "I am done.", seq=6),
    ]
    digest = Digest().add(events)
    assert [text for _, text in digest.lines()] == [
        "[1] prompt: Fix the login",
        "[3] tool_result error: Bash cat x: no such file",
        "[5] rejection: no",
        "[6] message: I am done.",
    ]
    assert "tool_result Bash 3" in digest.counts()


def test_it_does_not_grow_with_the_session() -> None:
    """However long a session and its words are, the digest stays within bounds, with its first and last words."""
    digest = Digest()
    for part in range(20):
        first = part * 1000 + 1
        digest.add(Event(EventKind.PROMPT, "word " * 5000, seq=seq) for seq in range(first, first + 500))
        digest.add(
            Event(EventKind.TOOL_RESULT, f"{seq}" * 500, is_error=True, seq=seq)
            for seq in range(first + 500, first + 1000)
        )
    lines = digest.lines()
    assert sum(len(text) for _, text in lines) + len(digest.counts()) < LONGEST
    assert lines[0][0] == 1 and lines[-1][0] == 20_000
