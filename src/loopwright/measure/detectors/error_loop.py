"""The same action fails again and again: same tool, like arguments, same normalised error."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.fingerprint import normalise


@dataclass
class ErrorLoop(Detector):
    """Finds `error_loop`."""

    times: int = 3
    """So often in a row it has to fail."""
    kinds = (EventKind.TOOL_RESULT,)
    _last: dict[str | None, tuple[tuple[str, ...], list[int]]] = field(default_factory=dict, init=False, repr=False)
    """By subagent: what failed last, and where."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if not event.is_error:
            self._last.pop(event.parent_call_id, None)
            return None
        tool = event.tool or (call.tool if call else "") or ""
        action = (tool, normalise(event.command or event.path or ""), event.fingerprint or "")
        before, events = self._last.get(event.parent_call_id, ((), []))
        events = [*events, event.seq] if before == action else [event.seq]
        self._last[event.parent_call_id] = (action, events)
        if len(events) < self.times:
            return None
        what = event.command or event.path or "the same arguments"
        return Moment(
            events,
            f"{tool or 'a tool'} failed {len(events)} times in a row with the same error: {what[:200]}",
            "tell the agent what the error means, or what to do when it comes",
            "high" if len(events) > 2 * self.times else "medium",
        )
