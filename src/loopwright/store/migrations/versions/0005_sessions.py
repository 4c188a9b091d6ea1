"""Version 0005: sessions that ran elsewhere, and the files in which they were found."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("runs", sa.Column("source", sa.Text, nullable=False, server_default=""))
    op.add_column("runs", sa.Column("prompt_version", sa.Text, nullable=False, server_default=""))
    _sessions()
    op.create_table(
        "session_heads",
        sa.Column("head", sa.Text, primary_key=True),
        _run_id(),
    )
    op.create_index("session_heads_run", "session_heads", ["run_id"])
    tokens = ("input", "output", "cache_read", "cache_write")
    op.create_table(
        "daily_usage",
        _run_id(),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("model", sa.Text, primary_key=True),
        *[sa.Column(f"tokens_{name}", sa.BigInteger, nullable=False) for name in tokens],
        sa.Column("cost_usd", sa.Double),
    )
    _sources()


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True)


def _sessions() -> None:
    counts = ("prompts", "interrupts", "rejections", "raw_lines", "masked")
    op.create_table(
        "sessions",
        _run_id(),
        *[
            sa.Column(name, sa.Text, nullable=False)
            for name in ("format", "session_id", "path", "project", "agent_version")
        ],
        sa.Column("active_s", sa.Double, nullable=False),
        *[sa.Column(name, sa.BigInteger, nullable=False) for name in counts],
        sa.Column("reread", sa.Text),
        sa.Column("attributes", sa.Text),
        sa.Column("has_content", sa.Boolean, nullable=False),
        sa.UniqueConstraint("format", "session_id", name="sessions_name"),
    )


def _sources() -> None:
    op.create_table(
        "sources",
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("mtime_ns", sa.BigInteger, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("runs", sa.Text),
        sa.Column("has_content", sa.Boolean, nullable=False),
        sa.Column("reader", sa.Integer, nullable=False),
    )
