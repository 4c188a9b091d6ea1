"""What strangers write: any JSON, and records that are nearly right."""

from __future__ import annotations

import copy
import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

FUZZ = settings(
    max_examples=int(os.environ.get("FUZZ", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""`FUZZ=10000` tries as many."""

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ANY_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in below for found in _paths(one, (*path, key)))]


@st.composite
def mutated(draw: st.DrawFn, valid: Any) -> Any:
    """Give a record in which one to three things are not what they should be."""
    value = copy.deepcopy(valid)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(_paths(value)))
        if not path:
            continue
        place = value
        for key in path[:-1]:
            place = place[key]
        if draw(st.booleans()) and isinstance(place, dict):
            del place[path[-1]]
        else:
            place[path[-1]] = draw(ANY_JSON)
    return value
