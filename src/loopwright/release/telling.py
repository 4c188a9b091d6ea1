"""Library entries -> what an agent is told in the place of the playbooks, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.records.library import Entry
from loopwright.release.entries import entry_of, split_title
from loopwright.release.versions import Versions
from loopwright.text.tokens import tokens_in

_HEAD = "Learned before:"
"""Short, as all that is told: what changes a prompt by a fifth or more is not released without a human."""


@dataclass(frozen=True)
class Telling:
    """What is told, and what had no room."""

    text: str = ""
    left_out: Sequence[str] = ()
    """Entries, as `name@number`."""
    tokens: int = 0


def telling(versions: Versions, titles: Sequence[str], budget: int) -> Telling:
    """Put entries together in their order, which is that in which they were proven; what does not fit is left out."""
    parts, left_out = [_HEAD], []
    for title in titles:
        name, number = split_title(title)
        told = _part(entry_of(name, versions.get("entry", name, number).content))
        if tokens_in("\n\n".join([*parts, told])) > budget:
            left_out.append(title)
        else:
            parts.append(told)
    text = "\n\n".join(parts) if len(parts) > 1 else ""
    return Telling(text, tuple(left_out), tokens_in(text))


def _part(entry: Entry) -> str:
    first, *rest = f"- {entry.remedy}".splitlines()
    return "\n".join([first, *(f"  {line}".rstrip() for line in rest)])
