"""The views that step 0009 changes: checks that decide nothing are not counted; a run is one row, as judged last."""

from loopwright.store.migrations import views_0006

_RUN_SUMMARY = views_0006.VIEWS["run_summary"]
for _verdict in ("c.verdict = 'pass'", "c.verdict <> 'pass'"):
    _RUN_SUMMARY = _RUN_SUMMARY.replace(_verdict, f"{_verdict} AND NOT c.advisory")

_AGENT_RUNS = """
SELECT id, created_at, task_type, prompt_hash, passed, score, reason, raw_output
FROM evaluations e
WHERE NOT EXISTS (
  SELECT 1 FROM evaluations later
  WHERE later.run_id = e.run_id
  AND (later.created_at > e.created_at OR (later.created_at = e.created_at AND later.id > e.id))
)
"""
CHANGED = {"run_summary": _RUN_SUMMARY, "agent_runs": _AGENT_RUNS}
VIEWS = {**views_0006.VIEWS, **CHANGED}
