"""What a profile's version sets, and a run's profile made of what is in use."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.errors import UnknownName, UsageError
from loopwright.records.profile import Profile
from loopwright.records.shape import ShapeError, record
from loopwright.release.entries import entry_titles

LIBRARY = "library"
"""The parameter that says which library entries are told."""
ROLE_PARAMETERS = ("agent", "model", "temperature", "max_turns", "tools")
"""What a version may set of who plans or reviews."""
PARAMETERS = (*ROLE_PARAMETERS, "conversation", "context", "planning", "review", LIBRARY)
"""What a version may set. What is told is a prompt's business, and programs that are started are nobody's but yours."""


def usual() -> dict[str, Any]:
    """Give what a profile sets where nobody says otherwise, as JSON has it."""
    return dict(json.loads(json.dumps(dataclasses.asdict(Profile()))))


def parameters(content: str) -> dict[str, Any]:
    """Read what a version sets."""
    return dict(json.loads(content))


def profile_content(parameters: Mapping[str, Any]) -> str:
    """Write down what a version sets."""
    return json.dumps(parameters, sort_keys=True, ensure_ascii=False)


def known_parameters(name: str) -> Sequence[str]:
    """Name what a version of a profile may set: `worker/docs` more than `planner/docs`."""
    return PARAMETERS if name.startswith("worker/") else ROLE_PARAMETERS


def changed(content: str, values: Sequence[str], known: Sequence[str] = PARAMETERS) -> dict[str, Any]:
    """Set parameters anew, each written as NAME=VALUE; NAME= takes one out."""
    found = parameters(content)
    for value in values:
        name, equals, given = value.partition("=")
        if not equals:
            raise UsageError(f"`{value}` sets nothing", "write it as NAME=VALUE, such as model=gpt-5.5")
        if name not in known:
            raise UnknownName("parameter", name, known)
        found.pop(name, None)
        if given:
            found[name] = value_of(name, given)
    return found


def with_parameters(profile: Profile, values: Mapping[str, Any]) -> Profile:
    """Give a profile with what a version sets, where it does not say anything itself."""
    usual, given = Profile(), record(Profile, values)
    open_ones = [name for name in values if name not in profile.said and getattr(profile, name) == getattr(usual, name)]
    free = {name: getattr(given, name) for name in open_ones}
    planner, verifier = profile.planner.above(given.planner), profile.verifier.above(given.verifier)
    return dataclasses.replace(profile, **{**free, "planner": planner, "verifier": verifier})


def value_of(name: str, given: str) -> Any:
    """Read what a parameter is set to, as people write it."""
    if name == LIBRARY:
        return entry_titles(given)
    try:
        value: Any = json.loads(given) if name in ("temperature", "max_turns") else given
        return getattr(record(Profile, {name: value}), name)
    except (ShapeError, ValueError) as error:
        words = error.message if isinstance(error, ShapeError) else f"`{given}` is not a number"
        raise UsageError(f"{name}: {words}", getattr(error, "hint", "")) from None
