"""JSON -> structs with the fields that a reader wants, also where some of them are not what they should be.

To skip what nobody wants takes less time than to make objects of it.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import msgspec
from msgspec.structs import FieldInfo, fields

Kind = TypeVar("Kind", bound=msgspec.Struct)


def lenient(value: dict[str, Any], kind: type[Kind]) -> Kind:
    """Make a struct of an object; a field of the wrong type is as if it were not there."""
    made = kind()
    for spec in fields(kind):
        if spec.encode_name in value:
            _fill(made, spec, value[spec.encode_name])
    return made


def _fill(made: msgspec.Struct, spec: FieldInfo, value: Any) -> None:
    try:
        setattr(made, spec.name, msgspec.convert(value, spec.type))
    except (msgspec.ValidationError, UnicodeEncodeError):  # half of a character is in it
        inner = [one for one in get_args(spec.type) or (spec.type,) if isinstance(one, type)]
        struct = next((one for one in inner if issubclass(one, msgspec.Struct)), None)
        if struct is not None and isinstance(value, dict):
            setattr(made, spec.name, lenient(value, struct))
