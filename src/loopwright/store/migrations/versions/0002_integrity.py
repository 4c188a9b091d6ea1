"""Version 0002: checks carry their proof; a human's word on tampering is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("checks", sa.Column("proof", sa.Text))
    op.create_table(
        "acceptances",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("contents", sa.Text, nullable=False),
    )
