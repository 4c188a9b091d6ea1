"""A model that is over its limit or out of order -> a pause, as long as it is worth it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

_FIRST, _LONGEST = 60, 6
"""The first pause is this part of all that is waited, and none is longer than that part."""


@dataclass
class Waiting:
    """How long a run has waited for a model since it last answered."""

    limit_s: float
    stop: threading.Event
    tell: Callable[[str], None]
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    waited_s: float = 0.0
    total_s: float = 0.0
    """In the whole run: time that is nobody's work."""
    _pause_s: float = field(default=0.0, init=False)

    def answered(self) -> None:
        """It was there: the next trouble is a new one."""
        self.waited_s = self._pause_s = 0.0

    def pause(self, retry_at: str) -> str:
        """Wait until it may be asked again; where that is too long, say when somebody may try."""
        left = self.limit_s - self.waited_s
        if retry_at:
            seconds = max(1.0, (datetime.fromisoformat(retry_at) - self.now()).total_seconds())
        else:
            self._pause_s = min(2 * self._pause_s or self.limit_s / _FIRST, self.limit_s / _LONGEST)
            seconds = self._pause_s
        if seconds > left:
            return _clock(datetime.fromisoformat(retry_at) if retry_at else self._after(self.limit_s))
        words = f"paused: the model is not available; it is asked again at {_clock(self._after(seconds))}"
        self.tell(f"{words} (for {self.limit_s / 60:g}m at most: [limits] unavailable; Ctrl-C stops, resume goes on)")
        self.stop.wait(seconds)
        self.waited_s += seconds
        self.total_s += seconds
        return ""

    def _after(self, seconds: float) -> datetime:
        return self.now() + timedelta(seconds=seconds)


def _clock(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")
