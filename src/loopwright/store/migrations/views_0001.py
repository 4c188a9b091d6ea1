"""The views as step 0001 makes them; a later step that changes one brings a text of its own."""

_ERRORS = """
SELECT e.run_id, e.seq, e.at, a.number AS attempt, e.error_kind, e.tool, e.fingerprint,
       e.text AS message, e.command, e.exit_code
FROM events e LEFT JOIN attempts a ON a.id = e.attempt_id
WHERE e.error_kind IS NOT NULL
"""

# A result that does not name its tool has that of the last call before it with its call_id: agents use ids again.
_TOOL_USAGE = """
SELECT run_id, tool,
       count(CASE WHEN kind = 'tool_call' THEN 1 END) AS calls,
       count(CASE WHEN kind = 'tool_result' AND is_error THEN 1 END) AS errors,
       coalesce(sum(CASE WHEN kind = 'tool_result' THEN duration_s END), 0.0) AS total_duration_s,
       avg(CASE WHEN kind = 'tool_result' THEN duration_s END) AS mean_duration_s
FROM (
    SELECT e.run_id, e.kind, e.is_error, e.duration_s, coalesce(e.tool, (
        SELECT c.tool FROM events c
        WHERE c.run_id = e.run_id AND c.kind = 'tool_call' AND c.call_id = e.call_id AND c.seq < e.seq
        ORDER BY c.seq DESC LIMIT 1
    )) AS tool
    FROM events e
    WHERE e.kind = 'tool_call' OR e.kind = 'tool_result'
) AS used
WHERE tool IS NOT NULL
GROUP BY run_id, tool
"""

# The ends of commands, and those whose end nobody saw: what ran when the agent was stopped.
_COMMANDS = """
SELECT e.run_id, e.seq, e.at, a.number AS attempt, e.command, e.exit_code, e.duration_s, e.is_error, e.text AS output
FROM events e LEFT JOIN attempts a ON a.id = e.attempt_id
WHERE e.kind = 'tool_result' AND e.command IS NOT NULL
UNION ALL
SELECT e.run_id, e.seq, e.at, a.number, e.command, NULL, NULL, e.is_error, ''
FROM events e LEFT JOIN attempts a ON a.id = e.attempt_id
WHERE e.kind = 'tool_call' AND e.command IS NOT NULL AND e.call_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM events r
    WHERE r.run_id = e.run_id AND r.kind = 'tool_result' AND r.call_id = e.call_id AND r.seq > e.seq
      AND coalesce(r.attempt_id, '') = coalesce(e.attempt_id, '')
)
"""

_LAST_CHECKS = """
SELECT count(*) FROM checks c
WHERE c.run_id = r.id AND c.iteration = (SELECT max(l.iteration) FROM checks l WHERE l.run_id = r.id)
"""

# The agent and the model as the last attempt saw them, else as they were asked for.
_RUN_SUMMARY = f"""
SELECT r.id AS run_id, r.started_at, r.ended_at, r.status, r.reason, r.task_type, r.goal,
       coalesce((SELECT a.agent FROM attempts a WHERE a.run_id = r.id AND a.agent <> ''
                 ORDER BY a.number DESC LIMIT 1), r.agent) AS agent,
       coalesce((SELECT a.model FROM attempts a WHERE a.run_id = r.id AND a.model <> ''
                 ORDER BY a.number DESC LIMIT 1), r.model) AS model,
       (SELECT count(*) FROM attempts a WHERE a.run_id = r.id) AS iterations,
       r.cost_usd, r.tokens_input, r.tokens_output, r.tokens_cache_read, r.tokens_cache_write, r.duration_s,
       ({_LAST_CHECKS} AND c.verdict = 'pass') AS checks_passed,
       ({_LAST_CHECKS} AND c.verdict <> 'pass') AS checks_failed,
       (SELECT count(*) FROM events e WHERE e.run_id = r.id AND e.error_kind IS NOT NULL) AS errors,
       (SELECT count(*) FROM events e WHERE e.run_id = r.id AND e.kind = 'tool_call') AS tool_calls,
       r.branch, r.commit_hash
FROM runs r
"""

VIEWS = {"run_summary": _RUN_SUMMARY, "errors": _ERRORS, "tool_usage": _TOOL_USAGE, "commands": _COMMANDS}
