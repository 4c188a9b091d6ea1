"""The views that step 0003 changes: what was counted from events is read from rollups."""

from loopwright.store.migrations import views_0001

_TOOL_USAGE = """
SELECT run_id, tool, calls, failed AS errors, duration_s AS total_duration_s,
       CASE WHEN timed > 0 THEN duration_s / timed END AS mean_duration_s
FROM rollups WHERE tool <> ''
"""


def _sum(column: str) -> str:
    return f"CAST(coalesce((SELECT sum(u.{column}) FROM rollups u WHERE u.run_id = r.id), 0) AS BIGINT)"


_COUNTED = {
    "(SELECT count(*) FROM events e WHERE e.run_id = r.id AND e.error_kind IS NOT NULL)": _sum("errors"),
    "(SELECT count(*) FROM events e WHERE e.run_id = r.id AND e.kind = 'tool_call')": _sum("calls"),
}
_RUN_SUMMARY = views_0001.VIEWS["run_summary"]
for _before, _after in _COUNTED.items():
    _RUN_SUMMARY = _RUN_SUMMARY.replace(_before, _after)

CHANGED = {"run_summary": _RUN_SUMMARY, "tool_usage": _TOOL_USAGE}
VIEWS = {**views_0001.VIEWS, **CHANGED}
