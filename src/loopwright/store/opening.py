"""The name of a store -> a store, made or brought up to date where need be."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from sqlalchemy import make_url

from loopwright.errors import StoreError
from loopwright.records.shape import Kinds
from loopwright.store.database import Database
from loopwright.store.migrating import migrate, migrate_server
from loopwright.store.patience import Patience
from loopwright.store.place import file_of
from loopwright.store.sqlite import sqlite_database
from loopwright.store.store import Store


def open_store(place: str | Path, kinds: Kinds, patience: Patience = Patience(), backups: Path | None = None) -> Store:
    """Open the store at a path, a `sqlite:///` or `postgresql://` URL; `kinds` gives the class for a kind.

    An older store is copied before it is brought up to date: a file beside itself, a server's to the folder `backups`.
    """
    path = file_of(place)
    if path is None:
        return Store(_on_server(str(place), patience, backups or Path.cwd()), kinds)
    return Store(_in_file(path, patience), kinds)


def _on_server(url: str, patience: Patience, backups: Path) -> Database:
    from loopwright.store.postgres import postgres_database  # dear to import, and SQLite needs none of it

    database = postgres_database(url, patience)

    def back_up(version: str) -> None:
        from loopwright.store.backup import copy_to_file

        with database.read() as connection:
            copy_to_file(connection, backups / f"{make_url(url).database}.{version}.backup")

    with contextlib.ExitStack() as stack:
        stack.callback(database.close)
        patience.at_the_start().keep_trying(lambda: migrate_server(database, back_up))
        stack.pop_all()  # what was opened is kept
    return database


def _in_file(path: Path, patience: Patience) -> Database:
    if path.is_dir():
        raise StoreError(f"`{path}` is a folder, not a store", f"name a file in it: {path / 'store.sqlite'}")
    database = sqlite_database(path, patience)
    patience.at_the_start().keep_trying(lambda: _ready(database, path))
    return database


def _ready(database: Database, path: Path) -> None:
    try:
        with database.explained("opened", (OSError, sqlite3.Error)):
            path.parent.mkdir(parents=True, exist_ok=True)
            migrate(database, path)
    finally:
        database.close()  # what made the store is let go of; the pool opens again by itself
