"""A run in one piece <-> plain data: what `loopwright export` writes and `loopwright import` reads."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from loopwright.errors import LoopwrightError, UsageError
from loopwright.records import shape
from loopwright.records.budget import Budget, Spent
from loopwright.records.bundle import Bundle, Rollup
from loopwright.records.check import Check
from loopwright.records.environment import Environment
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Acceptance, Attempt, Comment, Run, Status, Step
from loopwright.records.session import DailyUsage, Session
from loopwright.records.shape import Kinds, ShapeError
from loopwright.records.tally import Counts
from loopwright.records.task import Observed
from loopwright.text.amounts import moment

FORMAT = "loopwright"
SCHEMA = 1
_LISTS = ("steps", "attempts", "checks", "comments", "acceptances", "rollups", "evaluations")
_PARTS = (*_LISTS, "signals", "session", "events", "diff")
_AT_WORK = (Status.RUNNING, Status.QUEUED)
_LARGEST = 2**63
_TEXT, _OPTIONAL = ("text", "at"), ("tool", "call_id", "parent_call_id", "command", "path", "fingerprint", "attempt_id")
_CODES = ("at", "fingerprint", "attempt_id")
"""What is ours to write, and plain."""
_EVENT = frozenset(Event.__dataclass_fields__)
_Record = TypeVar("_Record")


def to_dict(bundle: Bundle) -> dict[str, Any]:
    """Write a run as plain data."""
    run = dataclasses.asdict(bundle.run)
    run["run_id"] = run.pop("id")
    run["task"]["criteria"] = [criterion.to_dict() for criterion in bundle.run.task.criteria]
    return {
        "schema": SCHEMA,
        "format": FORMAT,
        **run,
        **{name: [dataclasses.asdict(item) for item in getattr(bundle, name)] for name in (*_LISTS, "signals")},
        "session": bundle.session and dataclasses.asdict(bundle.session),
        "events": [_fields(event) for event in bundle.events],
        "diff": bundle.diff,
    }


def from_dict(data: object, kinds: Kinds) -> Bundle:
    """Read a run from plain data; whatever is wrong with it is a UsageError that says what."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError("it is no run that Loopwright exported", "write one with: loopwright export RUN --output FILE")
    if data.get("schema") != SCHEMA:
        words = f"its schema is `{data.get('schema')}`, and this version of Loopwright reads {SCHEMA}"
        raise UsageError(words, "take the version of Loopwright that wrote it")
    try:
        events = data.get("events", [])
        rest = _whole({name: value for name, value in data.items() if name != "events"})
        return _sound(_bundle({**rest, "events": events}, kinds))
    except ShapeError as error:
        place = ".".join(map(str, error.path))
        raise UsageError(f"{f'{place}: ' if place else ''}{error.message}", error.hint) from None
    except LoopwrightError as error:
        raise UsageError(error.message, error.hint) from None
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(f"it is damaged: {error}", "export it again") from None


