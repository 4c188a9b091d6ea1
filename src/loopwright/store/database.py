"""Connections that read or write, with errors that people can act on; the dialects are sqlite.py and postgres.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, exc, make_url

from loopwright.errors import StoreError
from loopwright.store.patience import Passing, Patience, Trouble

OTHER_STORE = "name another store with LOOPWRIGHT_STORE"


_WHERE = ("host", "port", "user", "dbname")
"""What a URL's query may say of a place; the rest of it could be a password under any name."""

_Kinds = tuple[type[Exception], ...]


def shown(place: str | Path) -> str:
    """Write the name of a store without what is secret in it."""
    if isinstance(place, Path) or "://" not in place:
        return str(place)
    if place.count("@") > 1:  # where the password ends can't be told for certain
        return f"{place.partition('://')[0]}://***"
    url = make_url(place)
    kept = {key: value for key, value in url.query.items() if key in _WHERE}
    return url.set(query=kept).render_as_string(hide_password=True)


class Taken(StoreError):
    """What was to be written is there already, or belongs to nothing that is there."""


class Database:
    """An engine, the two ways to use it, and how long to wait for it."""

    def __init__(
        self,
        reader: Engine,
        writer: Engine,
        name: str,
        diagnose: Callable[[BaseException], Trouble | None],
        patience: Patience = Patience(),
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._diagnose = diagnose
        self.name = name
        self.patience = patience

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the store for as long as it is held."""
        with self.explained("read"), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection whose changes become visible together at the end, or not at all."""
        with self.explained("written"), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        self._writer.dispose()  # they share a pool

    @contextmanager
    def explained(self, done: str, kinds: _Kinds = (exc.DBAPIError,)) -> Iterator[None]:
        """Turn what the database says into errors of ours."""
        try:
            yield
        except kinds as error:
            said = (error.orig if isinstance(error, exc.DBAPIError) else None) or error
            message = f"the store `{self.name}` can't be {done}: {str(said).strip()}"
            if trouble := self._diagnose(error):
                raise Passing(trouble, message, OTHER_STORE) from error
            kind = Taken if isinstance(error, exc.IntegrityError) else StoreError
            raise kind(message, OTHER_STORE) from error


class OnDatabase:
    """A part of a store, whose methods are `@patient`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def patience(self) -> Patience:
        return self._database.patience
