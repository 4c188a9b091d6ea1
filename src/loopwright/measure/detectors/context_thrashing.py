"""The same lines of a file are read again and again, and nothing has changed them: what was read is not kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.bounded import forget_oldest
from loopwright.text.commands import is_looking, parts_of
from loopwright.text.failure import printed
from loopwright.text.touching import Span, changes_unnamed, edited_by, is_edit, spans_of

_MOST_FILES = 300
_MOST_SPANS = 20
_ALIKE = 0.8
_SHOWN = 200
_SEEN = 20_000
_UNCHANGED = "unchanged since"
"""A newer Claude Code says so in the place of lines that it has given before."""
_SUMMARISED = ("compact", "truncation", "rewind")


@dataclass
class _Read:
    """Some lines, and where they were read."""

    asked: Span
    span: Span
    """Those that came."""
    mark: int
    events: list[int]
    is_long: bool
    times: int = 1


@dataclass
class ContextThrashing(Detector):
    """Finds `context_thrashing`."""

    times: int = 3
    """So often the same lines have to be read."""
    lines: int = 5
    """What is shorter than this is no reading."""
    kinds = (EventKind.TOOL_RESULT, EventKind.PROMPT, EventKind.SYSTEM)
    _files: dict[str, list[_Read]] = field(default_factory=dict, init=False, repr=False)
    """By subagent and file name."""
    _attempt: str | None = field(default=None, init=False, repr=False)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if self._begins_anew(event):
            self._files.clear()
        if event.kind is not EventKind.TOOL_RESULT:
            return None
        did = call or event
        if event.command and not is_looking(event.command):
            self._forget_changed(did, event.command)  # also where it failed: a merge with conflicts has changed files
            return None
        if event.is_error:
            return None
        if is_edit(did):
            self._forget(path.rpartition("/")[2] for path in edited_by(did))
            return None
        found = [self._read(span, event) for span in spans_of(did)]
        return next((moment for moment in found if moment), None)

    def _begins_anew(self, event: Event) -> bool:
        """Say whether what was read before is out of sight, or asked for again by somebody."""
        changed, self._attempt = event.attempt_id != self._attempt, event.attempt_id
        if event.kind is EventKind.PROMPT or changed:
            return True
        if event.kind is not EventKind.SYSTEM or event.parent_call_id:
            return False
        subtype = str(event.data.get("subtype", "")).lower()
        summary = subtype == "user" and "session is being continued" in event.text[:300]
        return summary or any(word in subtype for word in _SUMMARISED) or "/clear</command-name>" in event.text[:200]

    def _read(self, span: Span, event: Event) -> Moment | None:
        key = f"{event.parent_call_id or ''}\x1f{span.path.rpartition('/')[2]}"
        reads = self._files.pop(key, [])
        self._files[key] = reads
        forget_oldest(self._files, _MOST_FILES)
        text = printed(event.text)
        mark = 0 if _UNCHANGED in text[:200] else hash(text)
        given = _given(span, text) if mark and not event.data.get("cut_from") else span
        read = next((one for one in reads if one.asked == span or _alike(one.span, given)), None)
        if read is None or (mark and read.mark and mark != read.mark and read.asked == span):
            reads[:] = [one for one in reads if one is not read][-_MOST_SPANS:]
            reads.append(_Read(span, given, mark, [event.seq], self._is_long(text)))
            return None
        read.times += 1
        read.mark = mark or read.mark
        read.events = [*read.events[: MOST_EVENTS - 1], event.seq]
        return self._moment(read) if read.times >= self.times and read.is_long else None

    def _is_long(self, text: str) -> bool:
        return not text or text.count("\n", 0, _SEEN) + 1 >= self.lines  # none is kept where nobody wants it kept

    def _moment(self, read: _Read) -> Moment:
        span = read.span
        lines = f"lines {span.first} to {span.last}" if span.last > 0 else f"the last {-span.first} lines"
        return Moment(
            list(read.events),
            f"{lines} of {span.path[-_SHOWN:]} were read {read.times} times, with no edit between",
            "give the agent what it looks for in its prompt, or let it keep notes",
            "high" if read.times > 2 * self.times else "low",
        )

    def _forget_changed(self, did: Event, command: str) -> None:
        if not self._files:
            return
        if changes_unnamed(command):
            self._files.clear()
        words = (word for part in parts_of(command) for word in (*part.words, *part.into))
        self._forget(word.rpartition("/")[2] for word in (*words, *edited_by(did)))

    def _forget(self, names: Iterable[str]) -> None:
        changed = set(names)
        for key in [key for key in self._files if key.partition("\x1f")[2] in changed]:
            del self._files[key]


def _given(span: Span, text: str) -> Span:
    """Give the lines that came: a file may end before the last that was asked for."""
    if not text or span.last < 1:
        return span
    return Span(span.path, span.first, min(span.last, span.first + text.count("\n")))


def _alike(one: Span, other: Span) -> bool:
    if one.path != other.path and not one.path.endswith(f"/{other.path}") and not other.path.endswith(f"/{one.path}"):
        return False
    if one.last < 1 or other.last < 1:
        return (one.first, one.last) == (other.first, other.last)
    shared = min(one.last, other.last) - max(one.first, other.first) + 1
    return shared >= _ALIKE * max(one.last - one.first + 1, other.last - other.first + 1)
