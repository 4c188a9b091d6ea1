"""The store that every test here gets, once in SQLite and once in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.store import Store, open_store
from postgres import EMPTY, Server

from .samples import kinds


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the name of a store that nobody else has."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return str(tmp_path / "store.sqlite")


@pytest.fixture(params=["sqlite", "postgres"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the name of a store that is not there yet."""
    if request.param == "sqlite":
        yield str(tmp_path / "store.sqlite")
        return
    server: Server = request.getfixturevalue("postgres")
    with server.database(EMPTY) as url:
        yield url


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with open_store(place, kinds) as opened:
        yield opened
