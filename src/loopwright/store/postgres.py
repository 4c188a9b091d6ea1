"""The dialect of PostgreSQL: a URL -> a database that is waited for when it is gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, exc, make_url

from loopwright.errors import StoreError
from loopwright.store.database import Database, shown
from loopwright.store.patience import Patience, Trouble

_NOTICED = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "application_name": "loopwright",
}
"""A server that has gone without a word is noticed within half a minute; the URL may say otherwise."""

_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '20s'"
"""Who is stopped (Ctrl-Z) within a write does not keep the others out for longer than this."""

_GONE = re.compile(r"08...|57P0[123]|53300|40001|40P01|25P03")
"""Connection lost, shut down, crashed, starting up, too many at once, in each other's way, stopped for too long."""
_FULL = "53100"
# A connection that can't be made has no code, only words; those of a wrong password, name or host are not among them.
_GONE_WORDS = re.compile(
    r"refused|closed the connection|reset by peer|broken pipe|timeout|timed out|unreachable|no route to host"
    r"|no such file or directory|starting up|shutting down|recovery mode|not yet accepting|terminating"
    r"|too many clients|slots are reserved",
    re.IGNORECASE,
)


def postgres_engine(name: str, **options: Any) -> Engine:
    """Make an engine of a URL; nothing is connected yet."""
    url = _read(name)
    try:
        return create_engine(url, **options)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"a store in PostgreSQL needs the package `{error.name}`", 'pip install "psycopg[binary]"'
        ) from error


def postgres_database(name: str, patience: Patience = Patience()) -> Database:
    """Make a database of a URL; nothing is connected yet."""
    engine = postgres_engine(name, max_overflow=-1)
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    writer = engine.execution_options(isolation_level="READ COMMITTED")
    event.listen(writer, "begin", lambda connection: connection.exec_driver_sql(_IDLE))
    return Database(reader, writer, shown(name), diagnose, patience)


def copy_rows(connection: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows with a value for each column of a table: four times as fast as inserting them."""
    driver, raw = connection.dialect.loaded_dbapi, cast(Any, connection.connection)
    listed = ", ".join(f'"{column.name}"' for column in table.columns)
    statement = f"COPY {table.name} ({listed}) FROM STDIN"
    try:
        with raw.cursor() as cursor, cursor.copy(statement) as copying:
            for row in rows:
                copying.write_row(row)
    except driver.Error as error:  # which SQLAlchemy has not seen
        raise exc.DBAPIError.instance(statement, None, error, driver.Error, dialect=connection.dialect) from error


def diagnose(error: BaseException) -> Trouble | None:
    """Say whether an error is one that passes: the server is gone for a while, or its disk is full."""
    if not isinstance(error, exc.DBAPIError):
        return None
    code = getattr(error.orig, "sqlstate", None)
    if code == _FULL:
        return "full"
    if error.connection_invalidated or (code and _GONE.fullmatch(code)):
        return "gone"
    lost = isinstance(error, exc.OperationalError) and code is None
    return "gone" if lost and _GONE_WORDS.search(str(error.orig)) else None


def _read(name: str) -> URL:
    if name.count("@") > 1:  # the driver would take a part of the password for the host, and say so
        hint = "one that is a part of a name or a password is written `%40`: postgresql://user:p%40ss@host/database"
        raise StoreError("the store's URL holds more than one `@`", hint)
    try:
        url = make_url(name)
    except (exc.ArgumentError, ValueError):  # which would repeat the password
        raise StoreError("the store's URL can't be read", "write postgresql://user@host/database") from None
    given: dict[str, Any] = _NOTICED | dict(url.query)
    return url.set(drivername="postgresql+psycopg", query=given)
