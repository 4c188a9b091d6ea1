"""Somebody rejects the agent's work: a human, in words, by hand or by feedback, a check, or a critic that decides."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.records.baseline import Baseline, Totals
from loopwright.records.check import Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment, Severity
from loopwright.text.agent_words import question
from loopwright.text.human_words import rejecting, taken_back

_BY_HAND = (EventKind.REJECTION, EventKind.INTERRUPT)
_JUDGED = (EventKind.VERDICT, EventKind.RESULT)


@dataclass
class QualityRejection(Detector):
    """Finds `quality_rejection`."""

    early_interrupts: bool = False
    """Whether it counts that a human stops the agent before it has done or said anything."""
    kinds = (EventKind.PROMPT, EventKind.MESSAGE, EventKind.TOOL_CALL, *_BY_HAND, *_JUDGED)
    _has_worked: bool = field(default=False, init=False, repr=False)
    """Whether the agent did or said something at all."""
    _is_at_work: bool = field(default=False, init=False, repr=False)
    """Whether it did since the human spoke last."""
    _last_words: str = field(default="", init=False, repr=False)
    """What the agent said last, while nothing came after it: the human may answer it."""
    _exchange: list[tuple[Event, str]] = field(default_factory=list, init=False, repr=False)
    """What the human did and said to reject, with nothing of the agent between; it is told once the agent goes on."""
    _unmet: tuple[str | None, list[int]] = field(default=(None, []), init=False, repr=False)
    """The attempt that was judged last, and the verdicts against it."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.kind in _JUDGED:
            return self._judged(event)
        if event.parent_call_id and event.kind is not EventKind.REJECTION:
            return None
        if event.kind is EventKind.PROMPT:
            self._said(event)
        elif event.kind in _BY_HAND:
            self._stopped(event)
        elif event.kind is EventKind.TOOL_CALL or event.text.strip():
            self._has_worked = self._is_at_work = True
            self._last_words = event.text if event.kind is EventKind.MESSAGE else ""
            return self._told()
        return None

    def end(self) -> list[Moment]:
        told = self._told()
        return [told] if told else []

    def weigh(self, totals: Totals, baseline: Baseline) -> Moment | None:
        if totals.disliked is None:
            return None
        words = f"a human is not content with the run{f': {totals.disliked[:200]}' if totals.disliked else ''}"
        return Moment((totals.last_seq,), words, "ask what they wanted instead", "medium", "feedback")

    def _said(self, event: Event) -> None:
        if self._exchange and taken_back(event.text):
            self._exchange = []
        elif self._has_worked and (words := rejecting(event.text, question(self._last_words))):
            self._add(event, words)
        self._is_at_work = False

    def _stopped(self, event: Event) -> None:
        early = event.kind is EventKind.INTERRUPT and not (self._is_at_work or self._exchange)
        if not early or self.early_interrupts:
            self._add(event)

    def _add(self, event: Event, words: str = "") -> None:
        if len(self._exchange) < MOST_EVENTS:
            self._exchange.append((event, words))

    def _told(self) -> Moment | None:
        exchange, self._exchange = self._exchange, []
        if not exchange:
            return None
        by_hand = [event for event, _ in exchange if event.kind in _BY_HAND]
        rejected = next((event for event in by_hand if event.kind is EventKind.REJECTION), None)
        done = _refused(rejected) if rejected else "stopped the agent" if by_hand else ""
        said = next((words for _, words in exchange if words), "")
        words = " and ".join(filter(None, (done, f"said that the work is not right: {said[:200]}" if said else "")))
        return Moment(
            [event.seq for event, _ in exchange],
            f"the human {words}",
            "see what they wanted instead, and put it into the agent's instructions",
            "medium" if by_hand and (rejected or said) else "low",
            "rejection" if rejected else "interrupt" if by_hand else "words",
        )

    def _judged(self, event: Event) -> Moment | None:
        if event.data.get("passed") is False:
            return _not_passed(event)
        if event.data.get("verdict") != Verdict.FAIL:
            return None
        if event.data.get("critic"):
            words = f"the critic did not let the work pass: {event.text[:200]}"
            return Moment(
                (event.seq,), words, "read its objections, and compare them with the task", "medium", "critic"
            )
        if event.attempt_id is None:
            return None  # it was the base that was judged, before any work
        attempt, against = self._unmet
        self._unmet = (event.attempt_id, [*(against if attempt == event.attempt_id else []), event.seq][:MOST_EVENTS])
        return _unmet(event, self._unmet[1])


def _refused(event: Event) -> str:
    """Say what was rejected, with the reason that some agents pass on."""
    reason = event.text.partition("the user said:\n")[2].strip()
    return f"did not want {event.tool or 'a tool'} to run{f' ({reason[:200]})' if reason else ''}"


def _not_passed(event: Event) -> Moment:
    reason = event.text.strip()
    words = f"the work was judged, and did not pass{f': {reason[:200]}' if reason else '; no reason was given'}"
    action = "read the reason, and compare it with the task" if reason else "ask who judged it for the reason"
    return Moment((event.seq,), words, action, "medium", "verdict")


def _unmet(event: Event, against: list[int]) -> Moment:
    count = f"{len(against)} criteria do" if len(against) > 1 else "a criterion does"
    held_out = event.data.get("held_out") is True
    severity: Severity = "medium" if held_out else "low"
    words = f"{count} not hold after this attempt{', held out' if held_out else ''}: {event.text[:200]}"
    return Moment(
        against, words, "see what the check says, and whether the agent could have known it", severity, "verdict"
    )
