"""Version 0007: sessions are stored as a whole, and with what they share with others."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.drop_table("session_heads")
    op.create_table(
        "session_marks",
        _run_id(),
        sa.Column("first", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("marks", sa.Text, nullable=False),
    )
    op.create_table("session_news", _run_id())
    op.create_table(
        "session_portions",
        _run_id(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("runs", sa.Text, nullable=False),
        sa.Column("counts", sa.Text, nullable=False),
    )


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True)
