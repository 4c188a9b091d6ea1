"""Spans that are posted -> sessions. Spans of one trace come in several posts, in any order, and again.

They are written down first, and then their sessions are made of all that is known of them: so nothing is counted twice.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from loopwright.errors import StoreError
from loopwright.guard.redact import Masker
from loopwright.ingest.masking import Masking
from loopwright.ingest.otlp_json import Sent
from loopwright.ingest.ports import SentStore, SessionStore
from loopwright.ingest.session import Name, Observing
from loopwright.ingest.span import Span, from_dict, span_of
from loopwright.ingest.span_messages import Message
from loopwright.ingest.span_sessions import Tie, sessions_of
from loopwright.ingest.span_story import Story
from loopwright.records.identity import new_id
from loopwright.records.span import Placed, StoredSpan

FORMAT = "otlp"
_BARE = ("kind", "at", "call_id", "parent_call_id")
"""What is kept of an event of our own export where no content is."""
_TRACES = 100
"""So many traces are settled together."""
_TRIES = 10


class Traces:
    """Takes spans, and makes sessions of them. Any thread may use it at any time."""

    def __init__(self, spans: SentStore, sessions: SessionStore, masker: Masker, *, content: bool = True) -> None:
        self._spans, self._sessions = spans, sessions
        self._masker, self._content = masker, content
        self._settling = threading.Lock()
        self.notes: deque[str] = deque(maxlen=100)
        """What was wrong with sessions that could not be made."""

    def take(self, sent: Iterable[Sent | None]) -> tuple[int, int]:
        """Write spans down; give how many were, and how many could not be."""
        post, rows, lost = new_id(), {}, 0
        for one in sent:
            if one is None:
                lost += 1
            else:
                row = self._row(span_of(one), post)
                rows[row.trace_id, row.span_id] = row
        if rows:
            self._spans.add_spans(list(rows.values()))
        return len(rows), lost

    def settle(self) -> None:
        """Make the sessions of all spans that have come."""
        with self._settling:
            while traces := self._spans.unsettled_traces(_TRACES):
                self._settle(traces)

    def _row(self, span: Span, post: str) -> StoredSpan:
        told = self._masker.data((span if self._content else _bare(span)).to_dict())
        told |= {"trace": span.trace, "id": span.id, "parent": span.parent}
        named = self._masker.text(span.conversation)
        return StoredSpan(
            *(span.trace, span.id, span.parent, named, span.kind, span.began, span.ended, post), data=told
        )

    def _settle(self, traces: Sequence[str]) -> None:
        places = self._spans.places(traces)
        agents = {place.trace_id for place in places if place.kind != "other"}
        ties = [
            Tie(place.trace_id, place.span_id, place.parent_id, place.conversation, place.began) for place in places
        ]
        of = sessions_of(ties)
        placed = [(place, of[place.trace_id, place.span_id] if place.trace_id in agents else "") for place in places]
        self._spans.place(placed)
        self._rename(placed)
        touched = [name for place, session in placed for name in (place.session_id, session) if name]
        for session_id in dict.fromkeys(touched):
            with self._noting(session_id):
                self._make(session_id)
        self._spans.settle(places)

    @contextmanager
    def _noting(self, session_id: str) -> Iterator[None]:
        """Go on with the next session, whatever is wrong with this one."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            self.notes.append(f"{session_id}: {type(error).__name__}: {error}")

    def _rename(self, placed: Sequence[tuple[Placed, str]]) -> None:
        """Let a session that was known by its trace be the conversation that it turned out to be."""
        moved = {(place.session_id, name) for place, name in placed if place.session_id and place.session_id != name}
        for before, now in sorted(moved):
            run_id = self._spans.run_of(FORMAT, before)
            if run_id and now and not self._spans.count_spans(before) and not self._spans.run_of(FORMAT, now):
                self._spans.rename_session(run_id, now)

    def _make(self, session_id: str) -> None:
        """Make a session of its spans; again, where more have come meanwhile."""
        for _ in range(_TRIES):
            spans = [from_dict(told) for told in self._spans.session_spans(session_id)]
            run_id = self._spans.run_of(FORMAT, session_id)
            if spans:
                self._observe(session_id, run_id or new_id(), spans)
            elif run_id:
                self._spans.remove_session(run_id)
            if self._spans.count_spans(session_id) == len(spans):
                return

    def _observe(self, session_id: str, run_id: str, spans: Sequence[Span]) -> None:
        masking = Masking(self._masker, content=self._content)
        observing = Observing(Name(FORMAT, session_id, "", run_id), Story([spans]), masking)
        for part in observing.parts():
            self._sessions.save_observations([part])


def _bare(span: Span) -> Span:
    """Give a span without what anybody said."""
    said = [_bare_message(message) for message in span.said]
    noted = [{name: told[name] for name in _BARE if name in told} | {"text": ""} for told in span.noted]
    bare = replace(span, heard=(), said=said, noted=noted, given=None, returned="", why="")
    only = span.attributes.get("loopwright.only")
    return replace(bare, attributes={"loopwright.only": only} if only in ("call", "result") else {}, resource={})


def _bare_message(message: Message) -> Message:
    calls = [[name, tool, {}] for name, tool, _ in message["calls"]]
    return message | {"text": "", "thinking": "", "results": [], "calls": calls}
