"""Trajectories of SWE-agent (`*.traj`) and of mini-swe-agent (`*.traj.json`): one JSON document each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from loopwright.ingest.known_tools import call_of
from loopwright.ingest.plain import digest, unwrapped, words_of, written
from loopwright.ingest.ports import About
from loopwright.ingest.reading import document_of, moment_of, raw_event, said
from loopwright.ingest.spending import Counts, used
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.text.amounts import amount, count, exit_code
from loopwright.text.bounded import FIELD_LIMIT, TEXT_LIMIT, bounded, data, field, items, mapping
from loopwright.text.open_calls import OpenCalls

Part = Mapping[str, Any]

_STEPS = re.compile(rb'"trajectory"\s*:\s*\[')
_FENCED = re.compile(r"```(?:mswea_bash_command|bash|sh)[ \t\r]*\n(.*?)\n```", re.DOTALL)
_RETURNED = re.compile(r"\s*<returncode>(-?\d{1,9})</returncode>\s*")
_SHELL = "bash"
_GOOD = ("submitted", "early_exit", "skipped")
"""How the exit status begins of a run that ended as it should."""


class SweAgent:
    """The format `swe_agent`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name where mini-swe-agent keeps its last run; SWE-agent writes where it is started."""
        named = environment.get("MSWEA_GLOBAL_CONFIG_DIR", "")
        return [Path(named or home / ".config" / "mini-swe-agent")]

    def recognises(self, head: bytes) -> bool:
        """Look for steps with an action and what was seen, or for messages with what a model cost."""
        if not head.lstrip().startswith(b"{"):
            return False
        if _STEPS.search(head) and b'"action"' in head and b'"observation"' in head:
            return True
        return b'"mini-swe-agent-' in head or (b'"instance_cost"' in head and b'"model_stats"' in head)

    def sessions(self, path: Path) -> Iterable[str]:
        """Name a file's session by its task and how it began: the same task is done by many."""
        return [_name(path, mapping(document_of(path)))]

    def read(self, session_id: str, paths: Sequence[Path]) -> Trajectory:
        """Begin to read a session; where it is there twice, the file that was written last."""
        return Trajectory(session_id, max(paths, key=lambda path: (path.stat().st_size, str(path))))


