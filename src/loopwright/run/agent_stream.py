"""An agent's stdout -> events and, at its end, an outcome; for every agent that speaks stream-json or plain text."""

from __future__ import annotations

import re
from collections import deque

from loopwright.ports import Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event
from loopwright.records.run import Ending
from loopwright.run.json_stream import OUTPUT_LIMIT, JsonStream
from loopwright.text.bounded import Line, bounded
from loopwright.text.complaint import Meaning
from loopwright.text.prices import dollars
from loopwright.text.stream_json import TYPES, FinalWord, StreamJson
from loopwright.text.told import message

_KNOWN = re.compile(rb'"type"\s*:\s*"(?:%s)"' % "|".join(sorted(TYPES)).encode())
_ENDINGS = {"max_turns": Ending.MAX_TURNS, "refusal": Ending.REFUSED}


class AgentStream(JsonStream):
    """One attempt's output (a ports.Stream)."""

    def __init__(self, *, plain: bool = False) -> None:
        """With `plain`, a line that is not stream-json is a word of the agent, and no result is waited for."""
        super().__init__()
        self.plain = plain
        self._json = StreamJson()
        self._tail: deque[str] = deque()
        self._tail_length = 0

    def knows(self, line: bytes) -> bool:
        # The first half alone is enough for most lines, and takes a third of the time.
        return b'"type"' in line and _KNOWN.search(line) is not None

    def read(self, line: Line) -> list[Event] | None:
        return self._json.read(line)

    def usage(self) -> tuple[Usage, float]:
        return self._json.usage()

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        told, final = self._json, self._json.result
        self.model, self.version, self.conversation = told.model, told.version, told.conversation
        self.tokens, self.cost_usd = self.usage()
        if final is None:  # it did not live to say what it cost
            self.cost_usd = dollars(self.model, self.tokens) or 0.0
        self.finished, self.resets_at = final is not None or self.plain, told.resets_at
        self.last_message = (final.text if final else "") or "\n".join(self._tail).strip() or told.last_message
        self.status = final.status if final else told.retry[0]
        if final:
            self._judge(final, exit_code)
        return super().outcome(exit_code, stderr if stderr.strip() else told.retry[1])

    def _judge(self, final: FinalWord, exit_code: int | None) -> None:
        self.denied = list(final.denials)
        if final.is_error:
            self.failure = final.reason or final.why
        if final.is_error or exit_code != 0:
            self.ending = next((ending for word, ending in _ENDINGS.items() if word in final.why), None)

    def _meaning(self, said: str) -> Meaning:
        # What any program says on stderr before it fails is not about a model.
        return "error" if self.plain and self._json.result is None else super()._meaning(said)

    def _otherwise(self, line: str) -> list[Event]:
        return self._say(line.rstrip("\r\n")) if self.plain else super()._otherwise(line)

    def _say(self, text: str) -> list[Event]:
        kept = bounded(text[-OUTPUT_LIMIT:], OUTPUT_LIMIT)
        self._tail.append(kept)
        self._tail_length += len(kept) + 1
        while self._tail_length - len(self._tail[0]) > OUTPUT_LIMIT:
            self._tail_length -= len(self._tail.popleft()) + 1
        return [message(text)] if text.strip() else []
