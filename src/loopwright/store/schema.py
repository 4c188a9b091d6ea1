"""The tables. What makes them in a database is migrations/; a test holds the two together."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from loopwright.records.check import Verdict
from loopwright.records.event import EventKind
from loopwright.records.run import Ending, Reason, Status
from loopwright.store.columns import Json, OneOf, WholeJson, Words

metadata = MetaData()

VIEWS = {
    "run_summary": ("started_at", "run_id"),
    "errors": ("run_id", "seq"),
    "tool_usage": ("run_id", "tool"),
    "commands": ("run_id", "seq"),
    "agent_runs": ("created_at", "id"),
}
"""What people who write SQL are given -> the order that we read it in."""


def _run_id() -> Column[str]:
    return Column("run_id", Text, ForeignKey("runs.id"), nullable=False)


def _tokens() -> list[Column[int]]:
    names = ("input", "output", "cache_read", "cache_write")
    return [Column(f"tokens_{name}", BigInteger, nullable=False) for name in names]


runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("status", OneOf(Status), nullable=False),
    Column("reason", OneOf(Reason)),
    Column("detail", Words, nullable=False),
    Column("goal", Words, nullable=False),
    Column("task_type", Words, nullable=False),
    Column("agent", Words, nullable=False),
    Column("model", Words, nullable=False),
    Column("task", Json, nullable=False),
    Column("profile", Json, nullable=False),
    Column("budget", Json, nullable=False),
    Column("repository", Words, nullable=False),
    Column("base", Words, nullable=False),
    Column("branch", Words, nullable=False),
    Column("commit_hash", Text, key="commit"),  # COMMIT is a keyword
    Column("workspace", Words, nullable=False),
    Column("artifacts", Words, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("ended_at", Text),
    Column("iterations", Integer, nullable=False),
    Column("cost_usd", Double, nullable=False),
    *_tokens(),
    Column("duration_s", Double, nullable=False),
    Column("closed_at", Text),
    Column("closed_reason", Words, nullable=False),
    Column("source", Text, nullable=False, server_default=""),
    Column("prompt_version", Words, nullable=False, server_default=""),
    Index("runs_started_at", "started_at"),
    Index("runs_status", "status", "started_at"),
)

steps = Table(
    "steps",
    metadata,
    Column("id", Text, primary_key=True),
    _run_id(),
    Column("number", Integer, nullable=False),
    Column("title", Words, nullable=False),
    UniqueConstraint("run_id", "number", name="steps_number"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Text, primary_key=True),
    _run_id(),
    Column("step_id", Text, ForeignKey("steps.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("process", Text, nullable=False, server_default=""),
    Column("ended_at", Text),
    Column("ending", OneOf(Ending)),
    Column("exit_code", BigInteger),
    Column("detail", Words, nullable=False),
    Column("output", Words, nullable=False),
    Column("cost_usd", Double, nullable=False),
    *_tokens(),
    Column("duration_s", Double, nullable=False),
    Column("commit_hash", Text, key="commit"),
    Column("tree_hash", Text, key="tree"),
    Column("files_changed", Words, nullable=False),
    Column("unknown_lines", Integer, nullable=False),
    Column("masked", Integer, nullable=False, server_default="0"),
    Column("conversation", Words, nullable=False, server_default=""),
    Column("role", Text, nullable=False, server_default="worker"),
    Column("agent", Words, nullable=False),
    Column("model", Words, nullable=False),
    Column("environment", Json, nullable=False),
    UniqueConstraint("run_id", "number", name="attempts_number"),
    Index("attempts_started_at", "started_at"),
)

_IS_CALL = text("kind = 'tool_call' OR kind = 'tool_result'")
_IS_ERROR = text("error_kind IS NOT NULL")

events = Table(
    "events",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("attempt_id", Text),  # no foreign key: a look-up less for each of millions of rows
    Column("kind", OneOf(EventKind), nullable=False),
    Column("text", Words, nullable=False),
    Column("tool", Words),
    Column("call_id", Words),
    Column("parent_call_id", Words),
    Column("command", Words),
    Column("exit_code", BigInteger),
    Column("path", Words),
    Column("is_error", Boolean, nullable=False),
    Column("error_kind", Text),
    Column("fingerprint", Text),
    Column("duration_s", Double),
    Column("data", Json),
    CheckConstraint("seq > 0", name="events_numbered"),
    # The views join a result to its call, and count calls and errors, without reading the events themselves.
    Index("events_calls", "run_id", "kind", "call_id", sqlite_where=_IS_CALL),
    Index("events_errors", "run_id", "error_kind", sqlite_where=_IS_ERROR),
    sqlite_with_rowid=False,
)

checks = Table(
    "checks",
    metadata,
    Column("id", Text, primary_key=True),
    _run_id(),
    Column("number", Integer, nullable=False),  # the order in which they came: ids of one millisecond have none
    Column("attempt_id", Text, ForeignKey("attempts.id")),
    Column("iteration", Integer, nullable=False),
    Column("criterion", Words, nullable=False),
    Column("kind", Text, nullable=False),
    Column("verdict", OneOf(Verdict), nullable=False),
    Column("held_out", Boolean, nullable=False),
    Column("self_graded", Boolean, nullable=False),
    Column("flaky", Boolean, nullable=False),
    Column("accounting", Text),
    Column("evidence", Words, nullable=False),
    Column("criterion_hash", Text, nullable=False),
    Column("tree_hash", Text, nullable=False),
    Column("command", Words),
    Column("exit_code", BigInteger),
    Column("output_hash", Text),
    Column("duration_s", Double, nullable=False),
    Column("environment", Json, nullable=False),
    Column("proof", Json),
    Column("advisory", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("run_id", "number", name="checks_number"),
)

comments = Table(
    "comments",
    metadata,
    Column("id", Text, primary_key=True),
    _run_id(),
    Column("at", Text, nullable=False),
    Column("text", Words, nullable=False),
    Index("comments_run", "run_id", "at"),
)

acceptances = Table(
    "acceptances",
    metadata,
    Column("id", Text, primary_key=True),
    _run_id(),
    Column("at", Text, nullable=False),
    Column("by", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("contents", WholeJson, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("token", BigInteger, nullable=False),
    Column("holder", Text, nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("renewed_at", Text, nullable=False),
)

# What events come to, kept as they come in: nobody has to read them to count them, and counts outlive them.
rollups = Table(
    "rollups",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("tool", Words, primary_key=True),  # empty for what is neither a call nor a result
    Column("events", BigInteger, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("failed", BigInteger, nullable=False),  # results that are errors
    Column("timed", BigInteger, nullable=False),  # results that say how long it took
    Column("duration_s", Double, nullable=False),
    Column("errors", BigInteger, nullable=False),  # events with an error_kind
)

# Sessions that ran elsewhere: what a run does not have.
sessions = Table(
    "sessions",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("format", Text, nullable=False),
    Column("session_id", Words, nullable=False),
    Column("path", Words, nullable=False),
    Column("project", Words, nullable=False),
    Column("agent_version", Words, nullable=False),
    Column("active_s", Double, nullable=False),
    Column("prompts", BigInteger, nullable=False),
    Column("interrupts", BigInteger, nullable=False),
    Column("rejections", BigInteger, nullable=False),
    Column("raw_lines", BigInteger, nullable=False),
    Column("masked", BigInteger, nullable=False),
    Column("reread", Json),
    Column("attributes", Json),
    Column("has_content", Boolean, nullable=False),
    UniqueConstraint("format", "session_id", name="sessions_name"),
)

# By what a copy of a session is known: the ids of its calls and messages, a line each, of many events in one row.
session_marks = Table(
    "session_marks",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("first", BigInteger, primary_key=True, autoincrement=False),  # the number of the first of these events
    Column("marks", Words, nullable=False),
)

# Sessions that nobody has compared with the others since they were written.
session_news = Table(
    "session_news",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
)

# Of sessions that have events of others: what they come to, apart for each set of sessions that have the same.
session_portions = Table(
    "session_portions",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("runs", WholeJson, nullable=False),
    Column("counts", WholeJson, nullable=False),
)

daily_usage = Table(
    "daily_usage",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("model", Words, primary_key=True),
    *_tokens(),
    Column("cost_usd", Double),
)

# The files in which sessions were looked for, as they were then.
sources = Table(
    "sources",
    metadata,
    Column("path", Words, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("format", Text, nullable=False),
    Column("note", Words, nullable=False),
    Column("runs", Json),
    Column("has_content", Boolean, nullable=False),
    Column("reader", Integer, nullable=False),
)
