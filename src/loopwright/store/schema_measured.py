"""The tables of what is measured: signals, what humans say of them, what runs came to, what models answered."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text

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

# How an agent went about each run: what questions over many runs are answered from.
practices = Table(
    "practices",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("reads_before_edit", BigInteger, nullable=False),
    Column("edits", BigInteger, nullable=False),
    Column("retries", BigInteger, nullable=False),
)

run_errors = Table(
    "run_errors",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("fingerprint", Text, primary_key=True),
    Column("tool", Words, nullable=False),
    Column("count", BigInteger, nullable=False),
    Column("message", Words, nullable=False),
    Index("run_errors_fingerprint", "fingerprint"),
)

recoveries = Table(
    "recoveries",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("remedy", Text, primary_key=True),
    Column("topic", Words, primary_key=True),
    Column("tries", BigInteger, nullable=False),
    Column("passes", BigInteger, nullable=False),
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

# What each run came to, in one narrow row: numbers over many runs are read from here alone.
outcomes = Table(
    "outcomes",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("project", Words, nullable=False),
    Column("task_type", Words, nullable=False),
    Column("agent", Words, nullable=False),
    Column("model", Words, nullable=False),
    Column("profile", Words, nullable=False),
    Column("prompt_version", Words, nullable=False),
    Column("source", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("hour", Integer),  # of the day, in UTC
    Column("passed", Boolean),
    Column("first_pass", Boolean),
    Column("seconds", Double, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost_usd", Double, nullable=False),
    Column("iterations", Integer, nullable=False),
    Column("tool_calls", BigInteger, nullable=False),
    Column("tool_errors", BigInteger, nullable=False),
    Column("interrupts", BigInteger, nullable=False),
    Column("rejections", BigInteger, nullable=False),
    Column("human", Boolean, nullable=False),
    Column("rejected", Boolean, nullable=False),
    Column("lines_added", BigInteger),
    Column("lines_removed", BigInteger),
    Column("coverage", Double),  # in percent
    Index("outcomes_started_at", "started_at"),
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

FOUND = (signals, measured, practices, run_errors, recoveries, outcomes)
"""What was found in a run, and would be found again."""
BELONGING = (*FOUND, signal_marks, feedback, judged)
"""What belongs to a run, in an order in which it can be removed."""
