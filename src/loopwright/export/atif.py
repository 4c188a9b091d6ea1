"""A run -> a trajectory of ATIF, the Agent Trajectory Interchange Format of Harbor (version 1.7).

A step of the agent is one turn of its model: what it thought and said, its calls and what came of them. Subagents are
trajectories of their own within the whole, named by the call that started them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from loopwright.records.bundle import Bundle
from loopwright.records.event import Event, EventKind
from loopwright.records.run import of_worker
from loopwright.text.amounts import moment

VERSION = "ATIF-v1.7"
_TURN = frozenset({EventKind.MESSAGE, EventKind.THINKING, EventKind.TOOL_CALL})
_USERS = frozenset({EventKind.PROMPT, EventKind.INTERRUPT, EventKind.REJECTION})
_WRITTEN = "cache_creation_input_tokens"
"""The tokens that were written to a cache, as Harbor's own agents name them."""
_TOLD = (
    *("kind", "seq", "at", "tool", "call_id", "command", "path", "exit_code", "is_error", "error_kind", "fingerprint"),
    "duration_s",
)
_TOKENS = ("input", "output", "cache_read", "cache_write")
_FOR_AN_HOUR = "ephemeral_1h_input_tokens"


def trajectory(bundle: Bundle) -> dict[str, Any]:
    """Write a run as a trajectory."""
    run, parts = bundle.run, _by_agent(bundle.events)
    agent = _agent(bundle)
    main = _Turns()
    if not any(event.kind is EventKind.PROMPT for event in parts.get(None, ())):
        main.say("user", run.task.goal, run.started_at)["extra"] = {"kind": EventKind.SYSTEM}
    main.take(parts.pop(None, ()))
    others = {str(call_id): _Turns() for call_id in parts}
    for call_id, turns in others.items():
        turns.take(parts[call_id])
    for turns in (main, *others.values()):
        turns.refer_to(others.keys())
    nested = [_nested(call_id, agent, turns) for call_id, turns in others.items() if turns.steps]
    written = {
        "schema_version": VERSION,
        "session_id": bundle.session.session_id if bundle.session else run.id,
        "trajectory_id": run.id,
        "agent": agent,
        "steps": main.steps,
        "final_metrics": _final(bundle, len(main.steps)),
        "extra": {"loopwright": _about(bundle)},
    }
    return {**written, "subagent_trajectories": nested} if nested else written


class _Turns:
    """Puts the steps of one agent together."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self._turn: dict[str, Any] | None = None
        self._calls: dict[str, dict[str, Any]] = {}
        """The step of each call."""

    def take(self, events: Sequence[Event]) -> None:
        """Take what happened, in order."""
        for event in events:
            if event.kind in _TURN:
                self._act(event)
            elif event.kind is EventKind.TOOL_RESULT:
                self._return(event)
            elif event.kind is EventKind.USAGE:
                self._spend(event)
            else:
                source = "user" if event.kind in _USERS else "system"
                step = self.say(source, event.text, event.at)
                step["extra"] = _told(event, "parent_call_id", "data")

    def say(self, source: str, message: str, at: str) -> dict[str, Any]:
        """Add a step."""
        self._turn = None
        step: dict[str, Any] = {"step_id": len(self.steps) + 1, "source": source, "message": message}
        if moment(at) is not None:
            step["timestamp"] = at
        self.steps.append(step)
        return step

    def refer_to(self, subagents: Any) -> None:
        """Let the results of calls that started a subagent name its trajectory."""
        for call_id in subagents:
            if (step := self._calls.get(call_id)) is None:
                continue
            results = step.setdefault("observation", {"results": []})["results"]
            found = next((result for result in results if result.get("source_call_id") == call_id), None)
            if found is None:
                found = {"source_call_id": call_id}
                results.append(found)
            found["subagent_trajectory_ref"] = [{"trajectory_id": call_id}]

    def _act(self, event: Event) -> None:
        turn = self._turn
        if turn is None or "observation" in turn or self._is_next(turn, event):
            turn = self.say("agent", "", event.at)
            self._turn = turn
        turn["extra"] = {"at": event.at}  # its last word: the step's own time is that of its first
        if event.kind is EventKind.MESSAGE:
            turn["message"] = event.text
        elif event.kind is EventKind.THINKING:
            before = turn.get("reasoning_content")
            turn["reasoning_content"] = f"{before}\n{event.text}" if before else event.text
        else:
            call_id = event.call_id or f"call-{event.seq}"
            call = {"tool_call_id": call_id, "function_name": event.tool or "unknown", "arguments": _arguments(event)}
            turn.setdefault("tool_calls", []).append(call)
            self._calls[call_id] = turn

    def _is_next(self, turn: dict[str, Any], event: Event) -> bool:
        """Whether an event can't belong to the turn that is open: the model says one thing and then calls."""
        if event.kind is EventKind.TOOL_CALL:
            return any(call["tool_call_id"] == event.call_id for call in turn.get("tool_calls", ()))
        return bool(turn["message"] or "tool_calls" in turn)

    def _return(self, event: Event) -> None:
        result: dict[str, Any] = {"content": event.text}
        step = self._calls.get(event.call_id or "")
        if step is None:
            step = self.say("system", "", event.at)
        else:
            result = {"source_call_id": event.call_id, **result}
        step.setdefault("observation", {"results": []})["results"].append({**result, "extra": _told(event)})

    def _spend(self, event: Event) -> None:
        """Add tokens to the last turn of the agent; they may be told in several parts."""
        turn = next((step for step in reversed(self.steps) if step["source"] == "agent"), None)
        model = event.data.get("model")
        if turn is None or (model and turn.get("model_name", model) != model):
            turn = self._turn = self.say("agent", "", event.at)
        before = turn.get("metrics", {})
        counts = {name: _count(event.data.get(name)) for name in _TOKENS}
        prompt = counts["input"] + counts["cache_read"] + counts["cache_write"]
        more = before.get("extra", {})
        written = more.get(_WRITTEN, 0) + counts["cache_write"]
        longer = more.get(_FOR_AN_HOUR, 0) + _count(event.data.get("cache_write_1h"))
        turn["metrics"] = {
            "prompt_tokens": before.get("prompt_tokens", 0) + prompt,
            "completion_tokens": before.get("completion_tokens", 0) + counts["output"],
            "cached_tokens": before.get("cached_tokens", 0) + counts["cache_read"],
            "extra": {_WRITTEN: written, "at": event.at} | ({_FOR_AN_HOUR: longer} if longer else {}),
        }
        if isinstance(cost := event.data.get("cost_usd"), float):
            turn["metrics"]["cost_usd"] = before.get("cost_usd", 0.0) + cost
        elif "cost_usd" in before:
            turn["metrics"]["cost_usd"] = before["cost_usd"]
        if isinstance(model, str) and model:
            turn["model_name"] = model


