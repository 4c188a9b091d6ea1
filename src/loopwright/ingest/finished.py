"""A run of any other program, finished and judged there -> a run here, and what was thought of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from loopwright.errors import UsageError
from loopwright.guard.redact import Masker
from loopwright.ingest.masking import Masking
from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, said
from loopwright.ingest.session import Name, Observing
from loopwright.ingest.spending import used
from loopwright.records.budget import Usage
from loopwright.records.evaluation import BEST, Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.session import Observation
from loopwright.records.shape import ShapeError, record
from loopwright.text.bounded import TEXT_LIMIT, bounded, data

FORMAT = "agent_run"
_MOST = 10**15
_MOST_USD = 10**9
_FIRST_YEAR = "2000"
_SKEW_S = 86_400
"""So far ahead another machine's clock may be."""
_NAMES = ("id", "task_type", "prompt_hash", "agent", "model", "by")
"""Fields of one line."""
_LONGEST = 500


@dataclass(frozen=True)
class Finished:
    """What a program says of a run that it has finished."""

    task_type: str
    prompt_hash: str = ""
    """Which prompt it had: its hash or its version."""
    passed: bool | None = None
    score: float | None = None
    """From 0 to 1; kept on the scale of all evaluations."""
    reason: str = ""
    raw_output: str = ""
    goal: str = ""
    agent: str = ""
    model: str = ""
    tokens: Usage = Usage()
    """Those of a cache are not among the input."""
    cost_usd: float | None = None
    """None: its tokens are priced."""
    started_at: str = ""
    ended_at: str = ""
    by: str = ""
    """Who judged it."""
    id: str = ""
    """What the program calls it: what is sent again under the same name replaces what was there."""
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.task_type.strip():
            raise ShapeError("`task_type` is empty", ("task_type",), "say what kind of task it was, such as `bug_fix`")
        for name in _NAMES:
            value = getattr(self, name)
            if len(value) > _LONGEST or not value.isprintable():
                raise ShapeError(f"`{value[:40]!r}` is no name", (name,), f"one line of up to {_LONGEST} characters")
        if self.score is not None and not 0 <= self.score <= BEST:
            raise ShapeError(f"`{self.score}` is not possible here", ("score",), f"a number from 0 to {BEST:g}")
        if self.cost_usd is not None and not 0 <= self.cost_usd <= _MOST_USD:
            hint = f"US dollars, from 0 to {_MOST_USD:,}"
            raise ShapeError(f"`{self.cost_usd}` is not possible here", ("cost_usd",), hint)
        if any(not 0 <= value <= _MOST for value in vars(self.tokens).values()):
            raise ShapeError("a number of tokens is less than 0, or too many", ("tokens",))
        if self.passed is None and self.score is None:
            raise ShapeError("neither `passed` nor `score` is given", (), "say whether it passed: true or false")
        self._check_times()

    def _check_times(self) -> None:
        latest = timestamp(time.time() + _SKEW_S)
        for name in ("started_at", "ended_at"):
            value = getattr(self, name)
            if value and not (found := moment_of(value)):
                raise ShapeError(f"`{value[:40]}` is no time", (name,), "write it as 2026-11-16T09:30:00Z")
            if value and not _FIRST_YEAR <= found <= latest:
                hint = f"a time from the year {_FIRST_YEAR} on that is not still to come"
                raise ShapeError(f"`{value[:40]}` is not possible here", (name,), hint)
        if self.started_at and self.ended_at and moment_of(self.ended_at) < moment_of(self.started_at):
            raise ShapeError(f"`{self.ended_at}` is before `started_at`", ("ended_at",))


def finished_of(told: object) -> Finished:
    """Read what a program says of a run; UsageError names the field that is wrong."""
    if not isinstance(told, dict):
        raise UsageError("a run is a JSON object", 'such as {"task_type": "bug_fix", "passed": true}')
    try:
        return record(Finished, told)
    except ShapeError as error:
        place = ".".join(map(str, error.path))
        known = f" in `{place}`" if place and f"`{place}`" not in error.message else ""
        raise UsageError(f"{error.message[:500]}{known}", error.hint) from None


def observe(finished: Finished, masker: Masker, run_id: str) -> tuple[Observation, Evaluation]:
    """Make a run of it, masked, and what was thought of it."""
    name, masking = finished.id or run_id, Masking(masker)
    reading = _Reading(finished)
    observing = Observing(Name(FORMAT, name, "", run_id), reading, masking)
    observation = _priced(next(observing.parts()), finished.cost_usd)
    evaluation = Evaluation(
        id=run_id,
        run_id=run_id,
        created_at=reading.ended_at,
        task_type=masker.text(finished.task_type),
        prompt_hash=masker.text(finished.prompt_hash),
        passed=finished.passed,
        score=finished.score,
        reason=masker.text(bounded(finished.reason, TEXT_LIMIT)),
        raw_output=masker.text(bounded(finished.raw_output, TEXT_LIMIT)),
        by=masker.text(finished.by),
    )
    return observation, evaluation


class _Reading:
    """The run as a session (a ports.Reading)."""

    def __init__(self, finished: Finished) -> None:
        self._finished = finished
        self.started_at, self.ended_at = _times(finished)
        self.about = About(
            agent=finished.agent,
            model=finished.model,
            goal=finished.goal,
            task_type=finished.task_type,
            prompt_version=finished.prompt_hash,
            attributes=data(dict(finished.attributes)),
        )

    def events(self) -> Iterator[Event]:
        """Give what was asked, what was used, what came out, and what was thought of it."""
        told = self._finished
        if told.goal:
            yield said(EventKind.PROMPT, told.goal, self.started_at)
        counts = list(vars(told.tokens).values())
        if any(counts):
            yield used(told.model, counts, self.ended_at, "all")
        if told.raw_output:
            yield said(EventKind.MESSAGE, told.raw_output, self.ended_at)
        yield said(EventKind.RESULT, told.reason, self.ended_at, passed=told.passed, score=told.score)


def _times(finished: Finished) -> tuple[str, str]:
    """Give when it began and ended; one of a clock that is ahead ended now, and took as long as it says."""
    began, ended = moment_of(finished.started_at), moment_of(finished.ended_at)
    ended = ended or began or timestamp()
    ahead = max(0.0, _seconds(ended) - time.time())
    return timestamp(_seconds(began or ended) - ahead), timestamp(_seconds(ended) - ahead)


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _priced(observation: Observation, cost: float | None) -> Observation:
    """Let a run cost what its program says."""
    if cost is None:
        return observation
    run, attempt, session = observation.run, observation.attempt, observation.session
    usage = [replace(used, cost_usd=cost if not place else 0.0) for place, used in enumerate(session.usage)]
    return replace(
        observation,
        run=replace(run, spent=replace(run.spent, cost_usd=cost)),
        attempt=replace(attempt, cost_usd=cost),
        session=replace(session, usage=usage),
    )
