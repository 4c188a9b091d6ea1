"""Version 0013: failures and their causes, classified steps, post-mortems, patches asked for, the knowledge graph."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "analysed",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("ended_at", sa.Text, nullable=False),
        sa.Column("spent_usd", sa.Double, nullable=False),
    )
    op.create_table(
        "qa_failures",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("task_type", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("failure_type", sa.Text, nullable=False),
        sa.Column("criterion", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("diff", sa.Text, nullable=False),
        sa.Column("prompt_version", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("certainty", sa.Double, nullable=False),
        sa.Column("hypotheses", sa.Text, nullable=False),
        sa.Column("iterations", sa.Text, nullable=False),
        sa.Column("recovered", sa.Boolean, nullable=False),
        sa.Column("trial", sa.Boolean, nullable=False),
        sa.Column("patch", sa.Text, nullable=False),
    )
    op.create_index("qa_failures_run", "qa_failures", ["run_id"])
    op.create_index("qa_failures_root", "qa_failures", ["root"])
    op.create_table(
        "classifications",
        sa.Column("step_id", sa.Text, primary_key=True),
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("certainty", sa.Double, nullable=False),
        sa.Column("because", sa.Text, nullable=False),
    )
    op.create_index("classifications_run", "classifications", ["run_id"])
    op.create_table(
        "postmortems",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("ended_at", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("failure_class", sa.Text, nullable=False),
        sa.Column("written", sa.Text, nullable=False),
    )
    op.create_table(
        "wanted",
        sa.Column("root", sa.Text, primary_key=True),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("failures", sa.Text, nullable=False),
        sa.Column("runs", sa.Text, nullable=False),
        sa.Column("patch", sa.Text, nullable=False),
    )
    op.create_table(
        "graph_nodes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_table(
        "graph_edges",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("relation", sa.Text, primary_key=True),
        sa.Column("target", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("certainty", sa.Double, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
    )
    op.create_index("graph_edges_target", "graph_edges", ["target"])
    op.create_index("graph_edges_run", "graph_edges", ["run_id"])
