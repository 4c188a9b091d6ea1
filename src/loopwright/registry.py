"""Name -> plug-in: a file in one of our folders, or an entry point of somebody's package. Loaded when it is used."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
from dataclasses import dataclass
from typing import Any

from loopwright.errors import UnknownName
from loopwright.records.criterion import Criterion


@dataclass(frozen=True)
class Port:
    """A folder of plug-ins: `run/agents/command.py` holds the class `Command` and is the agent `command`."""

    word: str
    package: str
    group: str
    """The entry points of others."""
    suffix: str = ""
    """What the class is called beyond the file's name."""

    def class_name(self, name: str) -> str:
        return "".join(part.title() for part in name.split("_")) + self.suffix


AGENTS = Port("agent", "loopwright.run.agents", "loopwright.agents")
CRITERIA = Port("criterion", "loopwright.run.criteria", "loopwright.criteria", "Criteria")
FORMATS = Port("format", "loopwright.ingest.formats", "loopwright.formats")
DETECTORS = Port("detector", "loopwright.measure.detectors", "loopwright.detectors")
MODELS = Port("model", "loopwright.models", "loopwright.models")
REGISTRIES = Port("registry", "loopwright.release.registries", "loopwright.registries")
PORTS = (AGENTS, CRITERIA, FORMATS, DETECTORS, MODELS, REGISTRIES)


def names(port: Port) -> list[str]:
    """All that can be loaded, ours and others'."""
    return sorted({*_ours(port), *(point.name for point in _entry_points(port))})


def load(port: Port, name: str) -> Any:
    """Give the class behind a name."""
    if name in _ours(port):
        return getattr(importlib.import_module(f"{port.package}.{name}"), port.class_name(name))
    for point in _entry_points(port):
        if point.name == name:
            return point.load()
    raise UnknownName(port.word, name, names(port))


def kinds(name: str) -> type[Criterion]:
    """Give the class of a kind of criterion."""
    found: type[Criterion] = load(CRITERIA, name)
    return found


@functools.cache
def _ours(port: Port) -> list[str]:
    return [module.name for module in pkgutil.iter_modules(importlib.import_module(port.package).__path__)]


def _entry_points(port: Port) -> Any:
    return _entry_points_below(port, tuple(sys.path))


@functools.cache
def _entry_points_below(port: Port, path: tuple[str, ...]) -> Any:
    from importlib.metadata import entry_points  # 20 ms that only names outside of our folders need

    return entry_points(group=port.group)
