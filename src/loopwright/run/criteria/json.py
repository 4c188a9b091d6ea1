"""A JSON file holds against a JSON Schema, or answers a JMESPath query as it should."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import jmespath
from jmespath.exceptions import JMESPathError
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from loopwright.errors import TaskError
from loopwright.ports import Room
from loopwright.process.aside import aside
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion, inside

_MOST_BYTES = 20_000_000
_ERRORS_SHOWN = 5
_SHOWN = 300


@dataclass(frozen=True)
class JsonCriteria(Criterion):
    """A JSON file that must fit a schema, a query or both."""

    kind: ClassVar[str] = "json"
    primary: ClassVar[str] = "file"

    file: str
    _: KW_ONLY
    schema: str | Mapping[str, Any] | None = field(default=None, hash=False)
    """A JSON Schema: the path of its file, or the schema itself. What it refers to elsewhere is never fetched."""
    query: str | None = None
    """A JMESPath expression."""
    equals: Any = field(default=None, hash=False)
    """What the query must give; with None, anything but null, false, 0 and what is empty."""
    timeout_s: float = 10.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", inside(self.file))
        if self.schema is None and self.query is None:
            raise TaskError(f"nothing is asked of `{self.file}`", "give a schema or a query")
        if self.query is None and self.equals is not None:
            raise TaskError("`equals` needs a query", 'such as query = "version"')
        if not self.timeout_s > 0:
            raise TaskError(f"`timeout_s` of `{self.file}` is {self.timeout_s}: it must be more than 0")
        object.__setattr__(self, "equals", _plain(self.equals))
        object.__setattr__(self, "schema", _checked_schema(self.schema))
        if self.query is not None:
            _check_query(self.query)

    def describe(self) -> str:
        asked = []
        if self.schema is not None:
            asked.append(f"fits the schema {self.schema if isinstance(self.schema, str) else _show(self.schema)}")
        if self.query is not None:
            wanted = "holds" if self.equals is None else f"gives {_show(self.equals)}"
            asked.append(f"`{self.query}` {wanted}")
        return f"json {self.file}: {' and '.join(asked)}"

    def own_files(self) -> tuple[str, ...]:
        return (inside(self.schema),) if isinstance(self.schema, str) else ()

    def looked_at(self) -> tuple[str, ...]:
        return (self.file,)

    def evaluate(self, room: Room) -> Evidence:
        place = room.path(self.file)
        schema = str(room.path(self.schema)) if isinstance(self.schema, str) else self.schema
        for name, path in ((self.file, place), (self.schema, schema)):
            if isinstance(name, str) and not Path(str(path)).is_file():
                text = f"there is no file `{name}`; one that git ignores never gets to where the checks look"
                return Evidence(Verdict.FAIL, text)
        try:
            verdict, text = aside(self.timeout_s, weigh, str(place), schema, self.query, self.equals)
        except TimeoutError:
            return Evidence(Verdict.FAIL, f"it took longer than {self.timeout_s:g} s to look at", timed_out=True)
        return Evidence(Verdict(verdict), text)


class Unfit(Exception):
    """What was found does not do; the verdict and the reason."""

    def __init__(self, text: str, verdict: Verdict = Verdict.FAIL) -> None:
        super().__init__(text)
        self.text, self.verdict = text, verdict


def weigh(file: str, schema: str | Mapping[str, Any] | None, query: str | None, equals: Any) -> tuple[str, str]:
    """Give the verdict and its reason; a schema given as text is the place of its file."""
    try:
        data = _load(Path(file), "it")
        if schema is not None:
            _hold_against(_load(Path(schema), "the schema") if isinstance(schema, str) else schema, data)
        found = "it fits the schema" if query is None else _ask(query, equals, data)
    except Unfit as unfit:
        return unfit.verdict.value, unfit.text
    except RecursionError:
        return Verdict.FAIL.value, "it is nested too deeply, or the schema refers to itself without an end"
    return Verdict.PASS.value, found


def _load(place: Path, what: str) -> Any:
    with place.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise Unfit(f"{what} has more than {_MOST_BYTES // 10**6} MB")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except ValueError as error:
        raise Unfit(f"{what} is not JSON: {error}") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _hold_against(schema: Any, data: Any) -> None:
    try:
        validator = _validator(schema)
        errors = list(itertools.islice(validator.iter_errors(data), _ERRORS_SHOWN))
    except SchemaError as error:
        raise Unfit(f"the schema is not a JSON Schema: {error.message[:_SHOWN]}") from None
    except Unresolvable as error:
        raise Unfit(f"the schema refers to `{error.ref}`; nothing is fetched", Verdict.UNVERIFIABLE) from None
    if errors:
        lines = [f"{error.json_path}: {error.message[:_SHOWN]}" for error in errors]
        raise Unfit("it does not fit the schema:\n" + "\n".join(lines))


def _validator(schema: Any) -> Any:
    cls: Any = validator_for(schema, default=Draft202012Validator)
    cls.check_schema(schema, format_checker=cls.FORMAT_CHECKER)
    # With a registry of our own nothing but the specifications themselves is known, and nothing is fetched.
    return cls(schema, registry=Registry())


def _ask(query: str, equals: Any, data: Any) -> str:
    try:
        found = jmespath.search(query, data)
    except JMESPathError as error:
        raise Unfit(f"`{query}` can't be answered: {str(error)[:_SHOWN]}") from None
    told = f"`{query}` gives {_show(found)}"
    if equals is None and not found:
        raise Unfit(told)
    # As JSON has it: 1 is 1.0 and is not true.
    if equals is not None and not Draft202012Validator({"const": equals}).is_valid(found):
        raise Unfit(f"{told}, not {_show(equals)}")
    return told


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _plain(value: Any) -> Any:
    """Copy what can be written as JSON, so that it stays what it was hashed as."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise TaskError(f"`{str(value)[:100]}` can't be written as JSON: {error}") from None


def _checked_schema(schema: Any) -> Any:
    if schema is None:
        return None
    if isinstance(schema, str):
        return inside(schema)
    plain = _plain(dict(schema))
    try:
        _validator(plain)
    except (SchemaError, RecursionError) as error:
        raise TaskError(f"the schema is not a JSON Schema: {getattr(error, 'message', error)}"[:1000]) from None
    return plain


def _check_query(query: str) -> None:
    try:
        jmespath.compile(query)
    except (JMESPathError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise TaskError(f"`{query}` is not a JMESPath expression: {reason}", "https://jmespath.org") from None
