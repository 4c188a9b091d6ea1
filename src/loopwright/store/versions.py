"""Versions of prompts and profiles in and out of their tables. Putting one into use is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from loopwright.errors import BusyError
from loopwright.records.version import COMMANDS, Kind, Release, Version
from loopwright.store.database import OnDatabase, Taken
from loopwright.store.inserting import is_there
from loopwright.store.patience import patient
from loopwright.store.schema_released import in_use, releases, versions


class Versions(OnDatabase):
    """The part of the store that release reads and writes."""

    @patient
    def names(self, kind: Kind) -> Sequence[str]:
        """Name what there is of a kind."""
        with self._database.read() as connection:
            return connection.execute(_of(kind).with_only_columns(versions.c.name).distinct()).scalars().all()

    @patient
    def history(self, kind: Kind, name: str) -> Sequence[Version]:
        """Give all versions, the oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(_of(kind).where(versions.c.name == name).order_by(versions.c.number))
            return [Version(**row) for row in rows.mappings()]

    @patient
    def releases(self, kind: Kind, name: str) -> Sequence[Release]:
        """Give what was put into use, the oldest first."""
        with self._database.read() as connection:
            its = (releases.c.kind == kind, releases.c.name == name)
            rows = connection.execute(select(releases).where(*its).order_by(releases.c.at, releases.c.id))
            return [Release(**row) for row in rows.mappings()]

    @patient
    def rolled_back(self) -> Sequence[tuple[Release, Release]]:
        """Give the releases that took another one back, each with that one."""
        with self._database.read() as connection:
            rows = connection.execute(select(releases).where(releases.c.undoes != "")).mappings()
            backs = [Release(**row) for row in rows]
            wanted = releases.c.id.in_([back.undoes for back in backs])
            undone = {
                row["id"]: Release(**row) for row in connection.execute(select(releases).where(wanted)).mappings()
            }
        return [(back, undone[back.undoes]) for back in backs]

    @patient
    def current(self, kind: Kind, name: str) -> tuple[Release, Version] | None:
        """Give what is in use."""
        with self._database.read() as connection:
            found = _release_of(connection, kind, name)
            return (found, _version_of(connection, kind, name, found.number)) if found else None

    @patient
    def add(self, version: Version) -> Version:
        """Write a version down under the next number, whatever number it has; give it as it is written."""
        with self._database.write() as connection:
            return add(connection, version)

    @patient
    def begin(self, version: Version, release: Release) -> None:
        """Write a first version and put it into use, unless something is."""
        row = {"kind": version.kind, "name": version.name, "release_id": release.id}
        with suppress(Taken), self._database.write() as connection:  # by somebody else who begins at the same time
            if _release_of(connection, version.kind, version.name) is None:
                connection.execute(insert(in_use), row)
                connection.execute(insert(versions), vars(version))
                connection.execute(insert(releases), vars(release))

    @patient
    def put_in_use(self, release: Release, seen: str) -> None:
        """Put a version into use in the place of the release that was seen; BusyError where it is not that any more."""
        with self._database.write() as connection:
            put_in_use(connection, release, seen)


def put_in_use(connection: Connection, release: Release, seen: str) -> None:
    """Put a version into use, within a transaction."""
    if is_there(connection, releases, release.id):
        return
    its = (in_use.c.kind == release.kind, in_use.c.name == release.name, in_use.c.release_id == seen)
    if connection.execute(update(in_use).where(*its).values(release_id=release.id)).rowcount != 1:
        words = f"somebody else has released another version of `{release.name}` meanwhile"
        raise BusyError(words, f"see: loopwright {COMMANDS[release.kind]} log {release.name}")
    connection.execute(insert(releases), vars(release))


def _of(kind: Kind) -> Select[Any]:
    return select(versions).where(versions.c.kind == kind)


def _release_of(connection: Connection, kind: Kind, name: str) -> Release | None:
    joined = select(releases).join_from(in_use, releases, in_use.c.release_id == releases.c.id)
    row = connection.execute(joined.where(in_use.c.kind == kind, in_use.c.name == name)).mappings().first()
    return Release(**row) if row else None


def _version_of(connection: Connection, kind: Kind, name: str, number: int) -> Version:
    row = connection.execute(_of(kind).where(versions.c.name == name, versions.c.number == number)).mappings().one()
    return Version(**row)


def add(connection: Connection, version: Version) -> Version:
    """Write a version down under the next number, within a transaction."""
    if known := connection.execute(select(versions).where(versions.c.id == version.id)).mappings().first():
        return Version(**known)
    mine = (in_use.c.kind == version.kind, in_use.c.name == version.name)
    connection.execute(select(in_use).where(*mine).with_for_update())  # one at a time gets the next number
    its = (versions.c.kind == version.kind, versions.c.name == version.name)
    number = connection.execute(select(func.coalesce(func.max(versions.c.number), 0) + 1).where(*its)).scalar_one()
    row = vars(version) | {"number": number}
    connection.execute(insert(versions), row)
    return Version(**row)
