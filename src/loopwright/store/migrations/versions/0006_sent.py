"""Version 0006: what other programs send: spans, and evaluations of runs."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations.views_0006 import ADDED

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    _spans()
    _evaluations()
    for name, query in ADDED.items():
        op.execute(f"CREATE VIEW {name} AS {query}")


def _spans() -> None:
    op.create_table(
        "spans",
        sa.Column("trace_id", sa.Text, primary_key=True),
        sa.Column("span_id", sa.Text, primary_key=True),
        sa.Column("parent_id", sa.Text, nullable=False),
        sa.Column("conversation", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("post", sa.Text, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.Column("data", sa.Text),
    )
    op.create_index("spans_session", "spans", ["session_id"])
    op.create_index("spans_settled", "spans", ["settled"])


def _evaluations() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("task_type", sa.Text, nullable=False),
        sa.Column("prompt_hash", sa.Text, nullable=False),
        sa.Column("passed", sa.Boolean),
        sa.Column("score", sa.Double),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("raw_output", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
    )
    op.create_index("evaluations_run", "evaluations", ["run_id"])
    op.create_index("evaluations_created_at", "evaluations", ["created_at"])
