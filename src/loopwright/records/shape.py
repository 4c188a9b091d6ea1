"""Plain data (a task file, a setting, a row) -> a record, or an error that names the field."""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from loopwright.errors import UnknownName, UsageError
from loopwright.records.criterion import Criterion

Record = TypeVar("Record")
Size = typing.NewType("Size", int)
"""A number of bytes, which may be written as "8GB"."""
Kinds = Callable[[str], type[Criterion]]
"""Kind -> class; raises UnknownName where there is no such kind."""

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?\s*[smhd]\s*)*(?:\d+(?:\.\d+)?)?")
_BYTES = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_BYTES |= {f"{unit[0]}iB": 2 ** (10 * power) for power, unit in enumerate(("KB", "MB", "GB", "TB"), 1)}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?i?B)?")
_COMPOSITES = {
    "all": {"all": "members"},
    "any": {"any": "members"},
    "at_least": {"at_least": "count", "of": "members"},
}
"""Mode -> the fields behind the keys of its short form."""


class ShapeError(ValueError):
    """Data that does not fit; `path` leads to the place."""

    def __init__(self, message: str, path: tuple[str | int, ...] = (), hint: str = "") -> None:
        super().__init__(message)
        self.message, self.path, self.hint = message, path, hint

    def under(self, *path: str | int) -> ShapeError:
        return ShapeError(self.message, (*path, *self.path), self.hint)


def seconds(value: object) -> float:
    """Read a duration: 90, "90", "90s", "10m", "2h", "1h30m"."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    text = str(value).strip()
    if not text or not _DURATION.fullmatch(text):
        raise ShapeError(f"`{value}` is not a duration", hint="write 90s, 10m, 2h or 1h30m")
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([smhd]?)", text)
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def size(value: object) -> Size:
    """Read a number of bytes: 1000, "200MB", "1.5GB", "8GiB"."""
    found = _SIZE.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
    if found is None or (unit := found[2] or "") not in _BYTES:
        raise ShapeError(f"`{value}` is not a size", hint="write 200MB, 8GB or 1.5GB")
    return Size(int(float(found[1]) * _BYTES[unit]))


def record(cls: type[Record], data: Mapping[str, Any], kinds: Kinds | None = None) -> Record:
    """Make a record of plain data: unknown, missing and ill-typed fields are refused by name."""
    fields = {spec.name: spec for spec in dataclasses.fields(typing.cast(Any, cls)) if spec.init}
    hints = _hints(typing.cast(Any, cls))
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{key}_s" if f"{key}_s" in fields else key
        if name not in fields:
            near = difflib.get_close_matches(str(key), fields, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(sorted(fields))}"
            raise ShapeError(f"there is no field `{key}` here", (key,), hint)
        if name in values:
            raise ShapeError(f"`{name}` is given twice", (key,))
        try:
            values[name] = seconds(value) if name.endswith("_s") else _convert(hints[name], value, kinds)
        except ShapeError as error:
            raise error.under(key) from None
    for name, spec in fields.items():
        required = spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING
        if required and name not in values:
            raise ShapeError(f"`{name}` is missing")
    return cls(**values)


@cache
def _hints(cls: type[Any]) -> Mapping[str, Any]:
    return typing.get_type_hints(cls)  # dear, and asked for with every row


def criterion(data: object, kinds: Kinds) -> Criterion:
    """Make a criterion of plain data: `{kind = "test", command = "…"}` or, shorter, `{test = "…"}`."""
    if isinstance(data, Criterion):
        return data
    if not isinstance(data, Mapping):
        raise ShapeError(f"`{data}` is not a criterion", hint='write { test = "pytest -q" }')
    if not data:
        raise ShapeError("a criterion is empty", hint='write { test = "pytest -q" }')
    try:
        given, names = ({}, {}) if "kind" in data else _short_form(data, kinds)
        fields = _long_form(data, given, names)
        kind = str(fields.pop("kind"))
        cls = kinds(kind)
        try:
            return record(cls, fields, kinds)
        except ShapeError as error:
            raise _as_written(error, kind, names) from None
    except UsageError as error:
        raise ShapeError(error.message, (), error.hint) from None


def _short_form(data: Mapping[str, Any], kinds: Kinds) -> tuple[dict[str, Any], dict[str, str]]:
    """Give what the short form leaves unsaid, and the fields behind its keys."""
    for mode, names in _COMPOSITES.items():
        if mode in data:
            return {"kind": "composite", "mode": mode}, names
    for key in map(str, data):
        with suppress(UnknownName):
            return {"kind": key}, {key: kinds(key).primary}
    # Nothing here is a kind: the first key that every criterion doesn't have is taken for one, and refused.
    return {"kind": next((key for key in map(str, data) if key != "held_out"), "held_out")}, {}


def _long_form(data: Mapping[str, Any], given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    fields = dict(given)
    for key, value in data.items():
        name = names.get(key, key)
        if name in fields:
            raise ShapeError(f"`{name}` is given twice", (key,))
        fields[name] = value
    return fields


def _as_written(error: ShapeError, kind: str, names: Mapping[str, str]) -> ShapeError:
    """Let an error name the key that somebody wrote, which is not always the field's name."""
    if not error.path:
        return ShapeError(f"{error.message} in a `{kind}` criterion", (), error.hint)
    keys = {field: key for key, field in names.items()}
    return ShapeError(error.message, (keys.get(str(error.path[0]), error.path[0]), *error.path[1:]), error.hint)


def _convert(hint: Any, value: Any, kinds: Kinds | None) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _alternative(arguments, value, kinds)
    if origin is typing.Literal:
        if value not in arguments:
            raise ShapeError(f"`{value}` is not possible here", hint=f"one of: {', '.join(map(str, arguments))}")
        return value
    if origin in (tuple, Sequence):
        if not isinstance(value, list | tuple):
            raise ShapeError(f"`{value}` is not a list", hint='write it in brackets: ["…"]')
        return tuple(_items(arguments[0], value, kinds))
    if Mapping in (origin, hint):
        if not isinstance(value, Mapping):
            raise ShapeError(f"`{value}` is not a table", hint='write it in braces: { name = "…" }')
        return dict(value)
    if hint is Size:
        return size(value)
    if hint is Criterion and kinds is not None:
        return criterion(value, kinds)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return record(typing.cast(Any, hint), value, kinds)
    if dataclasses.is_dataclass(hint) and not isinstance(value, typing.cast(Any, hint)):
        raise ShapeError(f"`{value}` is not a table", hint='write it in braces: { name = "…" }')
    return _scalar(hint, value)


def _alternative(hints: Sequence[Any], value: Any, kinds: Kinds | None) -> Any:
    if value is None and type(None) in hints:
        return None
    errors = []
    for hint in hints:
        if hint is type(None):
            continue
        try:
            return _convert(hint, value, kinds)
        except ShapeError as error:
            errors.append(error)
    raise errors[0]


def _items(hint: Any, values: Sequence[Any], kinds: Kinds | None) -> typing.Iterator[Any]:
    for index, value in enumerate(values):
        try:
            yield _convert(hint, value, kinds)
        except ShapeError as error:
            raise error.under(index) from None


def _scalar(hint: Any, value: Any) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint in (str, int, float, bool):
        if type(value) is not hint:
            words = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
            raise ShapeError(f"`{value}` should be {words[hint]}")
        return value
    if isinstance(hint, type) and issubclass(hint, Enum):
        known = [member.value for member in hint]
        if value not in known:
            raise ShapeError(f"`{value}` is not possible here", hint=f"one of: {', '.join(map(str, known))}")
        return hint(value)
    return value