class Trajectory:
    """One session (a ports.Reading)."""

    def __init__(self, session_id: str, path: Path) -> None:
        self.about = About(agent="swe_agent")
        self._session_id, self._path = session_id, path
        self._at = timestamp(path.stat().st_mtime)
        self._calls = OpenCalls()
        self._number = 0
        self._is_timed = False
        self._waiting: dict[str, bool] = {}
        """The calls of a message whose results come with the next ones, and whether the record has an id for them."""

    def events(self) -> Iterator[Event]:
        """Give the events in their order."""
        document = document_of(self._path)
        if not isinstance(document, dict):
            yield raw_event(
                bounded(self._path.read_bytes()[: TEXT_LIMIT + 1].decode(errors="replace"), TEXT_LIMIT), self._at
            )
            return
        info = mapping(document.get("info"))
        self._note(document, info)
        if isinstance(document.get("messages"), list) and not _steps_of(document):
            yield from self._messages(items(document.get("messages")))
        else:
            yield from self._steps(document, info)
        yield from self._end(info)

    def _note(self, document: Part, info: Part) -> None:
        about, config = self.about, mapping(info.get("config"))
        if "messages" in document and not _steps_of(document):
            about.agent = "mini_swe_agent"
        replayed = mapping(mapping(unwrapped(document.get("replay_config"))).get("agent"))
        models = (mapping(config.get("model")).get("model_name"), mapping(replayed.get("model")).get("name"))
        about.model = next((field(name, 200) for name in models if field(name, 200)), "")
        versions = (info.get("mini_version"), info.get("swe_agent_version"))
        about.agent_version = next((field(version, 100) for version in versions if field(version, 100)), "")
        names = ("exit_status", "model_stats", "swe_agent_hash", "edited_files30")
        about.attributes = data({name: info[name] for name in names if info.get(name)})
        about.attributes["task"] = field(document.get("instance_id"), 200) or self._path.stem

    def _steps(self, document: Part, info: Part) -> Iterator[Event]:
        """Tell the steps of SWE-agent. They have no times: the file's is the end, each took as long as it says."""
        steps = _steps_of(document)
        left = sum(amount(mapping(step).get("execution_time")) for step in steps)
        ended = self._path.stat().st_mtime
        self._at = timestamp(max(0.0, ended - left))
        yield from self._opening(document, steps)
        for step in steps:
            if not isinstance(step, dict):
                yield raw_event(written(step), self._at)
                continue
            yield from self._step(step)
            left -= amount(step.get("execution_time"))
            self._at = timestamp(max(0.0, ended - max(0.0, left)))
            yield from self._seen(step)
        yield from self._spent(mapping(info.get("model_stats")))

    def _opening(self, document: Part, steps: Sequence[Any]) -> Iterator[Event]:
        """Tell what the agent was told before its first step."""
        told = items(mapping(steps[0]).get("query")) if steps else []
        for message in told or items(document.get("history")):
            role = field(mapping(message).get("role"), 50)
            if role == "assistant":
                return
            if role in ("system", "user"):
                yield self._asked(role, words_of(mapping(message).get("content")), mapping(message))

    def _asked(self, role: str, words: str, message: Part) -> Event:
        if role == "system" or message.get("is_demo") is True:
            return self._said(EventKind.SYSTEM, words, subtype="demonstration" if role == "user" else "system")
        self.about.goal = self.about.goal or bounded(words)
        return self._said(EventKind.PROMPT, words)

    def _step(self, step: Part) -> Iterator[Event]:
        for block in items(step.get("thinking_blocks")):
            yield self._said(EventKind.THINKING, field(mapping(block).get("thinking"), TEXT_LIMIT))
        words = field(step.get("thought"), TEXT_LIMIT) or field(step.get("response"), TEXT_LIMIT)
        if words:
            yield self._said(EventKind.MESSAGE, words)
        if action := field(step.get("action"), TEXT_LIMIT).strip():
            self._waiting = {}
            yield self._call(_SHELL, {"command": action}, "")

    def _seen(self, step: Part) -> Iterator[Event]:
        words = field(step.get("observation"), TEXT_LIMIT)
        if self._waiting:
            took = amount(step.get("execution_time")) or None
            event = self._result("", words, exit_code(mapping(step.get("extra_info")).get("exit_code")))
            yield replace(event, duration_s=took)
        elif words:
            yield self._said(EventKind.SYSTEM, words, subtype="observation")

    def _messages(self, messages: Sequence[Any]) -> Iterator[Event]:
        """Tell the messages of mini-swe-agent; what comes after a command is its output."""
        times = _times_of(messages)
        self._is_timed = any(times)
        for message, at in zip(messages, times, strict=True):
            self._at = at or self._at
            if isinstance(message, dict):
                yield from self._message(message, mapping(message.get("extra")))
            else:
                yield raw_event(written(message), self._at)

    def _message(self, message: Part, extra: Part) -> Iterator[Event]:
        role, words = message.get("role"), words_of(message.get("content"))
        if role == "assistant" or message.get("object") == "response":
            yield from self._answer(message, extra, words)
        elif role == "exit":
            self._waiting = {}
            yield self._said(EventKind.RESULT, words)
        elif (role in ("user", "tool") or message.get("type") == "function_call_output") and self._waiting:
            output = field(extra.get("raw_output"), TEXT_LIMIT) or words or field(message.get("output"), TEXT_LIMIT)
            told = field(message.get("tool_call_id") or message.get("call_id"), 200)
            yield self._result(self._named(told), output, exit_code(extra.get("returncode")))
        elif role in ("system", "user"):
            yield self._asked(str(role), words, message)
        else:
            yield raw_event(written(message), self._at)

    def _answer(self, message: Part, extra: Part, words: str) -> Iterator[Event]:
        if thought := field(message.get("reasoning_content"), TEXT_LIMIT):
            yield self._said(EventKind.THINKING, thought)
        if words:
            yield self._said(EventKind.MESSAGE, words)
        self._waiting = {}
        for command, name in _actions(message, extra, words):
            yield self._call(_SHELL, {"command": command}, name)
        response = mapping(extra.get("response")) or message
        counts = _counts(mapping(response.get("usage")))
        if any(counts):
            model = field(response.get("model"), 200) or self.about.model
            name = self._named(field(response.get("id"), 200)) or self._counted("message")
            yield used(model, counts, self._at, name)

    def _call(self, tool: str, given: Part, told: str) -> Event:
        name = self._named(told) or self._counted("call")
        self._waiting[name] = bool(told)
        return self._calls.opened(name, call_of(tool, given), given, self._at)

    def _named(self, told: str) -> str:
        """Give an id of the record's; where no time is beside it, with the session: others have `call_0` as well."""
        return f"{self._session_id} {told}"[-200:] if told and not self._is_timed else told

    def _counted(self, what: str) -> str:
        """Make an id for what has none; no other session has the same, since those that share one are copies."""
        self._number += 1
        return f"{self._session_id} {what} {self._number}"[-200:]

    def _result(self, name: str, words: str, code: int | None) -> Event:
        if name not in self._waiting:  # it says no id, or its call said none
            name = next((one for one, is_told in self._waiting.items() if not (name and is_told)), name)
        self._waiting.pop(name, None)
        if code is None and (told := _RETURNED.match(words)):
            code, words = int(told.group(1)), words[told.end() :]
        return self._calls.closed(name, words, is_error=bool(code), exit_code=code, at=self._at)

    def _spent(self, told: Part) -> Iterator[Event]:
        counts = (count(told.get("tokens_sent")), count(told.get("tokens_received")), 0, 0)
        if any(counts):
            yield used(self.about.model, counts, self._at, f"{self._session_id} all"[-200:])

    def _end(self, info: Part) -> Iterator[Event]:
        status = field(info.get("exit_status"), 500)
        if status and not status.lower().startswith(_GOOD):
            yield replace(self._said(EventKind.ERROR, status), is_error=True, error_kind="PARSED_ERROR")
        if (words := field(info.get("submission"), TEXT_LIMIT)) and self.about.agent == "swe_agent":
            yield self._said(EventKind.RESULT, words)

    def _said(self, kind: EventKind, words: str, **told: Any) -> Event:
        return said(kind, words, self._at, **told)


