"""The spans of one session, in any order -> its events, in that of their times (a ports.Reading)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from loopwright.ingest.known_tools import call_of
from loopwright.ingest.plain import unwrapped, written
from loopwright.ingest.ports import About
from loopwright.ingest.reading import raw_event
from loopwright.ingest.restored import restored
from loopwright.ingest.seen import Seen
from loopwright.ingest.span import Span
from loopwright.ingest.span_about import note
from loopwright.ingest.span_kin import Key, Kin
from loopwright.ingest.span_messages import Message
from loopwright.ingest.spending import Counts, Spending, with_cost
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.text.amounts import exit_code, moment
from loopwright.text.bounded import TEXT_LIMIT, bounded, mapping
from loopwright.text.open_calls import Call, OpenCalls
from loopwright.text.told import error

Timed = tuple[float, Event]
_COUNTS = 5


class Story:
    """One session."""

    def __init__(self, chapters: Iterable[Sequence[Span]], lost: Iterable[bytes] = ()) -> None:
        """Take its spans, many at a time, and what could not be read."""
        self.about = About()
        self._chapters, self._lost = chapters, lost
        self._kin, self._spending = Kin(), Spending()
        self._keys: set[tuple[str, str]] = set()
        self._heard: set[tuple[Any, ...]] = set()
        self._calls: dict[str, tuple[Call, Any]] = {}
        """What models asked for, by its id."""
        self._waiting: dict[tuple[Key | None, str], list[str]] = {}
        """The ids of what a model asked for, by whom and which tool, until the span of the tool is met."""
        self._called, self._returned = Seen(), Seen()

    def events(self) -> Iterator[Event]:
        """Give the events of each chapter in the order of their times."""
        last = ended = 0.0
        for chapter in self._chapters:
            spans = sorted(self._new(chapter), key=lambda span: (span.began, -span.ended))
            self._kin.add(spans)
            note(self.about, spans)
            told = sorted(self._told(spans), key=lambda one: one[0])
            for at, event in told:
                event.at = timestamp(at) if at else ""  # nobody else has it yet
                yield event
            last = max([last, *(moment for moment, _ in told[-1:])])
            ended = max([ended, *(span.ended for span in spans)])
        if round(ended, 3) > round(last, 3):
            yield Event(EventKind.SYSTEM, data={"subtype": "end"}, at=timestamp(ended))
        for line in self._lost:
            yield raw_event(line)

    def _new(self, spans: Sequence[Span]) -> list[Span]:
        """Leave out the spans that were sent before."""
        found = {span.key: span for span in spans if span.key not in self._keys}
        self._keys.update(found)
        return list(found.values())

    def _told(self, spans: Sequence[Span]) -> Iterator[Timed]:
        for span in spans:
            if span.kind == "chat":
                self._expect(span)
        named = [replace(span, call_id=self._named(span)) if span.kind == "tool" else span for span in spans]
        ran = {span.call_id for span in named if span.kind == "tool"}
        for span in named:
            if span.kind == "chat":
                yield from self._chat(span, ran)
        agents = [span for span in named if span.kind == "agent"]
        for span in sorted(agents, key=self._kin.depth, reverse=True):  # inner ones before those that they are within
            yield from self._agent(span, ran)
        failures = {key for span in spans if span.failed for key, _ in self._kin.above(span)}
        for span in named:
            yield from self._noted(span)
            yield from self._other(span, inherited=span.key in failures)

    def _expect(self, span: Span) -> None:
        """Remember what a model asked for, whose tools' spans have ids of their own or none."""
        if self._kin.is_told(span)[1]:
            return
        whose = self._kin.whose(span)
        for number, (name, tool, given) in enumerate(call for message in span.said for call in message["calls"]):
            name = name or f"{span.trace} {span.id} {number}"
            if name not in self._calls:
                self._calls[name] = call_of(tool, given), given
                self._waiting.setdefault((whose, tool), []).append(name)

    def _named(self, span: Span) -> str:
        """Give the id of a tool's call: its own, else that of the first such call that a model has asked for."""
        waiting = self._waiting.get((self._kin.whose(span), span.tool), [])
        name = span.call_id or (waiting[0] if waiting else f"{span.trace} {span.id}")
        if name in waiting:
            waiting.remove(name)
        self._kin.rename(span, name)
        return name

    def _chat(self, span: Span, ran: set[str]) -> Iterator[Timed]:
        counted, talked = self._kin.is_told(span)
        parent = self._kin.parent_call(span)
        if not talked:
            yield from self._words(span, parent, ran)
        if not counted and any(span.counts):
            yield from self._tokens(span, parent)
        if any(span.counts) or span.heard or span.said:
            self._kin.cover(span)

    def _agent(self, span: Span, ran: set[str]) -> Iterator[Timed]:
        parent = self._kin.parent_call(span)
        told = {"subtype": "agent", "duration_s": round(span.ended - span.began, 6)}
        yield span.began, Event(EventKind.SYSTEM, span.agent or span.name, None, span.id, parent, data=told)
        if self._kin.is_covered(span):
            return
        yield from self._words(span, parent, ran)
        if any(span.counts):
            yield from self._tokens(span, parent)
            self._kin.cover(span)

    def _words(self, span: Span, parent: str | None, ran: set[str]) -> Iterator[Timed]:
        for message in span.heard:
            for name, text in message["results"]:
                if name not in ran:
                    yield from self._result(name, text, span.began, parent)
            if message["text"] and message["role"] != "assistant" and self._is_new(span, message, parent):
                yield span.began, self._asked(message, parent)
        number = 0
        for message in span.said:
            if message["thinking"]:
                yield span.ended, Event(EventKind.THINKING, message["thinking"], parent_call_id=parent)
            if message["text"]:
                yield span.ended, Event(EventKind.MESSAGE, message["text"], parent_call_id=parent)
            for name, tool, given in message["calls"]:
                name, number = name or f"{span.trace} {span.id} {number}", number + 1
                if name not in ran:
                    yield from self._call(name, call_of(tool, given), given, span.ended, parent)

    def _is_new(self, span: Span, message: Message, parent: str | None) -> bool:
        """Say whether a message was not heard before: a conversation that goes on has all that came before."""
        name = (parent, message["place"], message["role"], hash(message["text"]))
        goes_on = message.get("goes_on") or message["role"] == "system"
        known = name if goes_on else (*name, span.trace)
        if known in self._heard:
            return False
        self._heard |= {name, (*name, span.trace)}
        return True

    def _asked(self, message: Message, parent: str | None) -> Event:
        words = message["text"]
        if message["role"] != "user" or parent is not None:
            subtype = "subagent" if message["role"] == "user" else message["role"]
            return Event(EventKind.SYSTEM, words, parent_call_id=parent, data={"subtype": subtype})
        self.about.goal = self.about.goal or bounded(words)
        return Event(EventKind.PROMPT, words)

    def _tokens(self, span: Span, parent: str | None) -> Iterator[Timed]:
        counts: Counts = (*span.counts, 0)[:_COUNTS]  # those of an older reader have one less
        name = span.response or f"{span.trace} {span.id}"
        cost = span.cost_usd
        for event in self._spending.saw(name, span.model, counts, "", parent):
            yield span.ended, with_cost(event, cost)
            cost = None

    def _other(self, span: Span, *, inherited: bool) -> Iterator[Timed]:
        """Tell of tools and steps, and of what failed in nothing but the span itself."""
        parent = self._kin.parent_call(span)
        if span.kind == "tool":
            yield from self._tool(span, parent)
        elif span.kind in ("step", "embeddings"):
            yield span.began, Event(EventKind.SYSTEM, span.name, parent_call_id=parent, data={"subtype": span.kind})
            if span.kind == "embeddings" and any(span.counts):
                yield from self._tokens(span, parent)
        elif span.kind == "other":
            told = {"name": span.name, "attributes": span.attributes, "span": span.id}
            yield span.began, replace(raw_event(written(told)), parent_call_id=parent)
        if span.failed and span.kind in ("chat", "agent", "step", "embeddings") and not inherited:
            yield span.ended, _error(span.why, parent)

    def _noted(self, span: Span) -> Iterator[Timed]:
        """Tell what our own export says that happened."""
        for told in span.noted:
            event = restored(told, told["text"], "", self._kin.parent_call(span))
            if event.kind is EventKind.PROMPT:
                self.about.goal = self.about.goal or bounded(event.text)
            yield moment(event.at) or span.began, event

    def _tool(self, span: Span, parent: str | None) -> Iterator[Timed]:
        known, asked = self._calls.get(span.call_id, (None, None))
        given = asked if span.given is None else span.given
        call = call_of(span.tool, given, span.began)
        if known is not None and not (call.command or call.path):
            call = replace(known, tool=span.tool)
        only = span.attributes.get("loopwright.only")
        if only != "result":
            yield from self._call(span.call_id, call, given, span.began, parent)
        if only == "call":
            return
        words = span.returned or (span.why if span.failed else "")
        yield from self._result(
            *(span.call_id, words, span.ended, parent),
            call=call,
            failed=span.failed,
            began=span.began,
            code=exit_code(span.attributes.get("process.exit.code")),
        )

    def _call(self, name: str, call: Call, given: Any, at: float, parent: str | None) -> Iterator[Timed]:
        if self._called.is_new(name):
            self._calls[name] = call, given
            yield at, OpenCalls().opened(name, call, given, parent=parent)

    def _result(
        self,
        name: str,
        words: str,
        at: float,
        parent: str | None,
        *,
        call: Call | None = None,
        failed: bool = False,
        began: float | None = None,
        code: int | None = None,
    ) -> Iterator[Timed]:
        if not self._returned.is_new(name):
            return
        if code is None and len(words) < TEXT_LIMIT:
            code = exit_code(mapping(unwrapped(words)).get("exit_code"))
        calls = OpenCalls()
        calls.opened(name, replace(call or self._calls.get(name, (Call(), None))[0], began=began), None)
        yield at, calls.closed(name, words, is_error=failed or bool(code), exit_code=code, ended=at, parent=parent)


def _error(why: str, parent: str | None) -> Event:
    return Event(EventKind.ERROR, bounded(why), parent_call_id=parent, **error(True, why))
