"""The agent claims success, and the record says no."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.records.check import Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.checking import builds, checks, told_exits
from loopwright.text.claims import Claim, claims
from loopwright.text.settled import is_settled
from loopwright.text.test_outcome import outcome_of


@dataclass(frozen=True)
class _Run:
    seq: int
    kind: Claim
    failed: bool
    command: str


@dataclass
class FalseDone(Detector):
    """Finds `false_done`."""

    sessions: bool = True
    """Whether claims are held against the commands that the agent ran, and not only against the checks of a run."""
    kinds = (EventKind.MESSAGE, EventKind.RESULT, EventKind.TOOL_RESULT, EventKind.VERDICT, EventKind.PROMPT)
    _runs: dict[str, _Run] = field(default_factory=dict, init=False, repr=False)
    """The newest run of tests, and of a build or a linter."""
    _words: list[Event] = field(default_factory=list, init=False, repr=False)
    """The last words: a message, and what is told as the result."""
    _shown: list[int] = field(default_factory=list, init=False, repr=False)
    """The events that show that they are false."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.kind is EventKind.TOOL_RESULT:
            self._ran(event)
        elif event.kind is EventKind.VERDICT or "passed" in event.data:
            return self._judged(event) if _says_no(event) else None
        elif event.parent_call_id:
            return None
        elif event.kind is EventKind.PROMPT:
            if is_settled(event.text):
                self._runs.clear()  # the human may have run it: what the record says is old
        elif event.text.strip():
            return self._said(event)
        return None

    def _ran(self, event: Event) -> None:
        if not event.command or not (kind := checks(event.command)):
            return
        found = outcome_of(event.command, event.text)
        if found.is_test:
            kind = "tests"
        elif found.state == "failed" and builds(event.command):
            kind = "build"  # what else it would have checked is not known
        runs = {kind: found.state == "failed" or (found.state == "unknown" and (event.exit_code or 0) > 0)}
        for part, code in told_exits(event.command, event.text):
            of = checks(" ".join(part.words))
            if of and (of != kind or found.state == "unknown"):
                runs[of] = runs.get(of, False) or code > 0
        self._runs |= {of: _Run(event.seq, of, failed, event.command) for of, failed in runs.items()}

    def _said(self, event: Event) -> Moment | None:
        self._words = [*self._words[-1:], event] if event.kind is EventKind.RESULT else [event]
        self._shown = []
        if not self.sessions or not any(run.failed for run in self._runs.values()):
            return None  # most messages need no reading: there is nothing that could say no
        told = ((said, run) for about, said in claims(event.text) if (run := self._newest(about)) and run.failed)
        said, run = next(told, ("", None))
        if not run:
            return None
        self._shown = [run.seq, event.seq]
        words = f"the agent says: {said[:150]} But the newest run failed: {run.command.strip()[:150]}"
        return Moment(self._shown, words, "let it run that command again, and let a check decide", "medium", run.kind)

    def _newest(self, about: Claim) -> _Run | None:
        if about == "done":
            return None
        runs = [run for run in self._runs.values() if about in ("all", run.kind)]
        return max(runs, key=lambda run: (run.seq, run.failed), default=None)

    def _judged(self, event: Event) -> Moment | None:
        claimed = [(words, found[0][1]) for words in self._words if (found := claims(words.text))]
        if not claimed or claimed[0][0].attempt_id != event.attempt_id:
            return None
        said, words = claimed[0]
        self._shown = [*(self._shown or [said.seq]), event.seq][:MOST_EVENTS]
        told = f"the agent says: {words[:150]} But the check says no: {event.text[:200]}"
        return Moment(self._shown, told, "tell it to run the check before it says that it is done", "high", "verdict")


def _says_no(event: Event) -> bool:
    """Say whether a visible criterion failed after an attempt, or another program let the work not pass."""
    if event.kind is EventKind.RESULT:
        return event.data.get("passed") is False
    failed = event.attempt_id is not None and event.data.get("verdict") == Verdict.FAIL
    return failed and event.data.get("held_out") is not True
