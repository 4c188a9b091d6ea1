"""The tables of versions, and of which is in use."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from loopwright.store.columns import Words
from loopwright.store.schema import metadata

versions = Table(
    "versions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Words, nullable=False),
    Column("number", Integer, nullable=False),
    Column("content", Words, nullable=False),
    Column("parent", Integer),
    Column("depth", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("reason", Words, nullable=False),
    Column("created_at", Text, nullable=False),
    UniqueConstraint("kind", "name", "number", name="versions_number"),
)

releases = Table(
    "releases",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Words, nullable=False),
    Column("number", Integer, nullable=False),
    Column("previous", Integer),
    Column("at", Text, nullable=False),
    Column("by", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("experiment", Text, nullable=False),
    Column("undoes", Text, nullable=False),
    Column("guardrails", Integer, nullable=False),
    Index("releases_name", "kind", "name", "id"),
)

# Which release counts now: one row for each name, changed in the transaction that writes the release.
in_use = Table(
    "in_use",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("name", Words, primary_key=True),
    Column("release_id", Text, nullable=False),
)
