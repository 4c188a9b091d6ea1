"""Version 0001: runs, steps, attempts, events, checks, comments, and four views."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations.views_0001 import VIEWS

revision = "0001"
down_revision = None


def upgrade() -> None:
    _runs()
    _steps_and_attempts()
    _events()
    _checks()
    _comments()
    for name, query in VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")


def _text(name: str, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False)


def _tokens() -> list[sa.Column[int]]:
    names = ("tokens_input", "tokens_output", "tokens_cache_read", "tokens_cache_write")
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, primary_key=True),
        _text("status"),
        _text("reason", nullable=True),
        _text("detail"),
        _text("goal"),
        _text("task_type"),
        _text("agent"),
        _text("model"),
        _text("task"),
        _text("profile"),
        _text("budget"),
        _text("repository"),
        _text("base"),
        _text("branch"),
        _text("commit_hash", nullable=True),
        _text("workspace"),
        _text("artifacts"),
        _text("started_at"),
        _text("ended_at", nullable=True),
        sa.Column("iterations", sa.Integer, nullable=False),
        sa.Column("cost_usd", sa.Double, nullable=False),
        *_tokens(),
        sa.Column("duration_s", sa.Double, nullable=False),
        _text("closed_at", nullable=True),
        _text("closed_reason"),
    )
    op.create_index("runs_started_at", "runs", ["started_at"])
    op.create_index("runs_status", "runs", ["status", "started_at"])


def _steps_and_attempts() -> None:
    op.create_table(
        "steps",
        sa.Column("id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("number", sa.Integer, nullable=False),
        _text("title"),
        sa.UniqueConstraint("run_id", "number", name="steps_number"),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("step_id", sa.Text, sa.ForeignKey("steps.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        _text("started_at"),
        sa.Column("pid", sa.Integer),
        _text("ended_at", nullable=True),
        _text("ending", nullable=True),
        sa.Column("exit_code", sa.BigInteger),
        _text("detail"),
        _text("output"),
        sa.Column("cost_usd", sa.Double, nullable=False),
        *_tokens(),
        sa.Column("duration_s", sa.Double, nullable=False),
        _text("commit_hash", nullable=True),
        _text("tree_hash", nullable=True),
        _text("files_changed"),
        sa.Column("unknown_lines", sa.Integer, nullable=False),
        _text("agent"),
        _text("model"),
        _text("environment"),
        sa.UniqueConstraint("run_id", "number", name="attempts_number"),
    )


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        _text("at"),
        _text("attempt_id", nullable=True),
        _text("kind"),
        _text("text"),
        _text("tool", nullable=True),
        _text("call_id", nullable=True),
        _text("parent_call_id", nullable=True),
        _text("command", nullable=True),
        sa.Column("exit_code", sa.BigInteger),
        _text("path", nullable=True),
        sa.Column("is_error", sa.Boolean, nullable=False),
        _text("error_kind", nullable=True),
        _text("fingerprint", nullable=True),
        sa.Column("duration_s", sa.Double),
        _text("data", nullable=True),
        sa.CheckConstraint("seq > 0", name="events_numbered"),
        sqlite_with_rowid=False,
    )
    _partial_index("events_calls", ["run_id", "kind", "call_id"], "kind = 'tool_call' OR kind = 'tool_result'")
    _partial_index("events_errors", ["run_id", "error_kind"], "error_kind IS NOT NULL")


def _partial_index(name: str, columns: list[str], condition: str) -> None:
    op.create_index(name, "events", columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition))


def _checks() -> None:
    op.create_table(
        "checks",
        sa.Column("id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("attempt_id", sa.Text, sa.ForeignKey("attempts.id")),
        sa.Column("iteration", sa.Integer, nullable=False),
        _text("criterion"),
        _text("kind"),
        _text("verdict"),
        sa.Column("held_out", sa.Boolean, nullable=False),
        sa.Column("self_graded", sa.Boolean, nullable=False),
        sa.Column("flaky", sa.Boolean, nullable=False),
        _text("accounting", nullable=True),
        _text("evidence"),
        _text("criterion_hash"),
        _text("tree_hash"),
        _text("command", nullable=True),
        sa.Column("exit_code", sa.BigInteger),
        _text("output_hash", nullable=True),
        sa.Column("duration_s", sa.Double, nullable=False),
        _text("environment"),
        sa.UniqueConstraint("run_id", "number", name="checks_number"),
    )


def _comments() -> None:
    op.create_table("comments", sa.Column("id", sa.Text, primary_key=True), _run_id(), _text("at"), _text("text"))
    op.create_index("comments_run", "comments", ["run_id", "at"])
