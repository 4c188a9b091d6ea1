"""The result of a tool call -> whether it failed, and with what error, written so that like errors are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loopwright.records.event import Event
from loopwright.text.commands import is_looking
from loopwright.text.excerpt import ends, plain
from loopwright.text.fingerprint import normalise
from loopwright.text.test_outcome import UNKNOWN, Outcome, outcome_of
from loopwright.text.touching import is_edit

_HEAD, _TAIL = 2_000, 6_000
_MOST_LINES, _LONGEST_LINE = 12, 200
_TELLING = re.compile(
    r"error|fail|fatal|cannot|can't|could not|couldn't|not found|no such|denied|undefined|unexpected|invalid|exception"
    r"|panic|refused|unable|must |missing|timed out|unknown|expected|✖|✗|not (?:a|exist|recognized|permitted|allowed)",
    re.IGNORECASE,
)
_EXIT = re.compile(r"^\s*(?:Error: )?Exit code -?\d+\s*$")
_NOT_TRIED = (
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "[Request interrupted",
    "want to proceed with",
)
"""Another call failed, or somebody stepped in: this one was not even begun."""
_QUOTING = r"(?:(?<=[`'\"“:(>\n])|(?<=: ))"
"""What stands before a text that is repeated."""
_MOST_TEXTS, _DEEPEST = 50, 4
_OUTPUT = "\nOutput:\n"
"""Codex writes a few lines about the process before what it printed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong."""

    error: str
    """The line that says it, normalised."""
    errors: frozenset[str]
    """All such lines."""
    outcome: Outcome = UNKNOWN
    """What tests or a build came to."""

    def is_like(self, other: Failure, *, edited: bool) -> bool:
        """Say whether it is the same failure again; after an edit, all that is told has to be the same."""
        ours, theirs = self.outcome, other.outcome
        if ours.state == "failed" and theirs.state == "failed":
            counts = ours.failed is not None and theirs.failed is not None
            names = bool(ours.failed_names and theirs.failed_names)
            if (counts and ours.failed != theirs.failed) or (names and ours.failed_names != theirs.failed_names):
                return False
            if edited and None not in (ours.passed, theirs.passed) and ours.passed != theirs.passed:
                return False
            if not edited and (counts or names):
                return True
        return self.errors == other.errors if edited else self.error == other.error


def failure_of(event: Event, call: Event | None = None) -> Failure | None:
    """Read a result; None where it did not fail. A search that found nothing has not failed."""
    outcome = outcome_of(event.command, event.text)
    if not event.is_error and not event.exit_code and outcome.state != "failed":
        return None
    if any(words in event.text[:200] for words in _NOT_TRIED):
        return None
    if call and is_edit(call) and outcome.state != "failed":
        return _failed_edit(event, call)
    lines = _telling(event.text)
    if not lines and event.command and event.exit_code in (None, 1) and is_looking(event.command):
        return None
    error = lines[-1] if lines else normalise(printed(event.text)[-_LONGEST_LINE:]) or f"exit code {event.exit_code}"
    return Failure(error, frozenset(lines), outcome)


def _failed_edit(event: Event, call: Event) -> Failure:
    """Read what an edit says first: what follows repeats the text that was guessed, another one each time."""
    text = printed(event.text)
    for given in _texts(call.data.get("input")):
        if given.strip() and given in text:
            text = re.sub(_QUOTING + re.escape(given), "…", text, count=1)
    text = text[:_HEAD]
    lines = _telling(text) or [normalise(text[:_LONGEST_LINE])]
    return Failure(lines[0], frozenset(lines[:1]))


def _texts(given: object, depth: int = 0) -> list[str]:
    """Give the texts that a call was given, the longest first: one may be a part of another."""
    if isinstance(given, str):
        return [given]
    within = given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()
    found = [text for one in within for text in _texts(one, depth + 1)] if depth < _DEEPEST else []
    return sorted(found, key=len, reverse=True)[:_MOST_TEXTS]


def printed(text: str) -> str:
    """Give what a command printed, without what Codex writes about its process: that is another time each time."""
    begins = text.find(_OUTPUT, 0, 400)
    return text[begins + len(_OUTPUT) :] if begins >= 0 else text


def _telling(text: str) -> list[str]:
    """Give the last lines that tell of an error, normalised; the same line once."""
    found: dict[str, None] = {}
    for line in reversed(plain(ends(printed(text), _HEAD, _TAIL)).splitlines()):
        if line.strip() and not _EXIT.match(line) and _TELLING.search(line[:_LONGEST_LINE]):
            found.setdefault(normalise(line[:_LONGEST_LINE]))
            if len(found) >= _MOST_LINES:
                break
    return list(reversed(found))
