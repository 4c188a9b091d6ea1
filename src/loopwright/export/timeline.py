"""Events -> a picture of when they happened: one row for each kind of doing, long pauses cut short."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from loopwright.export import markup
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.text.amounts import moment
from loopwright.text.touching import is_edit, reads_files

WIDTH, _LEFT, _ROW, _TOP = 1000, 84, 22, 10
_LEAST = 2.0
"""How wide a mark is at least."""
_WIDEST = 8.0
"""How much of the time one mark stands for where events are many."""
_CROWDED = 60
"""So many marks in a row are shaded by how much each stands for."""
_PAUSE_S = 300.0
"""A longer pause is drawn as one of this length."""
_ROWS = ("people", "words", "reads", "edits", "commands", "other tools", "verdicts", "errors")
_KINDS = {
    EventKind.PROMPT: "people",
    EventKind.INTERRUPT: "people",
    EventKind.REJECTION: "people",
    EventKind.MESSAGE: "words",
    EventKind.THINKING: "words",
    EventKind.RESULT: "words",
    EventKind.VERDICT: "verdicts",
    EventKind.ERROR: "errors",
    EventKind.RETRY: "errors",
    EventKind.DENIAL: "errors",
}


@dataclass
class _Mark:
    start: float
    end: float
    seq: int
    title: str
    count: int = 1


def drawn(events: Sequence[Event]) -> str:
    """Draw events as SVG; nothing where no time was told."""
    timed = sorted((event for event in events if moment(event.at)), key=lambda event: event.at)
    if len(timed) < 2:
        return ""
    axis = _Axis([moment(event.at) or 0.0 for event in timed])
    took = {event.call_id: event.duration_s for event in timed if event.kind is EventKind.TOOL_RESULT}
    rows: dict[str, list[_Mark]] = {}
    for event in timed:
        if row := _row(event):
            lasted = took.get(event.call_id) if event.kind is EventKind.TOOL_CALL else event.duration_s
            _add(rows.setdefault(row, []), axis, event, lasted or 0.0)
    names = [name for name in _ROWS if name in rows]
    height = _TOP + _ROW * len(names) + 26
    parts = [_drawn_row(name, place, rows[name]) for place, name in enumerate(names)]
    label = 'role="img" aria-label="what happened when"'
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return f'<svg class="timeline" {size} {label}>{axis.drawn(height)}{"".join(parts)}</svg>'


class _Axis:
    """Moments -> places, with long pauses cut short."""

    def __init__(self, moments: Sequence[float]) -> None:
        self._moments, self._passed, self.pauses = [moments[0]], [0.0], list[tuple[float, float]]()
        for before, now in pairwise(moments):
            if now > before:
                gap = now - before
                if gap > _PAUSE_S:
                    self.pauses.append((self._passed[-1] + _PAUSE_S / 2, gap))
                self._moments.append(now)
                self._passed.append(self._passed[-1] + min(gap, _PAUSE_S))
        self._whole = self._passed[-1] or 1.0

    def place(self, passed: float) -> float:
        """Give where a moment of the time that has passed is drawn."""
        return _LEFT + (WIDTH - _LEFT - 10) * min(1.0, passed / self._whole)

    def of(self, seconds: float) -> float:
        """Give where a moment is drawn."""
        index = max(0, bisect_right(self._moments, seconds) - 1)
        into = min(seconds - self._moments[index], _PAUSE_S)
        later = self._passed[index + 1] if index + 1 < len(self._passed) else self._whole
        return self.place(min(self._passed[index] + max(0.0, into), later))

    def drawn(self, height: int) -> str:
        """Draw the hours, and where time was cut."""
        bottom = height - 18
        ticks = []
        for step in range(6):
            index = min(range(len(self._passed)), key=lambda at: abs(self._passed[at] - self._whole * step / 5))
            place = self.place(self._passed[index])
            clock = timestamp(self._moments[index])[11:19]
            anchor = "start" if place < _LEFT + 20 else "end" if place > WIDTH - 40 else "middle"
            ticks.append((place, f'<text x="{place:.1f}" y="{height - 4}" text-anchor="{anchor}">{clock}</text>'))
        kept, last = [], -100.0
        for place, written in ticks:
            if place - last >= 70:
                kept.append(f'<line class="tick" x1="{place:.1f}" x2="{place:.1f}" y1="0" y2="{bottom}"/>{written}')
                last = place
        cuts = [
            f'<line class="pause" x1="{self.place(at):.1f}" x2="{self.place(at):.1f}" y1="0" y2="{bottom}">'
            f"<title>a pause of {_spoken(gap)}, cut short</title></line>"
            for at, gap in self.pauses[:500]
        ]
        return "".join([*kept, *cuts])


def _row(event: Event) -> str:
    if event.kind is EventKind.TOOL_RESULT:
        return "errors" if event.is_error else ""
    if event.kind is EventKind.TOOL_CALL:
        if is_edit(event):
            return "edits"
        if reads_files(event):
            return "reads"
        return "commands" if event.command else "other tools"
    return _KINDS.get(event.kind, "errors" if event.error_kind else "")


def _add(row: list[_Mark], axis: _Axis, event: Event, took: float) -> None:
    """Add a mark to a row; what would lie on the one before is counted there."""
    now = moment(event.at) or 0.0
    # A call is told when it begins, all else when it has ended.
    began, ended = (now, now + took) if event.kind is EventKind.TOOL_CALL else (now - took, now)
    start = axis.of(began)
    end = max(axis.of(ended), start + _LEAST)
    if row and start < row[-1].end + 0.5 and (start - row[-1].start < _WIDEST or end <= row[-1].end):
        row[-1].end, row[-1].count = max(row[-1].end, end), row[-1].count + 1
    else:
        what = event.command or event.path or event.text
        title = f"{event.at[11:19]} {event.kind} {event.tool or ''} {' '.join(what[:200].split())[:120]}"
        row.append(_Mark(start, end, event.seq, title))


def _drawn_row(name: str, place: int, marks: Sequence[_Mark]) -> str:
    top = _TOP + _ROW * place
    parts = [f'<text x="0" y="{top + 12}">{name}</text>']
    most = max(mark.count for mark in marks)
    for mark in marks:
        more = f" and {mark.count - 1} more" if mark.count > 1 else ""
        size = f'x="{mark.start:.1f}" y="{top}" width="{mark.end - mark.start:.1f}" height="{_ROW - 6}"'
        if len(marks) > _CROWDED:
            size += f' fill-opacity="{max(0.25, mark.count / most):.2f}"'
        title = f"<title>{markup.text(mark.title + more)}</title>"
        parts.append(f'<a href="#e{mark.seq}"><rect {size}>{title}</rect></a>')
    return f'<g class="row-{name.replace(" ", "-")}">{"".join(parts)}</g>'


def _spoken(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
