"""A task file (TOML or YAML) -> a task, or an error that names the line."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from loopwright.errors import LoopwrightError, TaskError
from loopwright.records.criterion import Criterion
from loopwright.records.shape import Kinds, ShapeError, record
from loopwright.records.task import Task


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
    try:
        if more and isinstance(data.get("criteria", []), list):
            data["criteria"] = [*data.get("criteria", []), *more]
        return dataclasses.replace(record(Task, {**(defaults or {}), **data}, kinds), **(over or {}))
    except ShapeError as error:
        line = _line(path, text, error.path)
        raise TaskError(f"`{path}`{line}: {error.message}", error.hint) from None
    except LoopwrightError as error:
        raise TaskError(f"`{path}`: {error.message}", error.hint) from None


def _parse(path: Path) -> tuple[str, Any]:
    try:
        text = path.read_text()
    except FileNotFoundError:
        raise TaskError(f"there is no task file `{path}`", "name a .toml or .yaml file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"`{path}` can't be read: {error}") from None
    try:
        if path.suffix in (".yaml", ".yml"):
            return text, yaml.safe_load(text)
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TaskError(f"`{path}` is not valid TOML: {error}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise TaskError(f"`{path}`, line {line}: not valid YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise TaskError(f"`{path}` is not valid YAML: {error}") from None


def _line(path: Path, text: str, place: tuple[str | int, ...]) -> str:
    """The line of the field that a path leads to, as text to put behind the file's name."""
    number = _yaml_line(text, place) if path.suffix in (".yaml", ".yml") else _toml_line(text, place)
    return f", line {number}" if number else ""


def _yaml_line(text: str, place: tuple[str | int, ...]) -> int:
    node, line = yaml.compose(text, Loader=yaml.SafeLoader), 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            pairs = {key.value: (key, value) for key, value in node.value}
            if part not in pairs:
                break
            line, node = pairs[part][0].start_mark.line + 1, pairs[part][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _toml_line(text: str, place: tuple[str | int, ...]) -> int:
    """Find a key below the n-th table of its array. TOML's reader keeps no places, so the text is looked through."""
    lines, start = text.splitlines(), 0
    for index, part in enumerate(place):
        if isinstance(part, int):
            header = re.compile(rf"^\s*\[\[\s*{re.escape(str(place[index - 1]))}\s*\]\]")
            tables = [number for number, line in enumerate(lines) if header.match(line)]
            start = tables[part] if part < len(tables) else start
            continue
        key = re.compile(rf"""(^|[\s{{,.])["']?{re.escape(part)}["']?\s*=|^\s*\[+\s*{re.escape(part)}\s*\]""")
        start = next((number for number in range(start, len(lines)) if key.search(lines[number])), start)
    return start + 1 if place else 1
