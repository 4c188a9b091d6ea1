"""Trajectories in the Agent Trajectory Interchange Format, as Harbor and others write them: one JSON document each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from loopwright.ingest.known_tools import call_of
from loopwright.ingest.plain import digest, words_of, written
from loopwright.ingest.ports import About
from loopwright.ingest.reading import document_of, moment_of, raw_event, said
from loopwright.ingest.restored import duration_of, is_restorable, restored
from loopwright.ingest.seen import Seen
from loopwright.ingest.spending import Counts, dollars_of, used, with_cost
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import count, exit_code
from loopwright.text.bounded import TEXT_LIMIT, bounded, data, field, first_field, items, mapping
from loopwright.text.open_calls import OpenCalls

Part = Mapping[str, Any]

_MARK = re.compile(rb'"schema_version"\s*:\s*"ATIF-')
_MOST_NESTED = 20
"""Subagents of subagents, so deep."""
_VERSIONS = ("prompt_version", "prompt_hash")
_NOT_SAID = ("task_type", *_VERSIONS)


class Atif:
    """The format `atif`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name no place: whoever writes trajectories says where."""
        return []

    def recognises(self, head: bytes) -> bool:
        """Look for the version of its schema."""
        return _MARK.search(head) is not None

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file: several files that say the same one are parts of it."""
        return [_name(mapping(document_of(path)))]

    def read(self, session_id: str, paths: Sequence[Path]) -> Trajectory:
        """Begin to read a session from all its files."""
        return Trajectory(paths)


class Trajectory:
    """One session (a ports.Reading)."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.about = About()
        self._paths = sorted(paths)
        self._at = ""
        self._is_ours = False
        """Whether our own export wrote it, which says more than the format has a place for."""
        self._calls = OpenCalls()
        self._seen, self._called = Seen(), Seen()

    def events(self) -> Iterator[Event]:
        """Give the events of all its files."""
        for path in self._paths:
            value = document_of(path)
            if isinstance(value, dict):
                self._note(value)
                yield from self._document(value, _name(value), None, 0)
            else:
                yield raw_event(
                    bounded(path.read_bytes()[: TEXT_LIMIT + 1].decode(errors="replace"), TEXT_LIMIT), self._at
                )

    def _note(self, document: Part) -> None:
        """Keep what a document says of the session as a whole."""
        about, agent, extra = self.about, mapping(document.get("agent")), mapping(document.get("extra"))
        about.agent = about.agent or field(agent.get("name"), 200).replace("-", "_")
        about.agent_version = about.agent_version or field(agent.get("version"), 100)
        about.model = about.model or field(agent.get("model_name"), 200)
        ours = mapping(extra.get("loopwright"))
        self._is_ours = self._is_ours or bool(ours)
        about.project = about.project or field(ours.get("repository"))
        about.goal = about.goal or field(ours.get("goal"))
        told = {**mapping(agent.get("extra")), **ours, **extra}
        about.task_type = about.task_type or field(told.get("task_type"), 200)
        about.prompt_version = about.prompt_version or next(
            (bounded(str(told[name]), 200) for name in _VERSIONS if told.get(name)), ""
        )
        names = ("schema_version", "notes", "continued_trajectory_ref", "final_metrics")
        kept = {name: document[name] for name in names if document.get(name)}
        about.attributes |= data(kept | {name: value for name, value in told.items() if name not in _NOT_SAID})

    def _document(self, document: Part, name: str, parent: str | None, depth: int) -> Iterator[Event]:
        model = field(mapping(document.get("agent")).get("model_name"), 200)
        steps, below = items(document.get("steps")), _below(document)
        for step in steps:
            if not isinstance(step, dict):
                yield raw_event(written(step), self._at)
            elif step.get("is_copied_context") is not True and self._is_new(name, step):
                self._at = moment_of(step.get("timestamp")) or self._at
                yield from self._step(step, name, model, parent)
                yield from self._delegated(step, below, name, parent, depth)
        if not any(_spent(mapping(step)) for step in steps):
            yield from self._totals(document, name, model, parent)
        for other in list(below.values()) if depth < _MOST_NESTED else ():
            yield from self._document(other, _within(name, other), parent, depth + 1)

    def _is_new(self, name: str, told: object) -> bool:
        """Say whether something was not there before: a file may be there twice."""
        return len(self._paths) == 1 or self._seen.is_new(digest(name, told))

    def _step(self, step: Part, name: str, model: str, parent: str | None) -> Iterator[Event]:
        source, words = step.get("source"), words_of(step.get("message"))
        told = mapping(step.get("extra")) if self._is_ours and source in ("user", "system") else {}
        if is_restorable(told):
            yield restored(told, words, self._at, parent)
        elif source == "user":
            yield self._asked(words, parent)
        elif source == "system":
            yield self._said(EventKind.SYSTEM, words, parent, subtype="system")
        elif source == "agent":
            yield from self._agent(step, words, parent)
            yield from self._spent(step, name, field(step.get("model_name"), 200) or model, parent)
        else:
            yield raw_event(written(step), self._at)
            return
        yield from self._observed(step, parent)

    def _asked(self, words: str, parent: str | None) -> Event:
        if parent is not None:
            return self._said(EventKind.SYSTEM, words, parent, subtype="subagent")
        self.about.goal = self.about.goal or bounded(words)
        return self._said(EventKind.PROMPT, words, None)

    def _agent(self, step: Part, words: str, parent: str | None) -> Iterator[Event]:
        if thought := field(step.get("reasoning_content"), TEXT_LIMIT):
            yield self._said(EventKind.THINKING, thought, parent)
        if self._is_ours:
            self._at = moment_of(mapping(step.get("extra")).get("at")) or self._at
        if words:
            yield self._said(EventKind.MESSAGE, words, parent)
        for call in items(step.get("tool_calls")):
            yield from self._call(call, parent)

    def _call(self, call: object, parent: str | None) -> Iterator[Event]:
        told = mapping(call)
        tool, name = field(told.get("function_name"), 200), field(told.get("tool_call_id"), 200)
        if not tool:
            yield raw_event(written(call), self._at)
        elif not name or self._called.is_new(name):
            given = told.get("arguments")
            yield self._calls.opened(name, call_of(tool, given), given, self._at, parent)

    def _observed(self, step: Part, parent: str | None) -> Iterator[Event]:
        calls, results = items(step.get("tool_calls")), items(mapping(step.get("observation")).get("results"))
        for result in results:
            told = mapping(result)
            ours = mapping(told.get("extra")) if self._is_ours else {}
            if self._is_ours and "content" not in told:
                continue  # it has not returned, and is there for its subagent
            name = field(told.get("source_call_id") or ours.get("call_id"), 200)
            if not name and len(calls) == len(results) == 1:
                name = field(mapping(calls[0]).get("tool_call_id"), 200)
            words = words_of(told.get("content"))
            if not name:
                yield self._said(EventKind.SYSTEM, words, parent, subtype="observation")
                continue
            failed, code = _failed(told, step)
            at = moment_of(ours.get("at")) or self._at
            event = self._calls.closed(name, words, is_error=failed, exit_code=code, at=at, parent=parent)
            tool, took = event.tool or field(ours.get("tool"), 200) or None, duration_of(ours.get("duration_s"))
            yield replace(event, tool=tool, duration_s=took)

    def _delegated(
        self, step: Part, below: dict[str, Part], name: str, parent: str | None, depth: int
    ) -> Iterator[Event]:
        """Tell of the subagents that a step started, below the call that started them."""
        for result in items(mapping(step.get("observation")).get("results")):
            told = mapping(result)
            call = field(told.get("source_call_id"), 200) or parent
            for reference in items(told.get("subagent_trajectory_ref")):
                names = [field(mapping(reference).get(key), 200) for key in ("trajectory_id", "session_id")]
                found = next((below.pop(one) for one in names if one in below), None) if depth < _MOST_NESTED else None
                if found is not None:
                    yield from self._document(found, _within(name, found), call, depth + 1)

    def _spent(self, step: Part, name: str, model: str, parent: str | None) -> Iterator[Event]:
        if counts := _spent(step):
            if parent is None:
                self.about.model = model or self.about.model
            ours = mapping(mapping(step.get("metrics")).get("extra")) if self._is_ours else {}
            at = moment_of(ours.get("at")) or self._at
            cost = dollars_of(mapping(step.get("metrics")).get("cost_usd"))
            spent = used(model, counts, at, f"{name} {count(step.get('step_id'))}"[-200:], parent)
            yield with_cost(spent, cost)

    def _totals(self, document: Part, name: str, model: str, parent: str | None) -> Iterator[Event]:
        """Take the sums of a document whose steps say nothing of tokens."""
        told = mapping(document.get("final_metrics"))
        counts = _counts(told, "total_prompt_tokens", "total_completion_tokens", "total_cached_tokens")
        if any(counts) and self._is_new(name, told):
            yield with_cost(used(model, counts, self._at, name, parent), dollars_of(told.get("total_cost_usd")))

    def _said(self, kind: EventKind, words: str, parent: str | None, **told: Any) -> Event:
        return said(kind, words, self._at, parent, **told)


def _name(document: Part) -> str:
    """Give a document's session, its own id, or what its first step comes to."""
    return first_field(document, ("session_id", "trajectory_id"), 200) or digest(items(document.get("steps"))[:1])


