"""Settings -> detectors, a new set of them for each session."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from loopwright.errors import SettingError, UnknownName
from loopwright.measure.detector import Detector
from loopwright.records.shape import ShapeError, record
from loopwright.registry import DETECTORS, load, names
from loopwright.settings import Settings


def make_detectors(settings: Settings) -> dict[str, Detector]:
    """Make a set of detectors, for one session, as the settings have them."""
    return detector_maker(settings)()


def detector_maker(settings: Settings) -> Callable[[], dict[str, Detector]]:
    """Give what makes such a set for each of many sessions: who is installed is looked up once."""
    known = names(DETECTORS)
    for name in settings.signals:
        if name not in known:
            raise UnknownName("detector", name, known)
    options = {name: dict(settings.signals.get(name, {})) for name in known}
    wanted = {name: _loaded(name) for name in known if not _is_off(name, options[name])}
    return lambda: {name: _detector(name, kind, options[name]) for name, kind in wanted.items()}


def delights(settings: Settings) -> frozenset[str]:
    """Name the types of signals that are good news."""
    return frozenset(name for name, detector in make_detectors(settings).items() if detector.delight)


def _is_off(name: str, options: dict[str, Any]) -> bool:
    value = options.pop("off", False)
    if not isinstance(value, bool):
        raise SettingError(f"signals.{name}.off: `{value}` is neither true nor false", "write off = true")
    return value


def _loaded(name: str) -> type[Detector]:
    try:
        found: type[Detector] = load(DETECTORS, name)
    except Exception as error:  # it may be anybody's
        hint = f"mend or uninstall it, or leave it out: [signals.{name}] off = true"
        raise SettingError(f"the detector `{name}` can't be loaded: {type(error).__name__}: {error}", hint) from error
    return found


def _detector(name: str, kind: type[Detector], options: Mapping[str, Any]) -> Detector:
    try:
        made: Detector = record(kind, options)
    except ShapeError as error:
        where = ".".join(["signals", name, *map(str, error.path)])
        hint = f"{error.hint}, off" if error.hint.startswith("known: ") else error.hint
        raise SettingError(f"{where}: {error.message}", hint.replace("known: , ", "known: ")) from None
    for key in options:
        value = getattr(made, key, None)
        if isinstance(value, int | float) and not isinstance(value, bool) and not 0 < value < math.inf:
            raise SettingError(f"signals.{name}.{key}: `{value}` is not possible here", "it must be more than 0")
    return made
