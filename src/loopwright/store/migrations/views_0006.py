"""The view that step 0006 adds."""

from loopwright.store.migrations import views_0003

ADDED = {
    "agent_runs": """
SELECT id, created_at, task_type, prompt_hash, passed, score, reason, raw_output
FROM evaluations
"""
}
VIEWS = {**views_0003.VIEWS, **ADDED}
