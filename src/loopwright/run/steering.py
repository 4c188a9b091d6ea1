"""Files that hold product and test settings in one: are two versions the same in the part that steers the tests?

An agent may add a dependency to pyproject.toml and may not add `addopts`.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any

Part = Callable[[str, Collection[str]], Any]
"""A text, and the words of the criteria's commands -> what of it steers."""

_TOOLS = (
    "pytest",
    "pytest_env",
    "coverage",
    "tox",
    "nox",
    "hatch",
    "pdm",
    "poe",
    "taskipy",
    "loopwright",
    "hypothesis",
)
_MANAGERS = {"poetry", "uv", "rye"}
_FREE = ("dependencies", "dev-dependencies", "group", "extras")
"""What is needed, and does not steer."""
_NODE = ("jest", "vitest", "mocha", "ava", "nyc", "c8", "tap", "babel", "karma", "cypress", "wireit", "nx")
_HARNESS = ("test", "doctest", "harness", "bench")
_REWRITING = re.compile(r"\s[-!]?(working-tree-encoding|ident|crlf|eol=crlf)\b")

_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r(?!\n)")


def is_mixed(path: str) -> bool:
    """Whether a file is compared by its part."""
    return PurePosixPath(path).name in _PARTS


def same_steering(path: str, before: bytes, after: bytes, words: Collection[str]) -> bool:
    """Whether the part that steers is the same; what can't be read is not. Nothing (b"") steers nothing."""
    part = _PARTS[PurePosixPath(path).name]
    try:
        return bool(part(before.decode(), words) == part(after.decode(), words))
    except (ValueError, configparser.Error, RecursionError):
        return before == after


def _pyproject(text: str, words: Collection[str]) -> Any:
    data = tomllib.loads(text)
    tools = _table(data, "tool")
    found = {name: tools[name] for name in (*_TOOLS, *words) if name in tools and name not in ("hatch", "pdm")}
    for name in found.keys() & _MANAGERS:
        found[name] = {key: value for key, value in _table(found, name).items() if key not in _FREE}
    found["hatch"] = _table(tools, "hatch", "envs")
    found["pdm"] = _table(tools, "pdm", "scripts")
    found["plug-ins"] = (
        _table(data, "project", "entry-points", "pytest11"),
        _table(tools, "poetry", "plugins", "pytest11"),
    )
    return {name: value for name, value in found.items() if value not in ({}, ({}, {}))}


def _package(text: str, words: Collection[str]) -> Any:
    data = json.loads(text or "{}")
    if not isinstance(data, dict):
        raise ValueError("not an object")
    found = {name: data[name] for name in (*_NODE, *words) if name in data}
    scripts = _scripts(_table(data, "scripts"), words)
    return {**found, **({"scripts": scripts} if scripts else {})}


def _scripts(scripts: Mapping[str, Any], words: Collection[str]) -> dict[str, Any]:
    """Those that a test run can come through: tests and what the criteria name, what these call, and their hooks."""
    reached = {name for name in scripts if "test" in name or name in words}
    while True:
        called = {
            word for name in reached for word in re.split(r"[\s\"'=;|&()]+", str(scripts[name])) if word.strip("*")
        }
        hooks = {f"{when}{name}" for when in ("pre", "post") for name in reached}
        more = {name for name in scripts if name in hooks or any(fnmatchcase(name, word) for word in called)} - reached
        if not more:
            return {name: scripts[name] for name in reached}
        reached |= more


def _setup(text: str, words: Collection[str]) -> Any:
    sections = _ini(text)
    names = ("tool:", "coverage:", "aliases", *words)
    found = {name: body for name, body in sections.items() if name.startswith(names)}
    plug_ins = sections.get("options.entry_points", {}).get("pytest11")
    return {**found, **({"plug-ins": plug_ins} if plug_ins else {})}


def _tox(text: str, words: Collection[str]) -> Any:
    free = ("deps", "extras", "description")
    return {name: {key: value for key, value in body.items() if key not in free} for name, body in _ini(text).items()}


def _cargo(text: str, words: Collection[str]) -> Any:
    data = tomllib.loads(text)
    found = {"test": data.get("test"), "profile": _table(data, "profile", "test")}
    for name in ("lib", "package"):
        body = _table(data, name)
        found[name] = {key: body[key] for key in (*_HARNESS, "autotests") if key in body}
    return {name: value for name, value in found.items() if value}


def _attributes(text: str, words: Collection[str]) -> Any:
    """The lines that let git write other bytes than the commit has: a test would be another one on disk."""
    if "[attr]" in text:  # words of its own: any line may use them
        return text
    return [line.split() for line in text.splitlines() if _REWRITING.search(line)]


def _ini(text: str) -> dict[str, dict[str, str]]:
    if _LINE_ENDS.search(text):
        raise ValueError("signs that end a line for other readers")
    parser = configparser.ConfigParser(interpolation=None, strict=False, default_section="\0")
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def _table(data: Any, *names: str) -> Mapping[str, Any]:
    for name in names:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


_PARTS: Mapping[str, Part] = {
    "pyproject.toml": _pyproject,
    "package.json": _package,
    "setup.cfg": _setup,
    "tox.ini": _tox,
    "Cargo.toml": _cargo,
    ".gitattributes": _attributes,
}
