"""What an agent has told -> events, each written in one way: words, tokens, errors, lines that nobody understands."""

from __future__ import annotations

from typing import Any

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut
from loopwright.text.fingerprint import fingerprint

RAW_LIMIT = 20_000


def message(text: str, kind: EventKind = EventKind.MESSAGE, **told: Any) -> Event:
    """Give an event for words, cut where they are too long."""
    return Event(kind, bounded(text, TEXT_LIMIT), data=told | cut(text, TEXT_LIMIT))


def raw(line: str) -> Event:
    """Give an event for what is not understood, as it came."""
    text = line.rstrip("\r\n")
    return Event(EventKind.RAW, bounded(text, RAW_LIMIT), data=cut(text, RAW_LIMIT))


def usage_event(tokens: Usage, cost_usd: float | None) -> Event:
    """Tell tokens and cost that came to what was told before; None where nobody knows the cost."""
    cost = "cost unknown" if cost_usd is None else f"${cost_usd:.4f}"
    text = f"{tokens.total - tokens.output:,} tokens in, {tokens.output:,} out, {cost}"
    return Event(EventKind.USAGE, text, data={**vars(tokens), "cost_usd": cost_usd})


def error(failed: bool, words: str) -> dict[str, Any]:
    """Give the fields of an event that says whether something failed, in whose words."""
    kind, mark = ("PARSED_ERROR", fingerprint(bounded(words))) if failed else (None, None)
    return {"is_error": failed, "error_kind": kind, "fingerprint": mark}
