"""Settings -> detectors, a new set of them for each session."""

from __future__ import annotations

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
    wanted = {name: load(DETECTORS, name) for name in known if not options[name].pop("off", False)}
    return lambda: {name: _detector(name, kind, options[name]) for name, kind in wanted.items()}


def delights() -> frozenset[str]:
    """Name the types of signals that are good news."""
    return frozenset(name for name in names(DETECTORS) if load(DETECTORS, name).delight)


def _detector(name: str, kind: type[Detector], options: Mapping[str, Any]) -> Detector:
    try:
        made: Detector = record(kind, options)
    except ShapeError as error:
        where = ".".join(["signals", name, *map(str, error.path)])
        raise SettingError(f"{where}: {error.message}", error.hint) from None
    return made
