"""All that is known of one run, in one piece: what is shown, exported and imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from loopwright.records.check import Check
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event
from loopwright.records.run import Acceptance, Attempt, Comment, Run, Step
from loopwright.records.session import Session
from loopwright.records.signal import Signal


@dataclass(frozen=True)
class Rollup:
    """What a run's events of one tool came to."""

    tool: str
    """Empty for what is neither a call nor a result."""
    events: int = 0
    calls: int = 0
    failed: int = 0
    """Results that are errors."""
    timed: int = 0
    """Results that say how long it took."""
    duration_s: float = 0.0
    errors: int = 0
    """Events with an error_kind."""


@dataclass(frozen=True)
class ErrorGroup:
    """Like errors of a run."""

    fingerprint: str
    error_kind: str
    count: int
    tool: str
    message: str
    """What the first of them said."""
    first_seq: int
    first_at: str
    last_at: str


@dataclass(frozen=True)
class Bundle:
    """A run and what belongs to it; without its events where nobody needs them."""

    run: Run
    steps: Sequence[Step]
    attempts: Sequence[Attempt]
    checks: Sequence[Check] = ()
    comments: Sequence[Comment] = ()
    acceptances: Sequence[Acceptance] = ()
    rollups: Sequence[Rollup] = ()
    session: Session | None = None
    """Only of a run that was observed elsewhere."""
    events: Sequence[Event] = ()
    diff: str = ""
    """What the run changed, where that is known."""
    evaluations: Sequence[Evaluation] = ()
    """What others think of it, the oldest first."""
    signals: Sequence[Signal] = ()
    """What rules and judges found in it; where it is brought in elsewhere, they look again."""

    def of_step(self, number: int) -> Bundle:
        """Give the part of it that belongs to one step; its rollups are of the whole run."""
        ids = {step.id for step in self.steps if step.number == number}
        attempts = [attempt for attempt in self.attempts if attempt.step_id in ids]
        known = {attempt.id for attempt in attempts}
        return replace(
            self,
            steps=[step for step in self.steps if step.id in ids],
            attempts=attempts,
            checks=[check for check in self.checks if check.attempt_id in known],
            events=[event for event in self.events if event.attempt_id in known],
        )
