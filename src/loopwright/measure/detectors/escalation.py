"""The agent asks for help or says that it can't go on, or a run of ours is handed to a human."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Reason, Status
from loopwright.records.signal import Moment, Severity
from loopwright.text.agent_words import helpless
from loopwright.text.impossible import impossible

_ASKING = frozenset(
    {"askuserquestion", "ask_user", "ask_followup_question", "request_user_input", "question", "ask_human"}
)
_OWN_WILL = frozenset({Reason.IMPOSSIBLE, Reason.REFUSED, Reason.DENIED})
_MOST_WORDS = 5


@dataclass
class Escalation(Detector):
    """Finds `escalation`."""

    questions: bool = False
    """Whether a tool by which the agent lets the human choose counts too."""
    kinds = (
        *(EventKind.MESSAGE, EventKind.RESULT, EventKind.TOOL_CALL, EventKind.PROMPT, EventKind.INTERRUPT),
        *(EventKind.VERDICT, EventKind.NOTE),
    )
    _words: list[Event] = field(default_factory=list, init=False, repr=False)
    """What the agent said since it did something: its last words, if nothing more comes."""
    _asked: list[int] = field(default_factory=list, init=False, repr=False)
    """Where it asked, if it did nothing since."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.parent_call_id:
            return None
        match event.kind:
            case EventKind.MESSAGE:
                self._words = [*self._words, event][-_MOST_WORDS:] if event.text.strip() else self._words
                return None
            case EventKind.TOOL_CALL:
                self._words, self._asked = [], []
                return self._question(event)
            case EventKind.INTERRUPT:
                self._words = []  # it had not ended what it wanted to say
                return None
            case EventKind.NOTE:
                return self._handed_over(event)
        if event.kind is EventKind.RESULT and not self._words and "passed" not in event.data:
            self._words = [event]
        return self._told()

    def end(self) -> list[Moment]:
        told = self._told()
        return [told] if told else []

    def _told(self) -> Moment | None:
        words, self._words = self._words, []
        for event in words:
            if claimed := impossible(event.text):
                return self._moment(
                    event, f"the agent says that it is impossible: {claimed[:200]}", "high", "impossible"
                )
            if asked := helpless(event.text):
                return self._moment(event, f"the agent asks for help: {asked[:200]}", "medium", "help")
        return None

    def _moment(self, event: Event, words: str, severity: Severity, category: str) -> Moment:
        self._asked = [event.seq]
        return Moment(self._asked, words, "give it what it lacks, or say what it shall do without", severity, category)

    def _question(self, event: Event) -> Moment | None:
        if not self.questions or (event.tool or "").lower() not in _ASKING:
            return None
        return self._moment(event, f"the agent lets the human choose with {event.tool}", "low", "question")

    def _handed_over(self, event: Event) -> Moment | None:
        status, _, reason = event.text.partition(": ")
        own_will = reason in _OWN_WILL
        if status not in (Status.ESCALATED, Status.FAILED) or not (own_will or status == Status.ESCALATED):
            return None
        asked, self._asked = self._asked, []
        words = f"the run was handed to a human: {reason}. {str(event.data.get('detail') or '')[:200]}".rstrip()
        action = "see what it lacks: loopwright show, then loopwright resume"
        return Moment([*asked, event.seq], words, action, "high" if own_will else "medium", reason[:50] or "help")
