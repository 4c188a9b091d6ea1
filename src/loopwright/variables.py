"""The environment: LOOPWRIGHT_RUN_MODEL and the like -> values of settings; where state, cache and data are kept."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.errors import SettingError
from loopwright.records.shape import ShapeError, record


def from_environment(section: str, cls: type, environment: Mapping[str, str]) -> dict[str, Any]:
    """Read what the environment says of a section."""
    found: dict[str, Any] = {}
    for spec in dataclasses.fields(cls):
        name = spec.name.removesuffix("_s")
        variable = _name(section, name)
        if variable not in environment:
            continue
        found[name] = _value(str(spec.type), environment[variable])
        try:
            record(cls, {name: found[name]})
        except ShapeError as error:
            raise SettingError(f"the variable {variable}: {error.message}", error.hint) from None
    return found


def refuse_unknown(sections: Sequence[tuple[str, type]], environment: Mapping[str, str]) -> None:
    """Refuse a variable that is spelled wrong: it must not pass for one that is set."""
    for section, cls in sections:
        known = [_name(section, spec.name.removesuffix("_s")) for spec in dataclasses.fields(cls)]
        for name in environment:
            if name.startswith(_name(section, "")) and name not in known:
                raise SettingError(f"there is no setting for the variable {name}", f"known: {', '.join(known)}")


def _name(section: str, setting: str) -> str:
    return f"LOOPWRIGHT_{section}_{setting}".upper()


def _value(kind: str, text: str) -> Any:
    """Read a variable as the setting's type; what does not fit stays text, and is refused as such."""
    if kind.startswith("int"):
        return int(text) if text.isdecimal() else text
    if kind == "bool":
        return {"1": True, "true": True, "0": False, "false": False}.get(text.lower(), text)
    if kind.startswith("tuple"):
        return text.split(os.pathsep) if text else []
    if kind == "float | None":
        return float(text) if text.replace(".", "", 1).isdecimal() else text
    return text


def home_folder(root: Path, given: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the state lives: `.loopwright` at the repository's root unless told otherwise."""
    named = given or environment.get("LOOPWRIGHT_HOME")
    return Path(named).expanduser().resolve() if named else root / ".loopwright"


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where clones live: the user's cache folder."""
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    # A relative one is to be ignored, says the specification.
    return (named if named.is_absolute() else Path.home() / ".cache") / "loopwright"


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the user's own record lives: of sessions that belong to no repository."""
    named = Path(environment.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local" / "share") / "loopwright"
