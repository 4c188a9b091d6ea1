"""What a stranger's program printed -> text and data that any store can hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from loopwright.text.halves import beginning

FIELD_LIMIT = 20_000
TEXT_LIMIT = 100_000

Line = Mapping[str, Any]
"""An object that a stranger's program printed."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_MAX_DEPTH = 20
_MAX_ITEMS = 1000


def parse(line: str) -> Any:
    """Read one line of JSON; whatever is wrong with it is a ValueError. NaN and infinity become None."""
    try:
        return json.loads(line, parse_constant=lambda _: None, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def bounded(text: str, limit: int = FIELD_LIMIT) -> str:
    """Cut a text, without half of a word, and replace what databases refuse: NUL and halves of surrogate pairs."""
    text = beginning(text, limit)
    if "\0" not in text and _is_whole(text):
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()  # a search for halves of surrogate pairs takes ten times as long
    except UnicodeEncodeError:
        return False
    return True


def cut(text: str, limit: int) -> dict[str, Any]:
    """Say in an event's data that its text was cut, and how long it had been."""
    return {"cut_from": len(text)} if len(text) > limit else {}


def field(value: object, limit: int = FIELD_LIMIT) -> str:
    """Read what should be text; empty where it is not."""
    return bounded(value, limit) if isinstance(value, str) else ""


def first_field(told: Line, names: Iterable[str], limit: int = FIELD_LIMIT) -> str:
    """Read what should be text and goes by one of several names; empty where it goes by none."""
    return next(filter(None, (field(told.get(name), limit) for name in names)), "")


def mapping(value: object) -> Mapping[str, Any]:
    """Read what should be an object; empty where it is not."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Read what should be a list; empty where it is not."""
    return value if isinstance(value, list) else []


def forget_oldest(held: dict[Any, Any], most: int = 1000) -> None:
    """Drop what has been held longest where it is one too many: a stranger may open things and never close them."""
    if len(held) > most:
        del held[next(iter(held))]


def data(value: object, depth: int = 0) -> Any:
    """Bound all texts in plain data; what is nested too deeply or too long is left off."""
    if isinstance(value, str):
        return bounded(value)
    if isinstance(value, Mapping | list) and depth >= _MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        items = list(value.items())[:_MAX_ITEMS]
        return {bounded(str(key)): data(item, depth + 1) for key, item in items}
    if isinstance(value, list):
        return [data(item, depth + 1) for item in value[:_MAX_ITEMS]]
    return value


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None
