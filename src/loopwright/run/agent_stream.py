"""An agent's stdout -> events and, at its end, an outcome; for every agent that speaks stream-json or plain text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

from loopwright.ports import Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.json_stream import (
    DETAIL_LIMIT,
    OUTPUT_LIMIT,
    Printed,
    come_back,
    denied_words,
    exit_words,
    last_line,
)
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, parse
from loopwright.text.complaint import Meaning, meaning
from loopwright.text.impossible import impossible
from loopwright.text.prices import dollars
from loopwright.text.stream_json import TYPES, StreamJson, is_stream_json

_KNOWN = re.compile(rb'"type"\s*:\s*"(?:%s)"' % "|".join(sorted(TYPES)).encode())


class AgentStream:
    """One attempt's output (a ports.Stream)."""

    def __init__(self, *, plain: bool = False) -> None:
        """With `plain`, a line that is not stream-json is a word of the agent, and no result is waited for."""
        self.plain = plain
        self._json, self._printed = StreamJson(), Printed()
        self._tail: deque[str] = deque()
        self._tail_length = 0

    def knows(self, line: bytes) -> bool:
        # The first half alone is enough for most lines, and takes a third of the time.
        return b'"type"' in line and _KNOWN.search(line) is not None

    def feed(self, line: str) -> Iterable[Event]:
        if not self.plain:
            return self._noted(self._json.feed(line))
        try:
            value = parse(line)
        except ValueError:
            return self._say(line)
        return self._json.take(value, line) if is_stream_json(value) else self._say(line)

    def _noted(self, events: list[Event]) -> list[Event]:
        for event in events:
            if event.kind is EventKind.RAW:
                self._printed.note(event.text)
        return events

    def usage(self) -> tuple[Usage, float]:
        return self._json.usage()

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        output, final = self._last_words(), self._json.result
        usage, cost_usd = self.usage()
        if final is None:  # it did not live to say what it cost
            cost_usd = dollars(self._json.model, usage) or 0.0
        unfinished = final is None and not self.plain
        went_wrong = exit_code != 0 or unfinished or (final is not None and final.is_error)
        said = self._complaint(stderr)
        # What any program says on stderr before it fails is not about a model.
        about_model = went_wrong and (final is not None or not self.plain)
        complaint = meaning(said, self._status()) if about_model else "error"
        if unfinished and not said:
            said = self._printed.instead()
        why = ": ".join(part for part in (exit_words(exit_code), " ".join(said.split())) if part)
        denied = denied_words(final.denials) if final else ""
        return Outcome(
            ending=self._ending(complaint) if went_wrong else Ending.DENIED if denied else Ending.FINISHED,
            detail=bounded(why if went_wrong else denied, DETAIL_LIMIT),
            output=output,
            usage=usage,
            cost_usd=cost_usd,
            model=self._json.model,
            version=self._json.version,
            conversation=self._json.conversation,
            over_limit=complaint == "over_limit",
            retry_at=self._come_back(said) if complaint == "unavailable" else "",
            impossible=impossible(output),
        )

    def _say(self, line: str) -> list[Event]:
        text = line.rstrip("\r\n")
        kept = bounded(text[-OUTPUT_LIMIT:], OUTPUT_LIMIT)
        self._tail.append(kept)
        self._tail_length += len(kept) + 1
        while self._tail_length - len(self._tail[0]) > OUTPUT_LIMIT:
            self._tail_length -= len(self._tail.popleft()) + 1
        return [Event(EventKind.MESSAGE, bounded(text, TEXT_LIMIT), data=cut(text, TEXT_LIMIT))] if text.strip() else []

    def _last_words(self) -> str:
        final = self._json.result.text if self._json.result else ""
        words = final or "\n".join(self._tail).strip() or self._json.last_message
        return words[-OUTPUT_LIMIT:]

    def _complaint(self, stderr: str) -> str:
        """Give what went wrong, in the words of who noticed."""
        final = self._json.result
        if final is not None and final.is_error:
            return final.reason
        return last_line(stderr) or self._json.retry[1]

    def _come_back(self, said: str) -> str:
        resets_at = self._json.resets_at
        return come_back(f"{said}|{resets_at}" if resets_at else said)

    def _status(self) -> int | None:
        return self._json.result.status if self._json.result else self._json.retry[0]

    def _ending(self, complaint: Meaning) -> Ending:
        why = self._json.result.why if self._json.result else ""
        if "max_turns" in why:
            return Ending.MAX_TURNS
        if "refusal" in why:
            return Ending.REFUSED
        return {"unavailable": Ending.UNAVAILABLE, "no_access": Ending.NO_ACCESS}.get(complaint, Ending.ERROR)
