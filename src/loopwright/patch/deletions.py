"""A prompt that says things twice -> the same prompt that says them once, with what that saves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopwright.patch.ground import Ground, new_patch
from loopwright.records.finding import Finding
from loopwright.records.patch import Patch
from loopwright.text.tokens import tokens_in

DUPLICATES = "duplicated_passage"
_SHORTEST = 40
"""Fewer letters than this are said twice by chance."""
_SENTENCE = re.compile(r"(?<=[.!?])(\s+)")
_MARK = re.compile(r"^\s*(?:[-*]|\d+[.)])\s+")


def without_repeats(text: str) -> tuple[str, list[str]]:
    """Give a text in which each sentence stands once, where it stood first, and what was taken out."""
    seen: set[str] = set()
    repeated: list[str] = []
    lines = [_line(line, seen, repeated) for line in text.split("\n")]
    kept = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{3,}", "\n\n", kept) if repeated else text, repeated


def deletion(target: str, prompt: str, ground: Ground) -> Patch | None:
    """Give the patch that takes repetitions out of a prompt; None where there are none, or too few runs."""
    after, repeated = without_repeats(prompt)
    if not repeated or not ground.is_known_enough(target):
        return None
    saved = tokens_in(prompt) - tokens_in(after)
    first = " ".join(repeated[0].split())[:80]
    detail = f"{len(repeated)} passages stand there twice, about {saved} tokens in every run; the first: “{first}”."
    runs = tuple(case.run_id for case in ground.runs_of(target))
    of = len(runs)
    title = f"The prompt of {target} repeats itself"
    finding = Finding(f"{DUPLICATES}/{target}", "cost", DUPLICATES, title, detail, of, of, 1.0, target, runs=runs)
    reason = f"{detail} Nothing else is changed."
    return new_patch("prompt", target, finding, f"Say each thing once to {target}", reason, prompt, after, "deletion")


def deletions(ground: Ground) -> Iterator[Patch]:
    """Look at all prompts in use."""
    for target, prompt in ground.prompts.items():
        if patch := deletion(target, prompt, ground):
            yield patch


def _line(line: str, seen: set[str], repeated: list[str]) -> str | None:
    """Give a line without what was said before; None where nothing is left of it."""
    if len(line.strip()) < _SHORTEST or "{{" in line:
        return line
    mark = _MARK.match(line)
    start = mark.end() if mark else 0
    parts = _SENTENCE.split(line[start:])
    kept, taken = [], 0
    for index in range(0, len(parts), 2):
        plain = " ".join(parts[index].casefold().split())
        if len(plain) >= _SHORTEST and plain in seen:
            repeated.append(parts[index])
            taken += 1
        else:
            seen.add(plain)
            kept += parts[index : index + 2]
    if not taken:
        return line
    left = "".join(kept).rstrip()
    return f"{line[:start]}{left}" if left.strip() else None
