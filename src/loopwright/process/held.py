"""Files that every child of ours holds open too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def held(file: IO[str]) -> Iterator[None]:
    """Stand in until the real one is merged."""
    yield
