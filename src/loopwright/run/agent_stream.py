"""An agent's stdout -> events and, at its end, an outcome; for every agent that speaks stream-json or plain text."""

from __future__ import annotations

import re
import signal
from collections import deque
from collections.abc import Iterable

from loopwright.ports import Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, parse
from loopwright.text.impossible import impossible
from loopwright.text.stream_json import TYPES, StreamJson, is_stream_json

OUTPUT_LIMIT = 20_000
DETAIL_LIMIT = 500
_KNOWN = re.compile(rb'"type"\s*:\s*"(?:%s)"' % "|".join(sorted(TYPES)).encode())


class AgentStream:
    """One attempt's output (a ports.Stream)."""

    def __init__(self, *, plain: bool = False) -> None:
        """With `plain`, a line that is not stream-json is a word of the agent, and no result is waited for."""
        self.plain = plain
        self._json = StreamJson()
        self._tail: deque[str] = deque()
        self._tail_length = 0

    def knows(self, line: bytes) -> bool:
        # The first half alone is enough for most lines, and takes a third of the time.
        return b'"type"' in line and _KNOWN.search(line) is not None

    def feed(self, line: str) -> Iterable[Event]:
        if not self.plain:
            return self._json.feed(line)
        try:
            value = parse(line)
        except ValueError:
            return self._say(line)
        return self._json.take(value, line) if is_stream_json(value) else self._say(line)

    def usage(self) -> tuple[Usage, float]:
        return self._json.usage()

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        output, final = self._last_words(), self._json.result
        usage, cost_usd = self.usage()
        unfinished = final is None and not self.plain
        is_error = exit_code != 0 or unfinished or (final is not None and final.is_error)
        return Outcome(
            is_error=is_error,
            detail=bounded(self._why(exit_code, stderr) if is_error else self._denied(), DETAIL_LIMIT),
            output=output,
            usage=usage,
            cost_usd=cost_usd,
            model=self._json.model,
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

    def _why(self, exit_code: int | None, stderr: str) -> str:
        final = self._json.result
        said = final.reason if final and final.is_error else stderr.strip().rpartition("\n")[2]
        if not said and final is None and not self.plain:
            said = "it ended without a result"
        return ": ".join(part for part in (_end(exit_code), " ".join(said.split())) if part)

    def _denied(self) -> str:
        denials = self._json.result.denials if self._json.result else ()
        return f"tool calls were denied: {', '.join(denials)}" if denials else ""


def _end(exit_code: int | None) -> str:
    if exit_code is None:
        return "no exit code"
    if exit_code < 0:
        known = {member.value: member.name for member in signal.Signals}
        return f"ended by {known.get(-exit_code, f'signal {-exit_code}')}"
    return f"exit code {exit_code}" if exit_code else ""
