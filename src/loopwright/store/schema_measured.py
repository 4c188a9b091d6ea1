"""The tables of what is measured: signals, what humans say of them and of runs, what models answered."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Table, Text

from loopwright.store.columns import Json, WholeJson, Words
from loopwright.store.schema import metadata

signals = Table(
    "signals",
    metadata,
    Column("id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("type", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("description", Words, nullable=False),
    Column("events", Json, nullable=False),
    Column("at", Text, nullable=False),
    Column("action", Words, nullable=False),
    Column("category", Words, nullable=False),
    Column("source", Text, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost_usd", Double, nullable=False),
    Column("confidence", Double),
    Index("signals_run", "run_id"),
    Index("signals_type", "type", "at"),
)

# Which runs were looked at, and by which detectors; a run whose events change is looked at again.
measured = Table(
    "measured",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("detectors", Text, nullable=False),
)

# What a human said of a signal stays when its session is measured again.
signal_marks = Table(
    "signal_marks",
    metadata,
    Column("signal_id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("type", Text, nullable=False),
    Column("is_wrong", Boolean, nullable=False),
    Column("at", Text, nullable=False),
    Column("reason", Words, nullable=False),
    Index("signal_marks_run", "run_id"),
)

feedback = Table(
    "feedback",
    metadata,
    Column("id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("at", Text, nullable=False),
    Column("by", Words, nullable=False),
    Column("is_up", Boolean, nullable=False),
    Column("comment", Words, nullable=False),
    Index("feedback_run", "run_id"),
)

# The same question to the same model has the same answer ever after; the key is a hash of both.
answers = Table(
    "answers",
    metadata,
    Column("key", Text, primary_key=True),
    Column("model", Words, nullable=False),
    Column("at", Text, nullable=False),
    Column("answer", WholeJson, nullable=False),
    Column("cost_usd", Double),
)

# What looks of a model at a session have cost so far: there is a cap on it.
judged = Table(
    "judged",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("cost_usd", Double, nullable=False),
)
