"""The human is pleased with what the agent did."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.human_words import praising


@dataclass
class Delight(Detector):
    """Finds `delight`."""

    praise: bool = True
    """Whether a human's praise counts."""
    kinds = (EventKind.PROMPT, EventKind.MESSAGE, EventKind.TOOL_CALL)
    delight = True
    _worked: bool = field(default=False, init=False, repr=False)
    """Whether the agent did or said something since the human spoke last."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.parent_call_id:
            return None
        if event.kind is not EventKind.PROMPT:
            self._worked = self._worked or event.kind is EventKind.TOOL_CALL or bool(event.text.strip())
            return None
        worked, self._worked = self._worked, False
        words = praising(event.text) if worked and self.praise else ""
        if not words:
            return None
        description = f"the human praised what the agent had done: {words[:200]}"
        return Moment((event.seq,), description, "see what went well here, and keep it", "low", "praise")
