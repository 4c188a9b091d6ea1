"""Version 0009: what the critic thinks of runs, what models answered, and checks that decide nothing."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations.views_0009 import CHANGED

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("checks", sa.Column("advisory", sa.Boolean, nullable=False, server_default=sa.false()))
    for name in ("rubric", "rubric_hash", "model"):
        op.add_column("evaluations", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.add_column("evaluations", sa.Column("items", sa.Text))
    op.add_column("evaluations", sa.Column("cost_usd", sa.Double, nullable=False, server_default="0"))
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
    for name, query in CHANGED.items():
        op.execute(f"DROP VIEW {name}")
        op.execute(f"CREATE VIEW {name} AS {query}")
