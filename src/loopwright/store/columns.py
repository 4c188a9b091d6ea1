"""Values of records <-> what every database can hold."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

_SURROGATE = re.compile("[\ud800-\udfff]")
_encode = json.JSONEncoder(separators=(",", ":"), default=str).encode


def storable(text: str) -> str:
    """Replace what not every database takes: NUL becomes ␀, half of a surrogate pair becomes �."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = _SURROGATE.sub("\ufffd", text)
    return text.replace("\0", "␀")


def to_json(data: Any) -> str | None:
    """Write plain data; what is empty is nothing, a date or a path is its text."""
    if not data:
        return None
    try:
        return orjson.dumps(data).decode()
    except TypeError:  # whatever the slow way has an answer for: half of a surrogate pair, a path, a huge number
        return _encode(data)


class Words(TypeDecorator[str]):
    """Text that came from outside and may hold anything."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class Json(TypeDecorator[Any]):
    """Plain data as JSON text; what is empty is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return {} if value is None else json.loads(value)


class WholeJson(Json):
    """Plain data as JSON text, also where it is empty."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return _encode(value)


class OneOf(TypeDecorator[StrEnum]):
    """A word of a closed set."""

    impl = Text
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        return None if value is None else value.value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.words(value)
