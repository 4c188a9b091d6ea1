"""The view that step 0009 changes: checks that decide nothing are not counted."""

from loopwright.store.migrations import views_0006

_RUN_SUMMARY = views_0006.VIEWS["run_summary"]
for _verdict in ("c.verdict = 'pass'", "c.verdict <> 'pass'"):
    _RUN_SUMMARY = _RUN_SUMMARY.replace(_verdict, f"{_verdict} AND NOT c.advisory")

CHANGED = {"run_summary": _RUN_SUMMARY}
VIEWS = {**views_0006.VIEWS, **CHANGED}
