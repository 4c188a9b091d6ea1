"""A patch of a setting -> the settings file with that one line changed, and all else as it was."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from loopwright.errors import SettingError, UsageError
from loopwright.guard.own_settings import setting_fault
from loopwright.records.patch import Patch
from loopwright.run.toml_lines import toml_lines
from loopwright.settings import FILE, load_settings

_PROJECT = "pyproject.toml"
_OWN = ("tool", "loopwright")


def settings_file(root: Path) -> tuple[Path, tuple[str, ...]]:
    """Give the file that the settings are read from, and the tables that lead to them."""
    ours, project = root / FILE, root / _PROJECT
    if project.is_file() and not (ours.is_file() and _data(ours)) and _inner(_data(project), _OWN):
        return project, _OWN
    return ours, ()


def changed(text: str, place: tuple[str, ...], value: str) -> str:
    """Set one value in a TOML text; UsageError where that can't be done without touching anything else."""
    wanted = _with(tomllib.loads(text), place, tomllib.loads(f"x = {value}")["x"])
    table, lines = place[:-1], text.split("\n")
    line = f"{place[-1]} = {value}"
    known = toml_lines(text) if text.strip() else {}
    if place in known:
        number = known[place] - 1
        lines[number] = re.sub(r"^(\s*[^=#]*=\s*).*?(\s+#.*)?$", lambda m: f"{m[1]}{value}{m[2] or ''}", lines[number])
    elif table in known and lines[known[table] - 1].lstrip().startswith("["):
        lines.insert(known[table], line)
    else:
        before = [*lines[:-1], ""] if text.endswith("\n") else [*lines, ""] if text else []
        lines = [*before, f"[{'.'.join(table)}]", line, ""]
    after = "\n".join(lines)
    if _loaded(after) != wanted:
        hint = f"write it there by hand: [{'.'.join(table)}] {line}"
        raise UsageError(f"`{'.'.join(place)}` can't be set without touching other lines", hint)
    return after


def apply(patch: Patch, root: Path) -> Path:
    """Write a patch of a setting into the settings file; whatever does not load afterwards is put back."""
    if fault := setting_fault(patch.target, patch.after):
        raise UsageError(f"the patch is refused: {fault}", "change that yourself if you want it")
    path, tables = settings_file(root)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    after = changed(before, (*tables, *patch.target.split(".")), patch.after)
    _write(path, after)
    try:
        load_settings(root)
    except SettingError:
        _write(path, before)
        raise
    return path


def _write(path: Path, text: str) -> None:
    """Put a file in the place of another in one go, with the rights that it had."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    if path.exists():
        fresh.chmod(path.stat().st_mode & 0o7777)
    fresh.replace(path)


def _data(path: Path) -> dict[str, Any]:
    return _loaded(path.read_text(encoding="utf-8")) or {}


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _inner(data: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        data = data.get(key, {}) if isinstance(data, dict) else {}
    return data


def _with(data: dict[str, Any], place: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Give the data as it should be afterwards."""
    first, *rest = place
    inner = data.get(first, {})
    after = _with(inner if isinstance(inner, dict) else {}, tuple(rest), value) if rest else value
    return {**data, first: after}
