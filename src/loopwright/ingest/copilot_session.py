"""The lines of a session of Copilot CLI -> events: calls and results joined, tokens counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from operator import add
from typing import Any

from loopwright.ingest.copilot_tools import Tools
from loopwright.ingest.cumulative import Cumulative
from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, said
from loopwright.ingest.seen import Seen
from loopwright.ingest.spending import used
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import count
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, field, items, mapping
from loopwright.text.tool_calls import identity

Read = Iterable[Event] | None
"""None: it was not understood."""

_HEADS = 6


class Session:
    """Reads one session, however often it was taken up again."""

    def __init__(self, about: About) -> None:
        self.at = ""
        self._about = about
        self._lines = Seen()
        self._model = ""
        self._parent: str | None = None
        self._agents: dict[str, str] = {}
        """Subagents -> the calls that started them."""
        self._unnamed: list[str] = []
        """Calls that have started a subagent whose name is not known yet."""
        self._thoughts: set[str] = set()
        self._tools = Tools()
        self._totals: dict[str, Cumulative] = {}
        self._output: dict[str, int] = {}
        """What each model had written at the last shutdown."""
        self._since: Counter[str] = Counter()
        """What each model has written since, as far as its messages say."""
        self._recorded: dict[str, list[int]] = {}
        """What each model has used since, as far as that was recorded request by request."""

    def read(self, line: Line) -> Read:
        """Read one line; None where it is not understood."""
        kind, told = line.get("type"), line.get("data")
        if not isinstance(kind, str) or not isinstance(told, dict):
            return None
        name = identity(line.get("id"))
        if name is not None and not self._is_new(name):
            return ()
        if "timestamp" in line:
            self.at = moment_of(line["timestamp"]) or self.at
        self._parent = self._parent_of(line, told)
        self._tools.at, self._tools.parent = self.at, self._parent
        reader = _READERS.get(kind)
        if reader is None:
            return () if kind in _OWN or kind.endswith(_CHANGES) or kind.startswith("hook.") else None
        return reader(self, told)

    def rest(self) -> Iterable[Event]:
        """Give what its messages say of tokens, where it ended without a shutdown that would say it better."""
        rest = [(model, tokens) for model, tokens in self._since.items() if tokens and model not in self._recorded]
        return [used(model, (0, tokens, 0, 0), self.at, f"rest {model}") for model, tokens in rest]

    def _is_new(self, name: str) -> bool:
        if not self._lines.is_new(name):
            return False
        if len(self._about.heads) < _HEADS:
            self._about.heads.append(name)
        return True

    def _parent_of(self, line: Line, told: Line) -> str | None:
        """Find the call of the subagent that a line is of."""
        agent, call = identity(line.get("agentId")), identity(told.get("parentToolCallId"))
        if call or agent is None:
            return call
        if agent not in self._agents and line.get("type") != "subagent.started":
            self._agents[agent] = self._unnamed.pop(0) if self._unnamed else agent
        return self._agents.get(agent, agent)

    def _said(self, kind: EventKind, text: object, **told: Any) -> Event:
        return said(kind, text, self.at, self._parent, **told)

    def _began(self, told: Line) -> Read:
        about, place = self._about, mapping(told.get("context"))
        about.agent_version = field(told.get("copilotVersion"), 100) or about.agent_version
        self._chose(told.get("selectedModel"))
        self._moved(place)
        return ()

    def _resumed(self, told: Line) -> Read:
        self._began(told)
        return [self._said(EventKind.SYSTEM, "", subtype="resume")]

    def _moved(self, place: Line) -> Read:
        about = self._about
        about.project = about.project or field(place.get("cwd")) or field(place.get("gitRoot"))
        about.branch = about.branch or field(place.get("branch"), 500)
        about.commit = about.commit or field(place.get("headCommit"), 100)
        return ()

    def _changed_model(self, told: Line) -> Read:
        self._chose(told.get("newModel"))
        return ()

    def _chose(self, model: object) -> None:
        self._model = field(model, 200) or self._model
        if self._parent is None:
            self._about.model = self._model

    def _titled(self, told: Line) -> Read:
        self._about.title = field(told.get("title"), 500) or self._about.title
        return ()

    def _asked(self, told: Line) -> Read:
        """Tell what came in the user's name; other parts of the program speak in it, too."""
        text, source = field(told.get("content"), TEXT_LIMIT), told.get("source")
        if self._parent is not None:
            return [self._said(EventKind.SYSTEM, text, subtype="subagent")]
        if isinstance(source, str) and source and source != "user":
            return [self._said(EventKind.SYSTEM, text, subtype=field(source, 100))]
        self._about.goal = self._about.goal or bounded(text)
        return [self._said(EventKind.PROMPT, text)]

    def _answered(self, told: Line) -> Read:
        name, model = identity(told.get("messageId")), field(told.get("model"), 200)
        self._chose(model)
        self._since[model or self._model] += count(told.get("outputTokens"))
        events = [*self._thought(told.get("reasoningText"))]
        if told.get("content"):
            events.append(self._said(EventKind.MESSAGE, told["content"], message=name or ""))
        for request in items(told.get("toolRequests")):
            events += self._tools.called(mapping(request))
        return events

    def _reasoned(self, told: Line) -> Read:
        return self._thought(told.get("content"))

    def _thought(self, text: object) -> list[Event]:
        """Tell a thought once: a line of its own may have it, and the message after it."""
        if not isinstance(text, str) or not text or text in self._thoughts:
            return []
        self._thoughts = {text}
        return [self._said(EventKind.THINKING, text)]

    def _called(self, told: Line) -> Read:
        return self._tools.called(told)

    def _returned(self, told: Line) -> Read:
        return self._tools.returned(told)

    def _wanted(self, told: Line) -> Read:
        self._tools.wanted(told)
        return ()

    def _decided(self, told: Line) -> Read:
        return self._tools.decided(told)

    def _started(self, told: Line) -> Read:
        call = identity(told.get("toolCallId"))
        if call and self._parent and self._parent not in self._agents.values():
            self._agents[self._parent] = call  # it is the name of the subagent itself
        elif call:
            self._unnamed.append(call)
        self._parent = call
        return [self._said(EventKind.SYSTEM, told.get("agentName"), subtype="subagent")]

    def _finished(self, told: Line) -> Read:
        self._parent = identity(told.get("toolCallId")) or self._parent
        error = told.get("error")
        return [self._said(EventKind.ERROR if error else EventKind.SYSTEM, error, subtype="subagent")]

    def _stopped(self, told: Line) -> Read:
        kind = EventKind.SYSTEM if self._parent else EventKind.INTERRUPT
        return [self._said(kind, told.get("reason"), subtype="abort")]

    def _failed(self, told: Line) -> Read:
        return [self._said(EventKind.ERROR, told.get("message"), subtype=field(told.get("errorType"), 100))]

    def _retried(self, told: Line) -> Read:
        return [self._said(EventKind.RETRY, told.get("errorMessage") or told.get("message"))]

    def _noted(self, told: Line) -> Read:
        words = told.get("content") or told.get("message") or told.get("summaryContent") or told.get("name")
        return [self._said(EventKind.SYSTEM, words, subtype=field(told.get("role") or told.get("infoType"), 100))]

    def _used(self, told: Line) -> Read:
        """Count the tokens of one request, as newer versions tell them."""
        usage = mapping(told.get("usage"))
        model, counts = field(usage.get("model"), 200) or self._model, _counts(usage)
        self._recorded[model] = [*map(add, self._recorded.get(model, (0, 0, 0, 0)), counts)]
        name = identity(usage.get("apiCallId")) or ""
        return [used(model, counts, self.at, f"{name} {self.at}", self._parent)] if any(counts) else ()

    def _shut_down(self, told: Line) -> Read:
        """Count the tokens of all models: of the session so far, or since it was taken up again."""
        metrics = mapping(told.get("modelMetrics") or mapping(told.get("accountingSnapshot")).get("modelMetrics"))
        events = [event for model, metric in metrics.items() for event in self._spent(field(model, 200), metric)]
        for model in metrics:
            self._since.pop(field(model, 200), None)
            self._recorded.pop(field(model, 200), None)
        return events

    def _spent(self, model: str, metric: object) -> list[Event]:
        counts, recorded = _counts(mapping(mapping(metric).get("usage"))), self._recorded.get(model)
        before, since = self._output.get(model, 0), recorded[1] if recorded else self._since[model]
        if model not in self._totals or abs(counts[1] - since) < abs(counts[1] - before - since):
            self._totals[model] = Cumulative()  # it was counted anew when the session was taken up again
        self._output[model] = counts[1]
        added = self._totals[model].added(counts, None) or (0, 0, 0, 0)
        more = [max(0, whole - part) for whole, part in zip(added, recorded or (0, 0, 0, 0), strict=True)]
        return [used(model, more, self.at, f"{model} {self.at}")] if any(more) else []