def _whole(value: Any) -> Any:
    """Replace in plain data what no store takes: NUL, and halves of characters."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode().replace("\0", "␀")
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _bundle(data: Mapping[str, Any], kinds: Kinds) -> Bundle:
    return Bundle(
        run=_run(data, kinds),
        steps=_all(data, "steps", lambda item: shape.record(Step, item)),
        attempts=_all(data, "attempts", _attempt),
        checks=_all(data, "checks", _check),
        comments=_all(data, "comments", lambda item: shape.record(Comment, item)),
        acceptances=_all(data, "acceptances", lambda item: shape.record(Acceptance, item)),
        rollups=_all(data, "rollups", lambda item: shape.record(Rollup, item)),
        session=None if data.get("session") is None else _session(_table(data["session"])),
        events=_all(data, "events", _event),
        diff=data["diff"] if isinstance(data.get("diff"), str) else "",
        evaluations=_all(data, "evaluations", lambda item: shape.record(Evaluation, item)),
    )


def _all(data: Mapping[str, Any], name: str, read: Callable[[dict[str, Any]], _Record]) -> list[_Record]:
    items = data.get(name, [])
    if not isinstance(items, list):
        raise ShapeError(f"`{name}` should be a list")
    found = []
    for index, item in enumerate(items):
        try:
            found.append(read(_table(item)))
        except ShapeError as error:
            raise error.under(name, index) from None
    return found


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ShapeError(f"`{str(value)[:100]}` should be an object")
    return value


def _run(data: Mapping[str, Any], kinds: Kinds) -> Run:
    told = {name: value for name, value in data.items() if name not in (*_PARTS, "schema", "format", "run_id")}
    parts: dict[str, Any] = {
        "id": data.get("run_id"),
        "task": shape.record(Observed, _table(data.get("task")), kinds),
        "profile": shape.record(Profile, _table(data.get("profile"))),
        "budget": shape.record(Budget, _table(data.get("budget"))),
        "spent": shape.record(Spent, _with_tokens(_table(data.get("spent")))),
    }
    return shape.record(Run, {**told, **parts})


def _with_tokens(item: dict[str, Any]) -> dict[str, Any]:
    _table(item.get("tokens"))
    return item


def _attempt(item: dict[str, Any]) -> Attempt:
    item = {**_with_tokens(item), "environment": shape.record(Environment, _table(item.get("environment")))}
    return shape.record(Attempt, item)


def _check(item: dict[str, Any]) -> Check:
    proof = _table(item.get("proof"))
    counts = {
        name: shape.record(Counts, _table(proof[name])) if proof.get(name) else None for name in ("tests", "base_tests")
    }
    tampering = tuple(shape.record(Tampering, _table(one)) for one in proof.get("tampering", ()))
    whole = shape.record(Proof, {**proof, **counts, "tampering": []})
    environment = shape.record(Environment, _table(item.get("environment")))
    proven = dataclasses.replace(whole, tampering=tampering)
    return shape.record(Check, {**item, "environment": environment, "proof": proven})


def _session(item: dict[str, Any]) -> Session:
    usage = [shape.record(DailyUsage, _with_tokens(_table(one))) for one in item.get("usage", ())]
    return dataclasses.replace(shape.record(Session, {**item, "usage": []}), usage=usage)


def _event(item: dict[str, Any]) -> Event:
    """Read an event; there are many of them, and a general reader would take ten times as long."""
    if unknown := item.keys() - _EVENT:
        raise ShapeError(f"there is no field `{min(unknown)}` here")
    for name in _TEXT:
        _must(isinstance(item.get(name), str), name, item)
    for name in _OPTIONAL:
        _must(item.get(name) is None or isinstance(item[name], str), name, item)
    for name in _CODES:
        _must((item.get(name) or "").isprintable() and (item.get(name) or "").isascii(), name, item)
    _must(item.get("error_kind") in (None, "PARSED_ERROR", "EXIT_ERROR"), "error_kind", item)
    _must(item.get("exit_code") is None or type(item["exit_code"]) is int, "exit_code", item)
    _must(item.get("duration_s") is None or type(item["duration_s"]) in (int, float), "duration_s", item)
    _must(type(item.get("seq")) is int and item["seq"] > 0, "seq", item)
    _must(isinstance(item.get("data", {}), dict) and type(item.get("is_error", False)) is bool, "data", item)
    return Event(**{**item, "kind": EventKind(item.get("kind", ""))})


def _must(holds: bool, name: str, item: Mapping[str, Any]) -> None:
    if not holds:
        raise ShapeError(f"`{str(item.get(name))[:100]}` is not possible here", (name,))


def _sound(bundle: Bundle) -> Bundle:
    """Refuse what does not belong together, and what no store can hold."""
    run_id = bundle.run.id
    if str(uuid.UUID(run_id)) != run_id:
        raise ShapeError(f"`{run_id}` is no id of a run")
    judged = (*bundle.checks, *bundle.comments, *bundle.acceptances, *bundle.evaluations)
    owned: Sequence[Any] = (*bundle.steps, *bundle.attempts, *judged)
    if any(item.run_id != run_id for item in (*owned, *([bundle.session] if bundle.session else []))):
        raise ShapeError("it holds parts of another run")
    _check_times(bundle)
    _known("step", {step.id for step in bundle.steps}, [attempt.step_id for attempt in bundle.attempts])
    attempts = {attempt.id for attempt in bundle.attempts}
    _known("attempt", attempts, [check.attempt_id for check in bundle.checks if check.attempt_id])
    numbers = [event.seq for event in bundle.events]
    if any(later <= before for before, later in pairwise(numbers)):
        raise ShapeError("its events are not in order")
    tables = (bundle.run.spent, bundle.run.spent.tokens, *bundle.rollups, *owned, *bundle.events)
    tokens = (attempt.tokens for attempt in bundle.attempts)
    session = [bundle.session, *bundle.session.usage] if bundle.session else []
    used = [day.tokens for day in bundle.session.usage] if bundle.session else []
    for item in (*tables, *tokens, *session, *used):
        for name, value in _fields(item).items():
            if type(value) in (int, float) and not -_LARGEST < value < _LARGEST:
                raise ShapeError(f"`{name}` is too large a number")
    return bundle


def _check_times(bundle: Bundle) -> None:
    """Refuse what is no time where one is sorted, counted and shown by."""
    for item in (bundle.run, *bundle.attempts):
        for name in ("started_at", "ended_at"):
            value = getattr(item, name)
            if (name == "started_at" or value) and moment(value) is None:
                raise ShapeError(f"`{value[:40]}` in `{name}` is no time", (), "write it as 2026-11-16T09:30:00.000Z")


def _fields(item: Any) -> dict[str, Any]:
    return {name: getattr(item, name) for name in item.__dataclass_fields__}


def _known(what: str, ids: set[str], wanted: Sequence[str]) -> None:
    if missing := [name for name in wanted if name not in ids]:
        raise ShapeError(f"it names the {what} `{missing[0]}`, which is not in it")


def settled(bundle: Bundle, artifacts: str) -> Bundle:
    """Give an imported run as one that nobody can take up here: another machine's folders and agents are not ours."""
    run = bundle.run
    changes: dict[str, Any] = {"source": run.source or FORMAT, "workspace": "", "artifacts": artifacts}
    if run.status in _AT_WORK:
        changes |= {"status": Status.CANCELLED, "detail": "it was not at its end when it was exported"}
    attempts = [dataclasses.replace(attempt, process="") for attempt in bundle.attempts]
    return dataclasses.replace(bundle, run=dataclasses.replace(run, **changes), attempts=attempts)
