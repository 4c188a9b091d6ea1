"""The same action fails again and again: same tool, like arguments, same normalised error."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.bounded import forget_oldest, mapping
from loopwright.text.commands import WITHHELD, like, like_given
from loopwright.text.failure import Failure, failure_of
from loopwright.text.touching import edited_by, is_edit, is_reading, may_change
from loopwright.text.waiting_commands import is_waiting

_MOST_ROWS = 200
_SHOWN = 200


@dataclass
class _Row:
    """What fails: the tries so far, and how things stood at the last one."""

    failure: Failure
    events: list[int]
    tries: int
    edits: int = 0
    actions: int = 0
    at: str = ""


@dataclass
class ErrorLoop(Detector):
    """Finds `error_loop`."""

    times: int = 3
    """So often in a row it has to fail."""
    high: int = 6
    """From so many on it is severe."""
    between: int = 10
    """So many other actions may come between two tries; reading is none."""
    kinds = (EventKind.TOOL_RESULT, EventKind.PROMPT, EventKind.INTERRUPT, EventKind.REJECTION)
    _rows: dict[str, _Row] = field(default_factory=dict, init=False, repr=False)
    _edits: int = field(default=0, init=False, repr=False)
    _actions: int = field(default=0, init=False, repr=False)
    _attempt: str | None = field(default=None, init=False, repr=False)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.kind is not EventKind.TOOL_RESULT or event.attempt_id != self._attempt:
            self._attempt = event.attempt_id
            self._rows.clear()  # a human, or a new attempt: what is tried now is tried for another reason
        if event.kind is not EventKind.TOOL_RESULT:
            return None
        failure = failure_of(event, call)
        if failure and (is_waiting(event) or not _is_told(event, call)):
            return None
        if failure or self._rows:  # what was done matters only between two tries
            self._count(event, call, failed=failure is not None)
        if failure:
            return self._failed(_action(event, call), event, call, failure)
        if self._rows:
            self._rows.pop(_action(event, call), None)
        return None

    def _count(self, event: Event, call: Event | None, *, failed: bool) -> None:
        did = call or event
        looks = is_reading(did)
        self._actions += not looks
        if event.command:
            self._edits += not looks and may_change(event.command)  # what comes after the change may be what failed
        else:
            self._edits += is_edit(did) and not failed

    def _failed(self, action: str, event: Event, call: Event | None, failure: Failure) -> Moment | None:
        row = self._rows.pop(action, None)
        if row and call and (call.seq < row.events[-1] or call.at < row.at):
            self._rows[action] = row  # begun before that failure was known: no second try
            return None
        if row and self._goes_on(row, failure):
            row.tries, row.events = row.tries + 1, [*row.events[: MOST_EVENTS - 1], event.seq]
        else:
            row = _Row(failure, [event.seq], 1)
        row.failure, row.edits, row.actions, row.at = failure, self._edits, self._actions, event.at
        self._rows[action] = row
        forget_oldest(self._rows, _MOST_ROWS)
        return self._moment(row, event) if row.tries >= self.times else None

    def _goes_on(self, row: _Row, failure: Failure) -> bool:
        near = self._actions - row.actions <= self.between + 1
        return near and failure.is_like(row.failure, edited=self._edits > row.edits)

    def _moment(self, row: _Row, event: Event) -> Moment:
        what = event.command or event.path or "the same arguments"
        return Moment(
            list(row.events),
            f"{event.tool or 'a tool'} failed {row.tries} times in a row with the same error: "
            f"`{what[:_SHOWN]}`: {row.failure.error[:_SHOWN]}",
            "tell the agent what the error means, or what to do when it comes",
            "high" if row.tries >= self.high else "medium",
        )


def _is_told(event: Event, call: Event | None) -> bool:
    """Say whether it is known what was done, or what it printed: without content any two calls would be the same."""
    known = (event.command or WITHHELD) != WITHHELD or event.path or (call and call.data.get("input"))
    return bool(event.text or known)


def _action(event: Event, call: Event | None) -> str:
    """Write an action so that a second try is the same: the command, the edited file, or all that was given."""
    did = call or event
    tool = (event.tool or did.tool or "").lower()
    if is_edit(did) and (paths := edited_by(did)):
        what = " ".join(path.rpartition("/")[2] for path in paths[:5])
    elif event.command:
        what = like(event.command)
    else:
        what = like_given(mapping(did.data.get("input"))) or event.path or ""
    return f"{event.parent_call_id or ''}\x1f{tool}\x1f{what}"
