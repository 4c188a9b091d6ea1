"""What a prompt or a profile was, and what it is to be -> the reasons why that is not put into use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from loopwright.guard.redact import Masker
from loopwright.guard.widening import disguised, widening

SHORTEST = 200
LEAST, MOST = 0.5, 2.0
"""By how much the size may change at once."""
_LONGEST = 100_000
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]{1,60}\}\}")
_LESS = {"tools": ("restricted", "all"), "review": ("separate", "self", "none")}
"""Parameters whose values, from left to right, let an agent do more with fewer eyes on it; the last is the default."""


def prompt_faults(before: str, after: str, masker: Masker, *, first: bool = False) -> list[str]:
    """Say why a prompt is not put into use in the place of another; nothing where it may be.

    `first`: it is a team's own in the place of what ships; their sizes have nothing to do with each other.
    """
    return [
        *_size("" if first else before, after),
        *_placeholders(before, after),
        *_hidden(after),
        *_disguised(after),
        *_secrets(after, masker),
        *_widened(before, after),
    ]


def entry_faults(before: str, after: str, masker: Masker) -> list[str]:
    """Say why a library entry is not put into use in the place of another, whose text may be empty."""
    seen = (*_hidden(after), *_disguised(after), *_secrets(after, masker), *_widened(before, after))
    return [*_placeholders("", after, told=True), *seen]


def profile_faults(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say why a profile is not put into use in the place of another."""
    return [
        f"`{name}` goes from `{was}` to `{becomes}`: that widens what it may do by itself"
        for name, values in _LESS.items()
        for was, becomes in [(before.get(name) or values[-1], after.get(name) or values[-1])]
        if {was, becomes} <= set(values) and values.index(becomes) > values.index(was)
    ]


def _size(before: str, after: str) -> Iterator[str]:
    length = len(after.strip())
    if length < SHORTEST:
        yield f"it has {length} characters: at least {SHORTEST} are needed"
    if length > _LONGEST:
        yield f"it has {length} characters: at most {_LONGEST} are possible"
    known = len(before.strip())
    if known and not LEAST <= length / known <= MOST:
        yield f"its size goes from {known} to {length} characters: half to twice as many are possible at once"


def _placeholders(before: str, after: str, *, told: bool = False) -> Iterator[str]:
    """Look at what is to be filled; in what is `told` in the place of one, there is nothing to fill."""
    had, has = set(_PLACEHOLDER.findall(before)), set(_PLACEHOLDER.findall(after))
    for name in sorted(had - has):
        yield f"the placeholder `{name}` is gone"
    for name in sorted(has - had) if before or told else ():
        yield f"the placeholder `{name}` is new, and nothing would be put there"


def _hidden(after: str) -> Iterator[str]:
    hidden = {character for character in after if unicodedata.category(character) in ("Cf", "Co", "Cn", "Cs")}
    controls = {character for character in after if unicodedata.category(character) == "Cc"} - set("\n\t")
    if hidden or controls:
        named = ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden | controls)[:5])
        yield f"it holds characters that nobody sees: {named}"


def _secrets(after: str, masker: Masker) -> Iterator[str]:
    counts: dict[str, int] = {}
    masker.text(after, counts)
    if counts:
        yield f"it holds what looks like a secret: {', '.join(sorted(counts))}"


def _disguised(after: str) -> Iterator[str]:
    if disguised(after):
        yield "it holds letters that only look like Latin ones"


def _widened(before: str, after: str) -> Iterator[str]:
    for sentence in widening(before, after):
        yield f"it widens what the agent may do: “{sentence[:160]}”"
