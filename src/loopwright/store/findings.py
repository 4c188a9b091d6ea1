"""Findings and their sightings in and out of their tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, and_, func, select, true

from loopwright.errors import UnknownName, UsageError
from loopwright.records.finding import Finding, Sighting
from loopwright.store.database import OnDatabase
from loopwright.store.patience import patient
from loopwright.store.schema_diagnosed import findings, sightings
from loopwright.store.sessions import upsert

_SHOWN = 10
_LISTS = ("runs", "signals")


class Findings(OnDatabase):
    """The part of the store that diagnose reads and writes."""

    @patient
    def add(self, seen: Sequence[Sighting]) -> None:
        """Write sightings, all of them or none; of one key and one moment the later counts."""
        with self._database.write() as connection:
            upsert(connection, findings, [_summary(one) for one in seen], keep=("first_at",))
            upsert(connection, sightings, [_row(one) for one in seen])

    @patient
    def latest(self) -> Mapping[str, Sighting]:
        """Give how each finding was seen last."""
        return self._newest(true())

    @patient
    def references(self) -> Mapping[str, Sighting]:
        """Give of each finding the last sighting that said more than `same`: what the next one is held against."""
        return self._newest(sightings.c.change != "same")

    @patient
    def history(self, key: str) -> Sequence[Sighting]:
        """Give all sightings of a finding, the oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(sightings).where(sightings.c.key == key).order_by(sightings.c.at))
            return [_sighting(row) for row in rows.mappings()]

    @patient
    def key_of(self, name: str) -> str:
        """Give the key that a person means: all of it, or a part that only one has."""
        with self._database.read() as connection:
            keys = connection.execute(select(findings.c.key).order_by(findings.c.key)).scalars().all()
        found = [name] if name in keys else [key for key in keys if name.strip() and name.strip() in key]
        if not found:
            raise UnknownName("finding", name, keys, "see: loopwright findings")
        if len(found) > 1:
            listed = "\n".join(f"  {key}" for key in found[:_SHOWN])
            raise UsageError(f"`{name}` is more than one finding", f"say more of the key:\n{listed}")
        return found[0]

    def _newest(self, which: ColumnElement[bool]) -> Mapping[str, Sighting]:
        newest = select(sightings.c.key, func.max(sightings.c.at).label("at")).where(which).group_by(sightings.c.key)
        with self._database.read() as connection:
            return {row["key"]: _sighting(row) for row in connection.execute(_joined(newest)).mappings()}


def _joined(newest: Select[Any]) -> Select[Any]:
    these = newest.subquery()
    return select(sightings).join(these, and_(sightings.c.key == these.c.key, sightings.c.at == these.c.at))


def _summary(one: Sighting) -> dict[str, Any]:
    its = one.finding
    names = {"key": its.key, "goal": its.goal, "rule": its.rule, "title": its.title, "target": its.target}
    return names | {"change": one.change, "first_at": one.first_at or one.at, "at": one.at}


def _row(one: Sighting) -> dict[str, Any]:
    its = one.finding
    seen = {"key": its.key, "at": one.at, "change": one.change, "before": one.before}
    counts = {"sessions": its.sessions, "of": its.of, "waste_usd": its.waste_usd}
    whole = dataclasses.asdict(its) | {name: list(getattr(its, name)) for name in _LISTS}
    return seen | counts | {"first_at": one.first_at or one.at, "finding": whole}


def _sighting(row: RowMapping) -> Sighting:
    whole = row["finding"]
    finding = Finding(**{**whole, **{name: tuple(whole.get(name, ())) for name in _LISTS}})
    return Sighting(finding, row["at"], row["change"], row["before"], row["first_at"])
