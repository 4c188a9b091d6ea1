"""The name of a store -> a store, made or brought up to date where need be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import make_url

from loopwright.errors import StoreError
from loopwright.records.shape import Kinds
from loopwright.store.database import OTHER_STORE, Database, sqlite_engine
from loopwright.store.migrating import migrate
from loopwright.store.store import Store


def open_store(place: str | Path, kinds: Kinds) -> Store:
    """Open the store at a path or a `sqlite:///` URL; `kinds` gives the class for a kind of criterion."""
    path = _file(place)
    database = Database(sqlite_engine(path), str(path))
    try:
        if path.is_dir():
            raise StoreError(f"`{path}` is a folder, not a store", f"name a file in it: {path / 'store.sqlite'}")
        path.parent.mkdir(parents=True, exist_ok=True)
        migrate(database, path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the store `{path}` can't be opened: {error}", OTHER_STORE) from error
    finally:
        database.close()  # what made the store is let go of; the pool opens again by itself
    return Store(database, kinds)


def _file(place: str | Path) -> Path:
    if isinstance(place, Path) or "://" not in place:
        return Path(place).expanduser()
    scheme = place.partition(":")[0]
    if scheme != "sqlite" or not (name := make_url(place).database):
        raise StoreError(f"a store can't be in `{scheme}`", "name a file, or write sqlite:///path/to/store.sqlite")
    return Path(name)
