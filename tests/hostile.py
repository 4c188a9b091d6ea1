"""Lines of JSON with values that nobody expects, for streams that must not break."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

_VALUES: Sequence[Any] = (
    *(None, True, 0, -1, 10**400, 1.5, float("nan"), "", "1", "a\x00\ud800", "9" * 400, "success", "error"),
    *([], ["a"], [{"type": "text", "text": 1}], {}, {"a": {"b": [1]}}, {"message": 3, "type": [], "data": 1}),
    *({"input": -5, "output": "x", "total_tokens": 10**30}, {"command": ["ls"], "path": {}, "status": "error"}),
)


def lines(types: Sequence[str], names: Sequence[str], known: Sequence[Any] = ()) -> st.SearchStrategy[Any]:
    """Give some lines of these types, whose fields hold anything: what is odd, or what is known to be right."""
    value = st.sampled_from([*_VALUES, *known])
    line = st.builds(
        lambda kind, told: {"type": kind, **told},
        st.sampled_from([*types, "else"]),
        st.dictionaries(st.sampled_from(names), value, max_size=5),
    )
    return st.lists(line, max_size=5)
