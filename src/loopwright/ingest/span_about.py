"""The spans of a session -> what they say of it as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from loopwright.ingest.plain import unwrapped
from loopwright.ingest.ports import About
from loopwright.ingest.span import Span
from loopwright.text.bounded import field, mapping
from loopwright.text.halves import beginning

PROMPT_VERSIONS = (
    *("prompt_version", "prompt.version", "langfuse.prompt.version", "langfuse.observation.prompt.version"),
    *("gen_ai.prompt.version", "llm.prompt_template.version", "prompt_hash", "prompt.hash"),
    "loopwright.prompt_version",
)
TASK_TYPES = ("task_type", "task.type", "loopwright.task_type")
_METADATA = ("metadata", "langfuse.trace.metadata", "langfuse.metadata")
_INNER = ("gen_ai.", "llm.", "langfuse.trace.metadata.", "openinference.", "traceloop.", "tool.", "otel.", "telemetry.")
_KEPT = ("gen_ai.provider.name", "gen_ai.system", "gen_ai.prompt.name", "llm.system", "llm.provider")
_MOST = 60


def note(about: About, spans: Iterable[Span]) -> None:
    """Add what spans say to what is known; the first word counts, and the outermost span is asked first."""
    for span in sorted(spans, key=lambda span: (bool(span.parent), span.began)):
        if span.kind == "other" and span.parent:
            continue
        told = _told(span)
        about.agent = about.agent or (span.agent if span.kind == "agent" else "")
        about.agent_version = about.agent_version or span.agent_version or field(told.get("service.version"), 100)
        about.model = about.model or (span.model if span.kind in ("chat", "agent") else "")
        about.project = about.project or _service(told)
        about.title = about.title or span.name
        about.goal = about.goal or field(told.get("loopwright.goal"))
        about.prompt_version = about.prompt_version or _named(told, PROMPT_VERSIONS)
        about.task_type = about.task_type or _named(told, TASK_TYPES)
        _keep(about.attributes, told)


def _told(span: Span) -> dict[str, Any]:
    """Put together what a span says: its own words go before those of its resource, and of what it carries along."""
    told: dict[str, Any] = dict(span.resource)
    for name in _METADATA:
        told |= mapping(unwrapped(span.attributes.get(name)))
    prefixes = ("langfuse.trace.metadata.", "traceloop.association.properties.", "metadata.")
    for name, value in span.attributes.items():
        found = next((prefix for prefix in prefixes if name.startswith(prefix)), "")
        told[name.removeprefix(found)] = value
    return told


def _service(told: Mapping[str, Any]) -> str:
    if "loopwright.repository" in told:
        return field(told["loopwright.repository"], 500)
    named = field(told.get("openinference.project.name"), 500) or field(told.get("service.name"), 500)
    return "" if named.startswith("unknown_service") else named


def _named(told: Mapping[str, Any], names: Iterable[str]) -> str:
    for name in names:
        value = told.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value):
            return beginning(str(value), 200)
    return ""


def _keep(attributes: dict[str, Any], told: Mapping[str, Any]) -> None:
    for name, value in told.items():
        wanted = name in _KEPT or not name.startswith(_INNER)
        if wanted and len(attributes) < _MOST and isinstance(value, str | int | float | bool | list):
            attributes.setdefault(name, value if not isinstance(value, str) else beginning(value, 1000))
