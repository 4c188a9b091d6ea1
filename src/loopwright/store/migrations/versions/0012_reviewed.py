"""Version 0012: reviews, and what humans said to them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
    )
    op.create_table(
        "said",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("review_id", sa.Text, sa.ForeignKey("reviews.id"), nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    op.create_index("said_review", "said", ["review_id", "at"])