def _name(path: Path, document: Part) -> str:
    task = path.name.partition(".traj")[0]
    first = mapping((_steps_of(document) or [{}])[0])
    began = [first.get(name) for name in ("response", "action", "observation", "execution_time")]
    return f"{task[:150]}-{digest(began, items(document.get('messages'))[:3], document.get('replay_config'))}"


def _steps_of(document: Part) -> list[Any]:
    """Give the steps; of an agent that tries again, those of all its attempts: at the top are the best one's."""
    attempts = [mapping(attempt).get("trajectory") for attempt in items(document.get("attempts"))]
    return [step for steps in attempts for step in items(steps)] or items(document.get("trajectory"))


def _times_of(messages: Sequence[Any]) -> list[str]:
    """Give the time of each message: its own, else that of the next that has one, else of the one before."""
    times = [moment_of(mapping(mapping(message).get("extra")).get("timestamp")) for message in messages]
    last = next(filter(None, reversed(times)), "")
    for place in reversed(range(len(times))):
        last = times[place] = times[place] or last
    return times


def _actions(message: Part, extra: Part, words: str) -> Iterator[tuple[str, str]]:
    """Give the commands in an answer, each with its id: as they were parsed, else as they stand in the text."""
    told = items(extra.get("actions"))
    for action in told:
        if command := field(mapping(action).get("command") or mapping(action).get("action"), TEXT_LIMIT):
            yield command, field(mapping(action).get("tool_call_id"), 200)
    if not told and (found := _FENCED.search(words[:FIELD_LIMIT])):
        yield found.group(1).strip(), ""


def _counts(usage: Part) -> Counts:
    """Read tokens as chat completions and responses name them; those of the cache are among the prompt's."""
    asked = count(usage.get("prompt_tokens")) or count(usage.get("input_tokens"))
    answered = count(usage.get("completion_tokens")) or count(usage.get("output_tokens"))
    details = mapping(usage.get("prompt_tokens_details")) or mapping(usage.get("input_tokens_details"))
    read = count(details.get("cached_tokens")) or count(usage.get("cache_read_input_tokens"))
    made = count(usage.get("cache_creation_input_tokens"))
    return (asked - read - made if asked >= read + made else asked), answered, read, made
