"""Version 0004: attempts say which conversation of the agent they were, and in which role it worked."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("conversation", sa.Text, nullable=False, server_default=""))
    op.add_column("attempts", sa.Column("role", sa.Text, nullable=False, server_default="worker"))
