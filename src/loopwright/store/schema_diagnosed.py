"""The tables of what was diagnosed: findings, and how each was seen over time."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, Table, Text

from loopwright.store.columns import WholeJson, Words
from loopwright.store.schema import metadata

# One row for each key, as it was seen last.
findings = Table(
    "findings",
    metadata,
    Column("key", Words, primary_key=True),
    Column("goal", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("title", Words, nullable=False),
    Column("target", Words, nullable=False),
    Column("change", Text, nullable=False),
    Column("first_at", Text, nullable=False),
    Column("at", Text, nullable=False),
)

sightings = Table(
    "sightings",
    metadata,
    Column("key", Words, primary_key=True),
    Column("at", Text, primary_key=True),
    Column("change", Text, nullable=False),
    Column("before", Double),
    Column("first_at", Text, nullable=False),
    Column("sessions", Integer, nullable=False),
    Column("of", Integer, nullable=False),
    Column("waste_usd", Double, nullable=False),
    Column("finding", WholeJson, nullable=False),  # all of it, as it was seen
)
