"""Version 0011: findings, and how each was seen over time."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "findings",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("goal", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("first_at", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "sightings",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, primary_key=True),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("before", sa.Double),
        sa.Column("first_at", sa.Text, nullable=False),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("of", sa.Integer, nullable=False),
        sa.Column("waste_usd", sa.Double, nullable=False),
        sa.Column("finding", sa.Text, nullable=False),
    )
