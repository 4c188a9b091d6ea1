"""A run -> spans of OpenTelemetry as OTLP/JSON, named by the semantic conventions for generative AI.

The run is the root, an attempt is `invoke_agent`, a request to the model `chat`, a call `execute_tool`. Everything else
that happened is an event of its attempt's span.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.export.span_values import attributes, failed, nanoseconds, provider, whole, written
from loopwright.records.bundle import Bundle
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Attempt, Ending, Run, Status, of_worker

_INTERNAL, _CLIENT = 1, 3
_COST = "loopwright.cost_usd"
_OK = 1
_SPOKEN = {EventKind.MESSAGE: "text", EventKind.THINKING: "reasoning"}
_TOKENS = {
    "input": "gen_ai.usage.input_tokens",
    "output": "gen_ai.usage.output_tokens",
    "cache_read": "gen_ai.usage.cache_read.input_tokens",
    "cache_write": "gen_ai.usage.cache_creation.input_tokens",
    "cache_write_1h": "loopwright.cache_creation_1h.input_tokens",
}
_TOLD = (
    *("seq", "tool", "call_id", "parent_call_id", "command", "path", "exit_code", "error_kind", "fingerprint"),
    "duration_s",
)


def traces(bundle: Bundle) -> dict[str, Any]:
    """Write a run as what a collector takes at /v1/traces."""
    resource = {
        "service.name": bundle.run.profile.agent or "agent",
        "service.version": _version(bundle.attempts) or None,
        "loopwright.repository": bundle.run.repository,
    }
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes(resource)},
                "scopeSpans": [{"scope": {"name": "loopwright"}, "spans": _spans(bundle)}],
            }
        ]
    }


def _spans(bundle: Bundle) -> list[dict[str, Any]]:
    run = bundle.run
    trace = _Trace(run.id)
    root = trace.span("run", "", f"run {run.profile.agent}".strip(), run.started_at, run.ended_at or run.started_at)
    root["attributes"] = attributes(_of_run(bundle))
    if run.status in (Status.FAILED, Status.ESCALATED, Status.CANCELLED):
        root["status"] = failed(run.detail or str(run.reason or run.status))
    elif run.status is Status.DONE:
        root["status"] = {"code": _OK}
    spans, by_attempt = [root], _by_attempt(bundle)
    for attempt in bundle.attempts:
        spans += _Attempt(trace, run, attempt, root["spanId"]).spans(by_attempt.get(attempt.id, []))
    root["events"] = [_event(event) for event in by_attempt.get(None, [])]
    root["events"] += [_evaluation(one) for one in bundle.evaluations]
    return spans


def _by_attempt(bundle: Bundle) -> dict[str | None, list[Event]]:
    known = {attempt.id for attempt in bundle.attempts}
    parts: dict[str | None, list[Event]] = {}
    for event in bundle.events:
        parts.setdefault(event.attempt_id if event.attempt_id in known else None, []).append(event)
    return parts


class _Trace:
    """Makes the spans of one run; its id is the trace's."""

    def __init__(self, run_id: str) -> None:
        self._id = run_id
        digits = run_id.replace("-", "")
        is_id = len(digits) == 32 and set(digits) <= set("0123456789abcdef") and set(digits) != {"0"}
        self._trace_id = digits if is_id else hashlib.sha256(run_id.encode()).hexdigest()[:32]

    def span_id(self, name: str) -> str:
        return hashlib.sha256(f"{self._id} {name}".encode(errors="replace")).hexdigest()[:16]

    def span(self, key: str, parent: str, name: str, start: str, end: str) -> dict[str, Any]:
        began = nanoseconds(start)
        made = {"traceId": self._trace_id, "spanId": self.span_id(key), "name": whole(name), "kind": _INTERNAL}
        made |= {"startTimeUnixNano": str(began), "endTimeUnixNano": str(max(began, nanoseconds(end)))}
        return made | ({"parentSpanId": parent} if parent else {})