Reader = Callable[[Session, Line], Read]


def _counts(usage: Line) -> list[int]:
    """Read a count of tokens; those of a cache are input, too, and here each is counted once."""
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    whole, output, read, written = (count(usage.get(name)) for name in names)
    return [max(0, whole - read - written), output, read, written]


_READERS: Mapping[str, Reader] = {
    "session.start": Session._began,
    "session.resume": Session._resumed,
    "session.context_changed": Session._moved,
    "session.model_change": Session._changed_model,
    "session.title_changed": Session._titled,
    "session.error": Session._failed,
    "session.shutdown": Session._shut_down,
    "session.usage_record": Session._used,
    "user.message": Session._asked,
    "assistant.message": Session._answered,
    "assistant.reasoning": Session._reasoned,
    "assistant.thinking": Session._reasoned,
    "model.call_failure": Session._retried,
    "abort": Session._stopped,
    **dict.fromkeys(("tool.execution_start", "tool.user_requested"), Session._called),
    "tool.execution_complete": Session._returned,
    "permission.requested": Session._wanted,
    "permission.completed": Session._decided,
    "subagent.started": Session._started,
    **dict.fromkeys(("subagent.completed", "subagent.failed"), Session._finished),
    **dict.fromkeys(("session.info", "session.warning", "session.handoff", "session.truncation"), Session._noted),
    **dict.fromkeys(("session.compaction_complete", "session.task_complete", "skill.invoked"), Session._noted),
    **dict.fromkeys(("system.message", "system.notification"), Session._noted),
}
_OWN = frozenset(
    {
        *("session.idle", "session.usage_info", "session.usage_checkpoint", "session.snapshot_rewind"),
        *("session.compaction_start", "session.context_cleared", "assistant.turn_start", "assistant.turn_end"),
        *("assistant.intent", "assistant.idle", "assistant.message_start", "assistant.usage", "subagent.selected"),
        *("subagent.deselected", "subagent.configured", "tool.execution_partial_result", "tool.execution_progress"),
        *("user_input.requested", "user_input.completed", "elicitation.requested", "elicitation.completed"),
        *("command.queued", "command.execute", "command.completed", "exit_plan_mode.requested", "model.call_finished"),
        *("exit_plan_mode.completed", "external_tool.requested", "external_tool.completed", "session.binary_asset"),
    }
)
"""What nothing happened in that another line does not tell."""
_CHANGES = ("_changed", "_updated", "_loaded", "_delta", ".changed", ".modified", "_created", "_cancelled", "_resolved")
