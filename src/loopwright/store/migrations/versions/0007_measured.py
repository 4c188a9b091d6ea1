"""Version 0007: what is measured: signals, what humans say of them and of runs."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations.views_0007 import CHANGED

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    _signals()
    _words_of_humans()
    _critic()
    for name, query in CHANGED.items():
        op.execute(f"DROP VIEW {name}")
        op.execute(f"CREATE VIEW {name} AS {query}")


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False)


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
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("detectors", sa.Text, nullable=False),
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


def _critic() -> None:
    op.add_column("checks", sa.Column("advisory", sa.Boolean, nullable=False, server_default=sa.false()))
    for name in ("rubric", "rubric_hash", "model"):
        op.add_column("evaluations", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.add_column("evaluations", sa.Column("items", sa.Text))
    op.add_column("evaluations", sa.Column("cost_usd", sa.Double, nullable=False, server_default="0"))
    op.execute("UPDATE evaluations SET score = score * 10")  # from 0 to 1 before; the critic's scale is for all
    op.create_table(
        "answers",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("cost_usd", sa.Double),
    )
    op.create_table(
        "judged",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("cost_usd", sa.Double, nullable=False),
    )
