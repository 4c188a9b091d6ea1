"""Version 0010: versions of prompts and profiles, which of them is in use, and what proves them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "versions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("parent", sa.Integer),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.UniqueConstraint("kind", "name", "number", name="versions_number"),
    )
    op.create_table(
        "releases",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("previous", sa.Integer),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("experiment", sa.Text, nullable=False),
        sa.Column("undoes", sa.Text, nullable=False),
        sa.Column("guardrails", sa.Integer, nullable=False),
    )
    op.create_index("releases_name", "releases", ["kind", "name", "id"])
    op.create_table(
        "in_use",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("release_id", sa.Text, nullable=False),
    )
    op.create_table(
        "experiments",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text),
    )
    op.create_index("experiments_status", "experiments", ["status"])
    op.create_table(
        "trials",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("experiment_id", sa.Text, sa.ForeignKey("experiments.id"), nullable=False),
        sa.Column("unit", sa.Text, nullable=False),
        sa.Column("arm", sa.Text, nullable=False),
        sa.Column("task_type", sa.Text, nullable=False),
        sa.Column("block", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("assigned_at", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("passed", sa.Boolean),
        sa.Column("cost_usd", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("delivered_at", sa.Text),
        sa.Column("left_out", sa.Text, nullable=False),
        sa.UniqueConstraint("experiment_id", "block", "arm", name="trials_block"),
    )
    op.create_index("trials_unit", "trials", ["experiment_id", "unit"])
    op.create_index("trials_run", "trials", ["run_id"])
    op.create_table(
        "looks",
        sa.Column("experiment_id", sa.Text, sa.ForeignKey("experiments.id"), primary_key=True),
        sa.Column("pairs", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("superiority", sa.Double, nullable=False),
        sa.Column("futility", sa.Double, nullable=False),
        sa.Column("low", sa.Double, nullable=False),
        sa.Column("high", sa.Double, nullable=False),
    )
    op.create_table(
        "watches",
        sa.Column("release_id", sa.Text, sa.ForeignKey("releases.id"), primary_key=True),
        sa.Column("runs_before", sa.Integer, nullable=False),
        sa.Column("p0", sa.Double),
        sa.Column("began_at", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("passes", sa.Integer, nullable=False),
        sa.Column("late", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_table(
        "watched_runs",
        sa.Column("release_id", sa.Text, sa.ForeignKey("releases.id"), primary_key=True),
        sa.Column("run_id", sa.Text, primary_key=True),
    )
    op.create_table(
        "concluded",
        sa.Column("run_id", sa.Text, primary_key=True),
    )
    op.create_table(
        "choices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("task_type", sa.Text, nullable=False),
        sa.Column("arm", sa.Text, nullable=False),
        sa.Column("propensities", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("passed", sa.Boolean),
        sa.Column("model", sa.Text, nullable=False),
    )
    op.create_index("choices_arm", "choices", ["arm", "at"])
    op.create_table(
        "standings",
        sa.Column("task_type", sa.Text, primary_key=True),
        sa.Column("arm", sa.Text, primary_key=True),
        sa.Column("passes", sa.Double, nullable=False),
        sa.Column("failures", sa.Double, nullable=False),
        sa.Column("cost", sa.Double, nullable=False),
    )