def _within(name: str, document: Part) -> str:
    """Name a subagent's document; what one session calls `explore`, others do as well."""
    return f"{name} {_name(document)}"[-200:]


def _below(document: Part) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for number, one in enumerate(items(document.get("subagent_trajectories"))):
        if isinstance(one, dict):
            name = first_field(one, ("trajectory_id", "session_id"), 200)
            found[name if name and name not in found else f" {number}"] = one
    return found


def _counts(told: Part, prompt: str, completion: str, cached: str) -> Counts:
    """Read tokens; those of the cache are among the prompt's."""
    extra = mapping(told.get("extra"))
    asked, read = count(told.get(prompt)), count(told.get(cached))
    written = count(extra.get("cache_creation_input_tokens"))
    fresh = asked - read - written if asked >= read + written else max(asked - read, 0)
    return fresh, count(told.get(completion)), read, written, count(extra.get("ephemeral_1h_input_tokens"))


def _spent(step: Part) -> Counts | None:
    counts = _counts(mapping(step.get("metrics")), "prompt_tokens", "completion_tokens", "cached_tokens")
    return counts if any(counts) else None


def _failed(result: Part, step: Part) -> tuple[bool, int | None]:
    """Read whether a result is an error: the format has no word for it, and those who write it have theirs."""
    extra = {**mapping(step.get("extra")), **mapping(result.get("extra"))}
    code = exit_code(extra.get("exit_code", extra.get("returncode")))
    return extra.get("is_error") is True or extra.get("tool_result_is_error") is True or bool(code), code
