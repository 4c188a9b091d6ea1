"""Nobody looks on: the watcher for runs that are started from a program."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.records.check import Check
from loopwright.records.event import Event
from loopwright.records.run import Result, Run
from loopwright.records.signal import Signal


class Nobody:
    """A watcher that sees nothing."""

    def started(self, run: Run) -> None: ...

    def phase(self, run: Run, text: str) -> None: ...

    def event(self, run: Run, event: Event) -> None: ...

    def signal(self, run: Run, signal: Signal) -> None: ...

    def checked(self, run: Run, checks: Sequence[Check]) -> None: ...

    def ended(self, run: Run, result: Result) -> None: ...