class _Attempt:
    """Makes the spans of one attempt."""

    def __init__(self, trace: _Trace, run: Run, attempt: Attempt, root: str) -> None:
        self._trace, self._run, self._attempt = trace, run, attempt
        # The attempts of a run of ours are conversations of their own, and still one piece of work.
        self._conversation = (attempt.conversation if run.source else "") or run.id
        end = attempt.ended_at or run.ended_at or attempt.started_at
        self._agent = attempt.environment.agent or run.profile.agent
        name = f"invoke_agent {self._agent}".strip()
        self._span = trace.span(f"attempt {attempt.id}", root, name, attempt.started_at, end)
        self._open: dict[str, dict[str, Any]] = {}
        """The spans of calls by the call's id: results end them, and subagents are below them."""
        self._made: list[dict[str, Any]] = []
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._requests: dict[str, tuple[dict[str, Any], Counter[str]]] = {}
        """The spans of requests with their tokens, by the message: those are told in several parts."""
        self._costs: dict[str, float] = {}
        self._said: list[Event] = []
        self._since = attempt.started_at

    def spans(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        told = []
        for event in events:
            if event.kind is EventKind.TOOL_CALL:
                self._call(event)
            elif event.kind is EventKind.TOOL_RESULT:
                self._result(event)
            elif event.kind is EventKind.USAGE and "model" in event.data:
                self._request(event)
            else:
                told.append(_event(event))
                self._said.append(event)
            self._since = event.at or self._since
        for span in self._unanswered.values():
            span["attributes"] += attributes({"loopwright.only": "call"})
        usage = vars(self._attempt.tokens) if not self._requests else {}
        self._span["attributes"] = attributes(self._about(usage))
        self._span["events"] = told
        if self._attempt.ending not in (None, Ending.FINISHED):
            self._span["status"] = failed(self._attempt.detail or str(self._attempt.ending))
        return [self._span, *self._made]

    def _about(self, usage: Mapping[str, int]) -> dict[str, Any]:
        seen = self._attempt.environment
        model = seen.model or self._run.profile.part(self._attempt.role).model
        return {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": provider(model),
            "gen_ai.agent.name": self._agent or None,
            "gen_ai.agent.version": seen.agent_version or None,
            "gen_ai.conversation.id": self._conversation,
            "loopwright.conversation": self._attempt.conversation or None,
            "gen_ai.request.model": model or None,
            **_tokens(usage),
            "loopwright.attempt": self._attempt.number,
            "loopwright.ending": self._attempt.ending,
            _COST: self._attempt.cost_usd,
        }

    def _parent(self, event: Event) -> str:
        outer = self._open.get(event.parent_call_id or "")
        return str(outer["spanId"] if outer else self._span["spanId"])

    def _call(self, event: Event) -> None:
        name = f"execute_tool {event.tool or 'unknown'}"
        span = self._trace.span(f"event {event.seq}", self._parent(event), name, event.at, event.at)
        told = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": event.tool or "unknown",
            "gen_ai.tool.call.id": event.call_id,
            "gen_ai.tool.call.arguments": written(event.data.get("input")),
            "loopwright.command": event.command,
            "loopwright.path": event.path,
            "loopwright.only": None if event.kind is EventKind.TOOL_CALL else "result",
        }
        span["attributes"] = attributes(told)
        self._made.append(span)
        if event.call_id:
            self._open[event.call_id] = span
        if event.kind is EventKind.TOOL_CALL:
            self._unanswered[span["spanId"]] = span

    def _result(self, event: Event) -> None:
        took = event.duration_s or 0.0
        lasted = int(took * 1e9) if math.isfinite(took) and 0 < took < 1e9 else 0
        span = self._open.get(event.call_id or "")
        if span is None:
            self._call(event)
            span = self._made[-1]
            span["startTimeUnixNano"] = str(max(0, nanoseconds(event.at) - lasted))
        self._unanswered.pop(span["spanId"], None)
        began = int(span["startTimeUnixNano"])
        span["endTimeUnixNano"] = str(max(began, began + lasted if lasted else nanoseconds(event.at)))
        kind = (event.error_kind or "error") if event.is_error else None
        told = {"gen_ai.tool.call.result": event.text, "error.type": kind, "process.exit.code": event.exit_code}
        span["attributes"] += attributes({**told, "loopwright.fingerprint": event.fingerprint})
        if event.is_error:
            span["status"] = failed(event.text[:500])

    def _request(self, event: Event) -> None:
        """Tell of a request to the model; what is told of it later is added to its span."""
        message = str(event.data.get("message") or f"event {event.seq}")
        if message not in self._requests:
            self._requests[message] = self._chat(event), Counter()
        span, tokens = self._requests[message]
        tokens.update({name: count for name in _TOKENS if type(count := event.data.get(name)) is int})
        if isinstance(cost := event.data.get("cost_usd"), float):
            self._costs[message] = self._costs.get(message, 0.0) + cost
        known = [one for one in span["attributes"] if one["key"] not in {*_TOKENS.values(), _COST}]
        span["attributes"] = [*known, *attributes({**_tokens(tokens), _COST: self._costs.get(message)})]

    def _chat(self, event: Event) -> dict[str, Any]:
        model = event.data["model"] if isinstance(event.data["model"], str) else ""
        name = f"chat {model}".strip()
        span = self._trace.span(f"event {event.seq}", self._parent(event), name, self._since, event.at)
        span["kind"] = _CLIENT
        told = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider(model),
            "gen_ai.request.model": model or None,
            "gen_ai.response.model": model or None,
            "gen_ai.response.id": event.data.get("message") or None,
            "gen_ai.conversation.id": self._conversation,
            "gen_ai.input.messages": self._words("user", {EventKind.PROMPT: "text"}),
            "gen_ai.output.messages": self._words("assistant", _SPOKEN),
            "loopwright.seq": event.seq,
        }
        self._said = []
        span["attributes"] = attributes(told)
        self._made.append(span)
        return span

    def _words(self, role: str, kinds: Mapping[EventKind, str]) -> str | None:
        parts = [{"type": kinds[event.kind], "content": event.text} for event in self._said if event.kind in kinds]
        ending = {"finish_reason": "stop"} if role == "assistant" else {}
        return written([{"role": role, "parts": parts, **ending}]) if parts else None


