"""What runs came to, from all that is known of them: as step 0008 fills the table, and as it is kept since."""

COLUMNS = {
    "run_id": "runs.id",
    "project": "COALESCE(NULLIF(sessions.project, ''), runs.repository)",
    "task_type": "runs.task_type",
    "agent": "runs.agent",
    "model": "runs.model",
    "profile": "COALESCE({profile}, '')",
    "prompt_version": "runs.prompt_version",
    "source": "runs.source",
    "status": "runs.status",
    "started_at": "runs.started_at",
    "hour": "CASE WHEN runs.started_at >= '1970-01-02' THEN CAST(SUBSTR(runs.started_at, 12, 2) AS INTEGER) END",
    "passed": """
CASE
  WHEN runs.source <> '' THEN COALESCE(
    (SELECT said.passed FROM evaluations AS said WHERE said.run_id = runs.id AND said.passed IS NOT NULL
     ORDER BY said.created_at DESC, said.id DESC LIMIT 1),
    (SELECT said.is_up FROM feedback AS said WHERE said.run_id = runs.id ORDER BY said.at DESC, said.id DESC LIMIT 1))
  WHEN runs.status = 'done' AND COALESCE(runs.reason, '') <> 'already_met' THEN TRUE
  WHEN runs.status IN ('escalated', 'failed') THEN FALSE
END""",
    "first_pass": """
CASE
  WHEN runs.source <> '' THEN NULL
  WHEN runs.status = 'done' AND COALESCE(runs.reason, '') <> 'already_met' THEN runs.iterations <= 1
  WHEN runs.status IN ('escalated', 'failed') THEN FALSE
END""",
    "seconds": "CASE WHEN COALESCE(sessions.active_s, 0) > 0 THEN sessions.active_s ELSE runs.duration_s END",
    "tokens": "runs.tokens_input + runs.tokens_output + runs.tokens_cache_read + runs.tokens_cache_write",
    "cost_usd": "runs.cost_usd",
    "iterations": "runs.iterations",
    "tool_calls": "COALESCE((SELECT SUM(used.calls) FROM rollups AS used WHERE used.run_id = runs.id), 0)",
    "tool_errors": "COALESCE((SELECT SUM(used.failed) FROM rollups AS used WHERE used.run_id = runs.id), 0)",
    "interrupts": "COALESCE(sessions.interrupts, 0)",
    "rejections": "COALESCE(sessions.rejections, 0)",
    "human": """
runs.status = 'escalated' OR COALESCE(sessions.interrupts, 0) > 0 OR COALESCE(sessions.rejections, 0) > 0
OR EXISTS (SELECT 1 FROM comments AS said WHERE said.run_id = runs.id)
OR EXISTS (SELECT 1 FROM acceptances AS said WHERE said.run_id = runs.id)""",
    "rejected": """
COALESCE(sessions.rejections, 0) > 0
OR EXISTS (SELECT 1 FROM evaluations AS said WHERE said.run_id = runs.id AND NOT said.passed)
OR EXISTS (SELECT 1 FROM feedback AS said WHERE said.run_id = runs.id AND NOT said.is_up)""",
}
"""What the table says -> how that is found."""

_PROFILE = {"sqlite": "json_extract(runs.profile, '$.name')", "postgresql": "(runs.profile)::json ->> 'name'"}
"""The dialects do not share the words for a part of a JSON text."""


def fill(dialect: str, which: str) -> str:
    """Give the statement that writes the rows of some runs, or writes them again."""
    values = ", ".join(COLUMNS.values()).replace("{profile}", _PROFILE[dialect])
    written = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name != "run_id")
    return (
        f"INSERT INTO outcomes ({', '.join(COLUMNS)}) SELECT {values}"
        f" FROM runs LEFT JOIN sessions ON sessions.run_id = runs.id WHERE {which}"
        f" ON CONFLICT (run_id) DO UPDATE SET {written}"
    )
