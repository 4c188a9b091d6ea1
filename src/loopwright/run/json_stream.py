"""An agent's JSON lines -> events and, at its end, an outcome: what all agents share that speak JSON of their own.

One agent's file says what its lines mean (`read`) and leaves the rest to this: unknown lines, last words, what went
wrong. Claude Code's lines, which several programs speak, are read in text/stream_json.py.
"""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime

from loopwright.ports import Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event
from loopwright.records.run import Ending
from loopwright.text.bounded import Line, bounded, parse
from loopwright.text.complaint import Meaning, meaning, retry_at
from loopwright.text.impossible import impossible
from loopwright.text.told import raw

OUTPUT_LIMIT = 20_000
DETAIL_LIMIT = 500
PRINTED_LIMIT = 200


class JsonStream(ABC):
    """One attempt's output (a ports.Stream). What `read` learns it keeps in the public fields."""

    plain = False

    def __init__(self) -> None:
        self.model = self.version = self.conversation = ""
        self.last_message = ""
        """The newest text of the agent itself."""
        self.failure = ""
        """What went wrong for good, in the agent's words; empty while nothing did."""
        self.status: int | None = None
        """Of HTTP, where the failure had one."""
        self.resets_at = 0
        """When a limit that has been reached is lifted, in seconds since 1970; 0 where that is not known."""
        self.finished = False
        """Whether the agent itself said that it has come to its end."""
        self.ending: Ending | None = None
        """Where a line says it plainly: refused, denied, out of turns."""
        self.denied: list[str] = []
        """The tools that were refused, once for each time."""
        self.tokens = Usage()
        self.cost_usd = 0.0
        self._printed = Printed()

    @abstractmethod
    def read(self, line: Line) -> list[Event] | None:
        """Say what a line tells; None where it is not understood."""

    def knows(self, line: bytes) -> bool:
        return line.lstrip()[:1] == b"{"

    def feed(self, line: str) -> Iterable[Event]:
        try:
            value = parse(line)
        except ValueError:
            return self._otherwise(line)
        events = self.read(value) if isinstance(value, Mapping) else None
        return self._otherwise(line) if events is None else events

    def usage(self) -> tuple[Usage, float]:
        return self.tokens, self.cost_usd

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        said = self.failure or ("" if self.finished and exit_code == 0 else last_line(stderr))
        went_wrong = bool(self.failure) or exit_code != 0 or not self.finished
        complaint = self._meaning(said) if went_wrong else "error"
        if not said and not self.finished:
            said = self._printed.instead()
        output = self.last_message[-OUTPUT_LIMIT:]
        return Outcome(
            ending=self._ending(went_wrong, complaint),
            detail=bounded(self._detail(went_wrong, exit_code, said), DETAIL_LIMIT),
            output=output,
            usage=self.tokens,
            cost_usd=self.cost_usd,
            model=self.model,
            version=self.version,
            conversation=self.conversation,
            over_limit=complaint == "over_limit",
            retry_at=self._come_back(said) if complaint == "unavailable" else "",
            impossible=impossible(output),
        )

    def _ending(self, went_wrong: bool, complaint: str) -> Ending:
        if self.ending is not None:
            return self.ending
        if went_wrong:
            return {"unavailable": Ending.UNAVAILABLE, "no_access": Ending.NO_ACCESS}.get(complaint, Ending.ERROR)
        return Ending.DENIED if self.denied else Ending.FINISHED

    def _detail(self, went_wrong: bool, exit_code: int | None, said: str) -> str:
        if went_wrong or self.ending is not None:
            return ": ".join(part for part in (exit_words(exit_code), " ".join(said.split())) if part)
        return denied_words(self.denied)

    def _meaning(self, said: str) -> Meaning:
        return meaning(said, self.status)

    def _come_back(self, said: str) -> str:
        moment = retry_at(f"{said}|{self.resets_at}" if self.resets_at else said, datetime.now().astimezone())
        return moment.astimezone().isoformat(timespec="seconds") if moment else ""

    def _otherwise(self, line: str) -> list[Event]:
        """Take a line that is not understood."""
        self._printed.note(line)
        return [raw(line)] if line.strip() else []


class Printed:
    """What an agent printed that is not of its protocol, such as a dialog."""

    def __init__(self) -> None:
        self._first = ""

    def note(self, line: str) -> None:
        """Keep the first line that says something; frames and blank lines do not."""
        if not self._first and any(map(str.isalnum, line)):
            self._first = " ".join(line[: 10 * PRINTED_LIMIT].split())

    def instead(self) -> str:
        """Say that there was no result, and what there was in its place."""
        words = "it ended without a result"
        if not self._first:
            return words
        first = f"{self._first[:PRINTED_LIMIT]}…" if len(self._first) > PRINTED_LIMIT else self._first
        return f"{words}, and printed `{first}`; all of it: loopwright show RUN --timeline"


def last_line(text: str) -> str:
    """Give the last line that says something."""
    return text.strip().rpartition("\n")[2].strip()


def exit_words(exit_code: int | None) -> str:
    """Say how a process ended; nothing where all was well."""
    if exit_code is None:
        return "no exit code"
    if exit_code < 0:
        known = {member.value: member.name for member in signal.Signals}
        return f"ended by {known.get(-exit_code, f'signal {-exit_code}')}"
    return f"exit code {exit_code}" if exit_code else ""


def denied_words(tools: Iterable[str]) -> str:
    """Say which tools were denied; nothing where none was."""
    names = ", ".join(tools)
    return f"tool calls were denied: {names}" if names else ""
