"""A command that runs the same tests several times, and what it printed -> whether they came out both ways."""

from __future__ import annotations

from loopwright.text.commands import ECHOES, Part, parts_of
from loopwright.text.excerpt import plain
from loopwright.text.test_outcome import is_test, outcome_of

_LOOPS = frozenset({"for", "while", "until", "repeat"})
_MOST_LINES = 400


def is_mixed(command: str, output: str) -> bool:
    """Say whether one of the rounds passed and another failed."""
    if not repeats(command):
        return False
    found = {outcome_of(command, line).state for line in plain(output).splitlines()[-_MOST_LINES:] if line.strip()}
    return found >= {"passed", "failed"}


def repeats(command: str) -> bool:
    """Say whether a command has a loop around tests that are the same in each round."""
    parts = parts_of(command)
    loops = [part for part in parts if part.program in _LOOPS]
    if not loops or not any(map(is_test, (*parts, *(Part(part.words[1:]) for part in loops)))):
        return False
    names = [part.words[1] for part in loops if part.program == "for" and len(part.words) > 1]
    used = [word for part in parts if part.program not in ECHOES for word in part.words]
    return not any(f"${name}" in word or f"${{{name}}}" in word for name in names for word in used)
