"""What a prompt or a profile was, and what it is to be -> the reasons why that is not put into use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from loopwright.guard.redact import Masker

SHORTEST = 200
LEAST, MOST = 0.5, 2.0
"""By how much the size may change at once."""
_LONGEST = 100_000
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]{1,60}\}\}")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_NEGATED = re.compile(r"\b(?:not|never|no|nor|nobody|without|don't|doesn't|can't|cannot|mustn't|avoid|instead of)\b")
_DEFY = "ignore|disregard|override|overrule|forget|bypass|circumvent|get around"
_RULES = "rules?|instructions?|criteria|criterion|guardrails?|policy|policies|limits?|budget|above|previous|earlier"
_WEAKEN = "edit|change|modify|weaken|skip|disable|delete|remove|rewrite|relax|mock|patch|comment out"
_JUDGES = "tests?|checks?|criteria|criterion|assertions?|hooks?|guardrails?|sandbox|permissions?|rubrics?|ci|graders?"
_LICENCE = "you (?:may|can|are (?:free|allowed|permitted))|feel free|permission to|allowed to"
_FREEDOM = "any|all|every|network|internet|install|root|push|credentials?|secrets?|keys?|outside|everything"
_SECRETS = r"credentials?|secrets?|passwords?|tokens|api keys?|environment variables?|\.env"
_WIDER = (
    r"--dangerous\S*|--yolo\b|--no-verify\b|--allow-?all\S*|bypass_?permissions|danger-full-access|\bsudo\b|chmod 777",
    r"\b(?:sandbox|approvals?|permissions?)\b\W{0,4}(?:=|:|is|to|mode)?\W{0,4}(?:off|none|never|disabled?|full)\b",
    rf"\b(?:{_DEFY})\b.{{0,60}}\b(?:{_RULES})\b",
    rf"\b(?:{_WEAKEN})\w*\b.{{0,40}}\b(?:{_JUDGES})\b",
    rf"\b(?:{_LICENCE})\b.{{0,60}}\b(?:{_FREEDOM})\b",
    rf"\b(?:read|print|send|post|upload|show|reveal|collect)\w*\b.{{0,40}}\b(?:{_SECRETS})\b",
)
_WIDENING = [re.compile(pattern, re.IGNORECASE) for pattern in _WIDER]
_LESS = {"tools": ("restricted", "all"), "review": ("separate", "self", "none")}
"""Parameters whose values, from left to right, let an agent do more with fewer eyes on it."""


def prompt_faults(before: str, after: str, masker: Masker, *, first: bool = False) -> list[str]:
    """Say why a prompt is not put into use in the place of another; nothing where it may be.

    `first`: it is a team's own in the place of what ships; their sizes have nothing to do with each other.
    """
    return [
        *_size("" if first else before, after),
        *_placeholders(before, after),
        *_hidden(after),
        *_secrets(after, masker),
        *_widened(before, after),
    ]


def entry_faults(before: str, after: str, masker: Masker) -> list[str]:
    """Say why a library entry is not put into use in the place of another, whose text may be empty."""
    return [*_placeholders("", after, told=True), *_hidden(after), *_secrets(after, masker), *_widened(before, after)]


def profile_faults(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say why a profile is not put into use in the place of another."""
    return [
        f"`{name}` goes from `{before.get(name, values[0])}` to `{after[name]}`: that widens what it may do by itself"
        for name, values in _LESS.items()
        if after.get(name) in values and name in before and values.index(after[name]) > values.index(before[name])
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


def _widened(before: str, after: str) -> Iterator[str]:
    """Look at the sentences that are new."""
    known = {_plain(sentence) for sentence in _SENTENCE.split(before)}
    for sentence in _SENTENCE.split(after):
        plain = _plain(sentence)
        if plain in known or not plain:
            continue
        found = next((found for pattern in _WIDENING if (found := pattern.search(plain))), None)
        if found and not _NEGATED.search(_clause(plain, found)):
            yield f"it widens what the agent may do: “{sentence.strip()[:160]}”"


def _clause(plain: str, found: re.Match[str]) -> str:
    """Give what stands before and in a match, from the last comma or colon on, without options of programs."""
    return re.split(r"[,:()—–]", plain[: found.start()])[-1] + re.sub(r"--\S+", "", found[0])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").lower().split())[:2000]
