"""Version 0008: what is measured: signals, practices, what humans say of them and of runs, what runs came to."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations import outcomes_0008

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    _signals()
    _practices()
    _words_of_humans()
    _outcomes()


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False)


def _key() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True)


def _signals() -> None:
    op.create_table(
        "signals",
        sa.Column("id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("category", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("cost_usd", sa.Double, nullable=False),
        sa.Column("confidence", sa.Double),
    )
    op.create_index("signals_run", "signals", ["run_id"])
    op.create_index("signals_type", "signals", ["type", "at"])
    op.create_table(
        "measured",
        _key(),
        sa.Column("detectors", sa.Text, nullable=False),
    )


def _practices() -> None:
    op.create_table(
        "practices",
        _key(),
        sa.Column("reads_before_edit", sa.BigInteger, nullable=False),
        sa.Column("edits", sa.BigInteger, nullable=False),
        sa.Column("retries", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "run_errors",
        _key(),
        sa.Column("fingerprint", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
    )
    op.create_index("run_errors_fingerprint", "run_errors", ["fingerprint"])
    op.create_table(
        "recoveries",
        _key(),
        sa.Column("remedy", sa.Text, primary_key=True),
        sa.Column("topic", sa.Text, primary_key=True),
        sa.Column("tries", sa.BigInteger, nullable=False),
        sa.Column("passes", sa.BigInteger, nullable=False),
    )


def _words_of_humans() -> None:
    op.create_table(
        "signal_marks",
        sa.Column("signal_id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("is_wrong", sa.Boolean, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_index("signal_marks_run", "signal_marks", ["run_id"])
    op.create_table(
        "feedback",
        sa.Column("id", sa.Text, primary_key=True),
        _run_id(),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("is_up", sa.Boolean, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
    )
    op.create_index("feedback_run", "feedback", ["run_id"])


def _outcomes() -> None:
    names = ("project", "task_type", "agent", "model", "profile", "prompt_version", "source", "status", "started_at")
    counts = ("tool_calls", "tool_errors", "interrupts", "rejections")
    op.create_table(
        "outcomes",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        *[sa.Column(name, sa.Text, nullable=False) for name in names],
        sa.Column("hour", sa.Integer),
        sa.Column("passed", sa.Boolean),
        sa.Column("first_pass", sa.Boolean),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("cost_usd", sa.Double, nullable=False),
        sa.Column("iterations", sa.Integer, nullable=False),
        *[sa.Column(name, sa.BigInteger, nullable=False) for name in counts],
        sa.Column("human", sa.Boolean, nullable=False),
        sa.Column("rejected", sa.Boolean, nullable=False),
        sa.Column("lines_added", sa.BigInteger),
        sa.Column("lines_removed", sa.BigInteger),
        sa.Column("coverage", sa.Double),
    )
    op.create_index("outcomes_started_at", "outcomes", ["started_at"])
    op.execute(outcomes_0008.fill(op.get_bind().dialect.name, "TRUE"))
