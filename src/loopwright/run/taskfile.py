"""A task file (TOML or YAML) -> a task, or an error that names the line."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from loopwright.errors import TaskError
from loopwright.records.criterion import Criterion
from loopwright.records.shape import Kinds, ShapeError, record
from loopwright.records.task import Task
from loopwright.run.toml_lines import Place, toml_lines

_EXAMPLE = '''a task is written so: goal = "Fix it", then [[criteria]] and below it test = "pytest -q"'''


def read_task(
    path: Path,
    kinds: Kinds,
    defaults: Mapping[str, Any] | None = None,
    over: Mapping[str, Any] | None = None,
    more: Sequence[Criterion] = (),
) -> Task:
    """Read a task: `defaults` count where the file says nothing, `over` wins over it, `more` criteria are added."""
    text, data = _parse(path)
    if not isinstance(data, dict):
        raise TaskError(f"`{path}` holds no task", 'start with: goal = "…"')
    over = over or {}
    given = {**_unsaid(defaults or {}, data), **({"goal": over["goal"]} if "goal" in over else {}), **data}
    if more and isinstance(given.get("criteria", []), list):
        given["criteria"] = [*given.get("criteria", []), *more]
    try:
        return dataclasses.replace(record(Task, given, kinds), **over)
    except ShapeError as error:
        message, place, hint = error.message, error.path, error.hint
    except TaskError as error:
        written = error.field if error.field in data else error.field.removesuffix("_s")
        message, place, hint = error.message, (written,), error.hint
    raise TaskError(f"`{path}`, line {_line(path, text, place)}: {message}", hint)


def _unsaid(defaults: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of what the file does not say; a time is written as `timeout` or as `timeout_s`."""
    return {name: value for name, value in defaults.items() if not {name, name.removesuffix("_s")} & data.keys()}


def _parse(path: Path) -> tuple[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TaskError(f"there is no task file `{path}`", "name a .toml or .yaml file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"`{path}` can't be read: {error}", "name a .toml or .yaml file in UTF-8") from None
    try:
        return text, yaml.safe_load(text) if _is_yaml(path) else tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem, _, place = str(error).partition(" (at ")
        number = re.match(r"line (\d+)", place)
        line, kind = int(number[1]) if number else text.count("\n") + 1, "TOML"
    except yaml.MarkedYAMLError as error:
        problem, kind = error.problem or str(error), "YAML"
        line = error.problem_mark.line + 1 if error.problem_mark else 1
    except yaml.reader.ReaderError as error:
        problem, line, kind = error.reason, text.count("\n", 0, error.position) + 1, "YAML"
    except RecursionError:
        problem, line, kind = "it is nested too deeply", 1, "YAML" if _is_yaml(path) else "TOML"
    raise TaskError(f"`{path}`, line {line}: not valid {kind}: {problem}", _EXAMPLE)


def _is_yaml(path: Path) -> bool:
    return path.suffix.lower() in (".yaml", ".yml")


def _line(path: Path, text: str, place: Place) -> int:
    """The line of the field that a place leads to, or of the nearest one above it."""
    if _is_yaml(path):
        return _yaml_line(text, place)
    lines = toml_lines(text)
    return next((lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines), 1)


def _yaml_line(text: str, place: Place) -> int:
    node, line = yaml.compose(text, Loader=yaml.SafeLoader), 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            pairs = {key.value: (key, value) for key, value in node.value}
            if str(part) not in pairs:
                break
            line, node = pairs[str(part)][0].start_mark.line + 1, pairs[str(part)][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line
