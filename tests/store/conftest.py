"""The store that every test here gets; what only SQLite has is in test_opening, test_database and test_migrating."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.store import Store, open_store

from .samples import kinds


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Give the name of a store that is not there yet."""
    return str(tmp_path / "store.sqlite")


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with open_store(place, kinds) as opened:
        yield opened
