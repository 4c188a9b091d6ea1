"""Version 0014: patches, and what became of them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "patches",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("surface", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("finding", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("experiment", sa.Text, nullable=False),
        sa.Column("version", sa.Integer),
        sa.Column("approved_by", sa.Text, nullable=False),
        sa.Column("runs", sa.Text, nullable=False),
        sa.UniqueConstraint("hash", name="patches_hash"),
    )
    op.create_index("patches_status", "patches", ["status"])
