"""Valid records, and anything in any place of them."""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import strategies as st

MANY = int(os.environ.get("FUZZ", "50"))

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["user", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def mutated_file(lines: list[Any], data: st.DataObject) -> bytes:
    """Give some of the lines with other things in some places, the last one maybe cut, and bytes of any kind."""
    chosen = data.draw(st.lists(st.sampled_from(lines), min_size=1, max_size=4))
    written = b"\n".join(json.dumps(mutated(line, data)).encode() for line in chosen)
    written = written[: data.draw(st.integers(0, len(written)))] if data.draw(st.booleans()) else written
    return written + data.draw(st.binary(max_size=30))


def mutated(value: Any, data: st.DataObject) -> Any:
    """Give the value with other things in some places."""
    if data.draw(st.integers(0, 9)) == 0:
        return data.draw(VALUES)
    if isinstance(value, dict):
        return {key: mutated(item, data) for key, item in value.items()}
    if isinstance(value, list):
        return [mutated(item, data) for item in value]
    return value
