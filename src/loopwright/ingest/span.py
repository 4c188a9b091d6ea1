"""A span by any convention -> one form: what it is of, what it used, what was said and done in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from loopwright.ingest.otlp_json import Sent
from loopwright.ingest.plain import unwrapped
from loopwright.ingest.restored import noted
from loopwright.ingest.span_messages import Attributes, Message, heard, is_message, said, text_of
from loopwright.ingest.spending import Counts, dollars_of
from loopwright.text.amounts import count
from loopwright.text.bounded import bounded, data
from loopwright.text.bounded import field as words

_OPERATIONS = {
    **dict.fromkeys(("chat", "text_completion", "generate_content", "completion"), "chat"),
    **dict.fromkeys(("invoke_agent", "agent"), "agent"),
    **dict.fromkeys(("execute_tool", "tool"), "tool"),
    **dict.fromkeys(("embeddings", "embedding"), "embeddings"),
    "llm": "chat",
}
"""The operation, or the kind of the span, in small letters -> what it is here. Others are steps of an agent."""
_KINDS = ("gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type")
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id", "conversation.id", "thread.id")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "embedding.model_name", "llm.model")
_TOOLS = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
_CALLS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id")
_GIVEN = ("gen_ai.tool.call.arguments", "input.value", "tool.parameters", "traceloop.entity.input")
_RETURNED = ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output")
_INPUT = (
    *("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
    "llm.usage.prompt_tokens",
)
_OUTPUT = (
    *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
    "llm.usage.completion_tokens",
)
_CACHE_READ = (
    *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"),
    *("llm.token_count.prompt_details.cache_read", "gen_ai.usage.input_tokens.cached"),
)
_CACHE_WRITE = (
    *("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens"),
    "llm.token_count.prompt_details.cache_write",
)
_FOR_AN_HOUR = ("loopwright.cache_creation_1h.input_tokens",)


@dataclass(frozen=True)
class Span:
    """What happened between two moments, and within what."""

    trace: str
    id: str
    parent: str
    name: str
    kind: str
    """chat, agent, tool, embeddings, step; other where no agent is in it."""
    began: float
    ended: float
    conversation: str = ""
    agent: str = ""
    agent_version: str = ""
    model: str = ""
    response: str = ""
    """What the model's provider calls its answer."""
    counts: Sequence[int] = (0, 0, 0, 0)
    cost_usd: float | None = None
    """What it cost, where our own export says so."""
    tool: str = ""
    call_id: str = ""
    given: Any = None
    returned: str = ""
    heard: Sequence[Message] = ()
    said: Sequence[Message] = ()
    failed: bool = False
    why: str = ""
    attributes: Attributes = field(default_factory=dict)
    """All else that was said of it."""
    resource: Attributes = field(default_factory=dict)
    noted: Sequence[Attributes] = ()
    """What happened in it, as our own export tells it."""

    @property
    def key(self) -> tuple[str, str]:
        """By what one knows it again."""
        return self.trace, self.id

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data, without what is empty."""
        return {name: value for name, value in vars(self).items() if value}


_NAMES = frozenset(spec.name for spec in fields(Span))


def from_dict(told: Mapping[str, Any]) -> Span:
    """Read what was written by `to_dict`."""
    bare: dict[str, Any] = {"parent": "", "name": "", "kind": "other", "began": 0.0, "ended": 0.0}
    return Span(**bare | {name: value for name, value in told.items() if name in _NAMES})


def span_of(sent: Sent) -> Span:
    """Read a span as it was sent."""
    told = sent.attributes
    kind = kind_of(told)
    talks = kind in ("chat", "agent") and "loopwright.seq" not in told  # our own export tells it by events
    failed = sent.failed or bool(told.get("error.type"))
    return Span(
        *(sent.trace, sent.id, sent.parent, sent.name, kind, sent.began, sent.ended),
        conversation=conversation_of(told),
        agent=_text(told, ("gen_ai.agent.name", "agent.name"), 200),
        agent_version=_text(told, ("gen_ai.agent.version",), 100),
        model=_text(told, _MODELS, 200),
        response=_text(told, ("gen_ai.response.id",), 200),
        counts=_counts(told),
        cost_usd=dollars_of(told.get("loopwright.cost_usd")) if kind in ("chat", "agent") else None,
        tool=_tool(told, sent.name) if kind == "tool" else "",
        call_id=_text(told, _CALLS, 200),
        given=data(unwrapped(_first(told, _GIVEN))) if kind == "tool" else None,
        returned=text_of(_first(told, _RETURNED)) if kind == "tool" else "",
        heard=heard(told, sent.notes) if talks else (),
        said=said(told, sent.notes) if talks else (),
        failed=failed,
        why=_why(sent) if failed else "",
        attributes=_others(told, kind),
        resource={name: data(value) for name, value in sent.resource.items()},
        noted=noted(sent.notes) if kind in ("agent", "step") else (),
    )


def kind_of(told: Attributes) -> str:
    """Say what a span is of, by its attributes."""
    for name in _KINDS:
        if found := words(told.get(name), 100).lower():
            return _OPERATIONS.get(found, "step")
    if "gen_ai.tool.name" in told:
        return "tool"
    return "chat" if any(name in told for name in (*_MODELS[:3], *_INPUT)) else "other"


def conversation_of(told: Attributes) -> str:
    """Give the conversation or the session that a span names."""
    return _text(told, _CONVERSATIONS, 200)


def _tool(told: Attributes, name: str) -> str:
    return _text(told, _TOOLS, 200) or bounded(name.removeprefix("execute_tool "), 200) or "tool"


def _counts(told: Attributes) -> Counts:
    """Read tokens. Those of the cache are among the input, as conventions say, unless they are more than that."""
    kinds = (_INPUT, _OUTPUT, _CACHE_READ, _CACHE_WRITE, _FOR_AN_HOUR)
    asked, answered, read, made, longer = (count(_first(told, names)) for names in kinds)
    return (asked - read - made if asked >= read + made else asked), answered, read, made, longer


def _why(sent: Sent) -> str:
    noted = [note for name, note in sent.notes if name == "exception"]
    raised = [words(note.get(key)) for note in noted for key in ("exception.message", "exception.type")]
    told = (sent.why, *raised, words(sent.attributes.get("error.type")), "failed")
    return next(text for text in told if text)


def _others(told: Attributes, kind: str) -> dict[str, Any]:
    read = {*_GIVEN, *_RETURNED} if kind == "tool" else set()
    return {name: data(value) for name, value in told.items() if not is_message(name) and name not in read}


def _first(told: Attributes, names: Sequence[str]) -> Any:
    return next((told[name] for name in names if told.get(name) is not None), None)


def _text(told: Attributes, names: Sequence[str], limit: int) -> str:
    for name in names:
        value = told.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if found := words(value, limit):
            return found
    return ""
