"""The numbered steps in migrations/, taken on a connection that somebody else holds."""

from __future__ import annotations

import threading
from pathlib import Path

from sqlalchemy import Connection

MIGRATIONS = Path(__file__).with_name("migrations")

_alembic = threading.Lock()  # it keeps what it works on in globals


def known_versions(migrations: Path = MIGRATIONS) -> list[str]:
    """Name the versions that there are steps to, the oldest first."""
    return sorted(file.name.partition("_")[0] for file in (migrations / "versions").glob("[0-9]*.py"))


def take_steps(connection: Connection, migrations: Path = MIGRATIONS, version: str = "head") -> None:
    """Go through the steps that a store has not seen yet, up to a version."""
    # Dear to import, and needed only by a store that is older than we are, or moves from one database to another.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _alembic:
        command.upgrade(config, version)
