"""Many ids -> as many at a time as one query may ask for: a database takes only so many parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

_AT_ONCE = 500
_Id = TypeVar("_Id", str, int)


def batches(ids: Sequence[_Id]) -> Iterator[Sequence[_Id]]:
    """Part ids."""
    for first in range(0, len(ids), _AT_ONCE):
        yield ids[first : first + _AT_ONCE]
