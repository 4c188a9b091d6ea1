"""An agent's options: one that it does not know is refused, since a wrong word would pass for one that is set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loopwright.errors import UnknownName


def refuse_unknown(agent: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Refuse an option that an agent does not have, and name those that it has."""
    for name in options:
        if name not in known:
            raise UnknownName("option", name, known, of=f"the agent `{agent}`")