def _by_agent(events: Sequence[Event]) -> dict[str | None, list[Event]]:
    """Part events by the call of the subagent that they belong to; None is the agent itself."""
    parts: dict[str | None, list[Event]] = {}
    for event in events:
        parts.setdefault(event.parent_call_id, []).append(event)
    return parts


def _nested(call_id: str, agent: dict[str, Any], turns: _Turns) -> dict[str, Any]:
    return {"schema_version": VERSION, "trajectory_id": call_id, "agent": agent, "steps": turns.steps}


def _agent(bundle: Bundle) -> dict[str, Any]:
    seen = [attempt.environment for attempt in of_worker(bundle.attempts)]
    versions = [environment.agent_version for environment in seen if environment.agent_version]
    models = [environment.model for environment in seen if environment.model]
    found = {"name": bundle.run.profile.agent or "unknown", "version": versions[-1] if versions else "unknown"}
    model = models[-1] if models else bundle.run.profile.model
    return {**found, "model_name": model} if model else found


def _final(bundle: Bundle, steps: int) -> dict[str, Any]:
    spent = bundle.run.spent
    tokens = spent.tokens
    return {
        "total_prompt_tokens": tokens.input + tokens.cache_read + tokens.cache_write,
        "total_completion_tokens": tokens.output,
        "total_cached_tokens": tokens.cache_read,
        "total_cost_usd": spent.cost_usd,
        "total_steps": steps,
        "extra": {f"total_{_WRITTEN}": tokens.cache_write, "duration_s": spent.seconds},
    }


def _about(bundle: Bundle) -> dict[str, Any]:
    """Say what of a run has no place of its own in a trajectory."""
    run = bundle.run
    names = ("status", "reason", "source", "repository", "base", "branch", "commit", "started_at", "ended_at")
    return {
        **{name: getattr(run, name) for name in names},
        "goal": run.task.goal,
        "task_type": run.task.task_type,
        "prompt_version": run.prompt_version,
        "profile": dataclasses.asdict(run.profile),
        "evaluations": [dataclasses.asdict(one) for one in bundle.evaluations],
        "checks": [{"criterion": check.criterion, "verdict": check.verdict} for check in bundle.checks],
    }


def _told(event: Event, *more: str) -> dict[str, Any]:
    found = {name: getattr(event, name) for name in (*_TOLD, *more)}
    return {name: value for name, value in found.items() if value is not None and value is not False and value != {}}


def _arguments(event: Event) -> dict[str, Any]:
    given = event.data.get("input")
    if isinstance(given, dict):
        return given
    known = {"input": given, "command": event.command, "path": event.path}
    return {name: value for name, value in known.items() if value is not None}


def _count(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0
