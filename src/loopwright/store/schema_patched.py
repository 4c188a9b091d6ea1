"""The table of patches: what was proposed, and what became of it."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from loopwright.store.columns import WholeJson, Words
from loopwright.store.schema import metadata

patches = Table(
    "patches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False),  # of what would change: nothing is proposed twice
    Column("surface", Text, nullable=False),
    Column("target", Words, nullable=False),
    Column("finding", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("before", Words, nullable=False),
    Column("after", Words, nullable=False),
    Column("author", Words, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("why", Words, nullable=False),
    Column("experiment", Text, nullable=False),
    Column("version", Integer),
    Column("approved_by", Words, nullable=False),
    Column("runs", WholeJson, nullable=False),
    UniqueConstraint("hash", name="patches_hash"),
    Index("patches_status", "status"),
)
