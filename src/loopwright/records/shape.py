"""Plain data (a task file, a setting, a row) -> a record, or an error that names the field."""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from loopwright.records.criterion import Criterion

Record = TypeVar("Record")
Kinds = Callable[[str], type[Criterion]]
"""Kind -> class; raises where there is no such kind."""

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_COMPOSITES = ("all", "any", "at_least")


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
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([smhd]?)", str(value).strip())
    if not parts or "".join(number + unit for number, unit in parts) != re.sub(r"\s", "", str(value)):
        raise ShapeError(f"`{value}` is not a duration", hint="write 90s, 10m, 2h or 1h30m")
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def record(cls: type[Record], data: Mapping[str, Any], kinds: Kinds | None = None) -> Record:
    """Make a record of plain data: unknown, missing and ill-typed fields are refused by name."""
    fields = {spec.name: spec for spec in dataclasses.fields(typing.cast(Any, cls)) if spec.init}
    hints = typing.get_type_hints(cls)
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{key}_s" if f"{key}_s" in fields else key
        if name not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(sorted(fields))}"
            raise ShapeError(f"there is no field `{key}` here", (key,), hint)
        try:
            values[name] = seconds(value) if name.endswith("_s") else _convert(hints[name], value, kinds)
        except ShapeError as error:
            raise error.under(key) from None
    for name, spec in fields.items():
        required = spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING
        if required and name not in values:
            raise ShapeError(f"`{name}` is missing")
    return cls(**values)


def criterion(data: object, kinds: Kinds) -> Criterion:
    """Make a criterion of plain data: `{kind = "test", command = "…"}` or, shorter, `{test = "…"}`."""
    if not isinstance(data, Mapping):
        raise ShapeError(f"`{data}` is not a criterion", hint='write { test = "pytest -q" }')
    rest = dict(data)
    if "kind" not in rest:
        rest = _long_form(rest, kinds)
    kind = str(rest.pop("kind"))
    try:
        return record(kinds(kind), rest, kinds)
    except ShapeError as error:
        if not error.path:
            raise ShapeError(f"{error.message} in a `{kind}` criterion", (), error.hint) from None
        raise


def _long_form(data: dict[str, Any], kinds: Kinds) -> dict[str, Any]:
    for mode in _COMPOSITES:
        if mode in data:
            rest = {key: value for key, value in data.items() if key not in (mode, "of")}
            members = data.get("of", []) if mode == "at_least" else data[mode]
            count = {"count": data[mode]} if mode == "at_least" else {}
            return {"kind": "composite", "mode": mode, "members": members, **count, **rest}
    if not data:
        raise ShapeError("a criterion is empty", hint='write { test = "pytest -q" }')
    kind = next(iter(data))
    cls = kinds(kind)
    return {"kind": kind, cls.primary: data[kind], **{key: value for key, value in data.items() if key != kind}}


def _convert(hint: Any, value: Any, kinds: Kinds | None) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _convert(next(a for a in arguments if a is not type(None)), value, kinds)
    if origin is typing.Literal:
        if value not in arguments:
            raise ShapeError(f"`{value}` is not possible here", hint=f"one of: {', '.join(map(str, arguments))}")
        return value
    if origin in (tuple, Sequence):
        if not isinstance(value, list | tuple):
            raise ShapeError(f"`{value}` is not a list", hint='write it in brackets: ["…"]')
        return tuple(_items(arguments[0], value, kinds))
    if hint is Criterion and kinds is not None:
        return criterion(value, kinds)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return record(typing.cast(Any, hint), value, kinds)
    return _scalar(hint, value)


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
    if isinstance(hint, type) and issubclass(hint, str):
        return hint(value)
    return value
