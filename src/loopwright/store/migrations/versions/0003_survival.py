"""Version 0003: leases, rollups; attempts say which process keeps the agent and how much was masked."""

import sqlalchemy as sa
from alembic import op

from loopwright.store.migrations.views_0003 import CHANGED

revision = "0003"
down_revision = "0002"

_ROLLED_UP = """
INSERT INTO rollups (run_id, tool, events, calls, failed, timed, duration_s, errors)
SELECT run_id, tool, count(*),
       count(CASE WHEN kind = 'tool_call' THEN 1 END),
       count(CASE WHEN kind = 'tool_result' AND is_error THEN 1 END),
       count(CASE WHEN kind = 'tool_result' THEN duration_s END),
       coalesce(sum(CASE WHEN kind = 'tool_result' THEN duration_s END), 0.0),
       count(error_kind)
FROM (
    SELECT e.run_id, e.kind, e.is_error, e.duration_s, e.error_kind,
           CASE WHEN e.kind = 'tool_call' OR e.kind = 'tool_result' THEN coalesce(e.tool, (
               SELECT c.tool FROM events c
               WHERE c.run_id = e.run_id AND c.kind = 'tool_call' AND c.call_id = e.call_id AND c.seq < e.seq
               ORDER BY c.seq DESC LIMIT 1
           ), '') ELSE '' END AS tool
    FROM events e
) AS used
GROUP BY run_id, tool
"""


def upgrade() -> None:
    _leases()
    _rollups()
    op.drop_column("attempts", "pid")
    op.add_column("attempts", sa.Column("process", sa.Text, nullable=False, server_default=""))
    op.add_column("attempts", sa.Column("masked", sa.Integer, nullable=False, server_default="0"))
    op.create_index("attempts_started_at", "attempts", ["started_at"])


def _leases() -> None:
    op.create_table(
        "leases",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("token", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
        sa.Column("renewed_at", sa.Text, nullable=False),
    )
    op.execute("INSERT INTO leases (run_id, token, holder, beat, renewed_at) SELECT id, 0, '', 0, '' FROM runs")


def _rollups() -> None:
    counts = [sa.Column(name, sa.BigInteger, nullable=False) for name in ("events", "calls", "failed", "timed")]
    op.create_table(
        "rollups",
        sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("tool", sa.Text, primary_key=True),
        *counts,
        sa.Column("duration_s", sa.Double, nullable=False),
        sa.Column("errors", sa.BigInteger, nullable=False),
    )
    op.execute(_ROLLED_UP)
    for name, query in CHANGED.items():
        op.execute(f"DROP VIEW {name}")
        op.execute(f"CREATE VIEW {name} AS {query}")
