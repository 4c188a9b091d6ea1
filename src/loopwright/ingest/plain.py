"""Plain data that strangers wrote -> what was expected there, or nothing."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from loopwright.ingest import reading
from loopwright.text.bounded import TEXT_LIMIT, data, field, items, mapping, parse
from loopwright.text.halves import beginning


def words_of(content: object) -> str:
    """Read a message's content: text, or parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    return "\n".join(_part(part) for part in items(content))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    told = mapping(part)
    for name in ("text", "content"):
        if isinstance(told.get(name), str):
            return str(told[name])
    return f"[{field(told.get('type'), 100)}]"


def written(value: object, limit: int = TEXT_LIMIT) -> bytes:
    """Write bounded data as JSON."""
    raw = reading.written(data(value))
    return raw if len(raw) <= limit else beginning(raw.decode(errors="replace"), limit).encode()


def unwrapped(value: object) -> Any:
    """Read what may be JSON in a text, as attributes have it; the text itself where it is none."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return orjson.loads(value)
    except ValueError:
        try:
            return parse(value)
        except ValueError:
            return value


def weight_of(value: object) -> int:
    """Say about how many characters plain data has, each value counted as a few."""
    if type(value) is str:
        return len(value)
    if type(value) is dict:
        return sum(map(weight_of, value.values()), 20 * len(value))
    return sum(map(weight_of, value), 8) if type(value) is list else 8


def digest(*values: object) -> str:
    """Give a short name for what values hold."""
    return hashlib.sha256(b"\0".join(written(value) for value in values)).hexdigest()[:16]
