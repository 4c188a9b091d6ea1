"""The tables of what other programs send: spans as they came, and evaluations."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Table, Text

from loopwright.store.columns import Json, Words
from loopwright.store.schema import metadata

# Spans come in any order and several times: sessions are made of them again whenever more have come.
spans = Table(
    "spans",
    metadata,
    Column("trace_id", Text, primary_key=True),
    Column("span_id", Text, primary_key=True),
    Column("parent_id", Text, nullable=False),
    Column("conversation", Words, nullable=False),
    Column("kind", Text, nullable=False),
    Column("began", Double, nullable=False),
    Column("ended", Double, nullable=False),
    Column("session_id", Words, nullable=False),  # empty: in no session, or not yet
    Column("post", Text, nullable=False),  # with which it came last
    Column("settled", Boolean, nullable=False),  # its session has been made
    Column("data", Json),
    Index("spans_session", "session_id"),
    Index("spans_settled", "settled"),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("created_at", Text, nullable=False),
    Column("task_type", Words, nullable=False),
    Column("prompt_hash", Words, nullable=False),
    Column("passed", Boolean),
    Column("score", Double),
    Column("reason", Words, nullable=False),
    Column("raw_output", Words, nullable=False),
    Column("by", Words, nullable=False),
    Column("rubric", Words, nullable=False, server_default=""),
    Column("rubric_hash", Text, nullable=False, server_default=""),
    Column("items", Json),
    Column("model", Words, nullable=False, server_default=""),
    Column("cost_usd", Double, nullable=False, server_default="0"),
    Index("evaluations_run", "run_id"),
    Index("evaluations_created_at", "created_at"),
)
