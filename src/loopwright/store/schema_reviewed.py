"""The tables of reviews: what was put before a human, and what they said."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text

from loopwright.store.columns import WholeJson, Words
from loopwright.store.schema import metadata

reviews = Table(
    "reviews",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("created_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("shown", WholeJson, nullable=False),  # all that a human sees of it
)

# An answer is written before anything is done about it.
said = Table(
    "said",
    metadata,
    Column("id", Text, primary_key=True),  # the channel's own name for it: delivered twice, it is there once
    Column("review_id", Text, ForeignKey("reviews.id"), nullable=False),
    Column("at", Text, nullable=False),
    Column("by", Words, nullable=False),
    Column("channel", Text, nullable=False),
    Column("words", Words, nullable=False),
    Column("shown", Text, nullable=False),
    Column("outcome", Words, nullable=False),
    Column("done", Boolean, nullable=False),
    Index("said_review", "review_id", "at"),
)