def _tokens(counts: Mapping[str, int]) -> dict[str, int]:
    """Name tokens as the conventions do: those of the cache are among the input."""
    named = {label: counts[name] for name, label in _TOKENS.items() if name in counts}
    cached = counts.get("cache_read", 0) + counts.get("cache_write", 0)
    return {**named, _TOKENS["input"]: counts.get("input", 0) + cached}


def _of_run(bundle: Bundle) -> dict[str, Any]:
    run = bundle.run
    passed = [check.criterion for check in bundle.checks if check.verdict == "pass"]
    return {
        "gen_ai.operation.name": "invoke_workflow",
        "loopwright.run.id": run.id,
        "loopwright.status": run.status,
        "loopwright.reason": run.reason,
        "loopwright.goal": run.task.goal,
        "loopwright.task_type": run.task.task_type or None,
        "loopwright.profile": run.profile.name,
        "loopwright.prompt_version": run.prompt_version or None,
        "loopwright.source": run.source or None,
        _COST: run.spent.cost_usd,
        "loopwright.duration_s": run.spent.seconds,
        "loopwright.base": run.base or None,
        "loopwright.branch": run.branch or None,
        "loopwright.commit": run.commit,
        "loopwright.checks.passed": len(passed) if bundle.checks else None,
        "session.id": bundle.session.session_id if bundle.session else None,
    }


def _event(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = {f"loopwright.{name}": getattr(event, name) for name in _TOLD}
    told |= {"loopwright.is_error": event.is_error or None, "loopwright.at": event.at or None}
    told |= {"loopwright.text": event.text or None, "loopwright.data": written(event.data or None)}
    return {
        "timeUnixNano": str(nanoseconds(event.at)),
        "name": f"loopwright.{event.kind}",
        "attributes": attributes(told),
    }


def _evaluation(one: Evaluation) -> dict[str, Any]:
    told = {
        "gen_ai.evaluation.name": one.by or "loopwright",
        "gen_ai.evaluation.score.value": one.score,
        "gen_ai.evaluation.score.label": {True: "passed", False: "failed", None: None}[one.passed],
        "gen_ai.evaluation.explanation": one.reason or None,
    }
    name, at = "gen_ai.evaluation.result", str(nanoseconds(one.created_at))
    return {"timeUnixNano": at, "name": name, "attributes": attributes(told)}


def _version(attempts: Sequence[Attempt]) -> str:
    return next((seen for item in reversed(of_worker(attempts)) if (seen := item.environment.agent_version)), "")
