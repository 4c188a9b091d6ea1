"""Events on their way to the store: numbered, timed, written in batches."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping

from loopwright.ports import RunStore, Watcher
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.run import Run
from loopwright.run.looking import Looking

_BATCH = 500
_DELAY_S = 0.2


class Recorder:
    """Takes the events of one run. What it was given is in the store after `flush`."""

    def __init__(self, store: RunStore, run: Run, watcher: Watcher, looking: Looking | None = None) -> None:
        self._store, self._run, self._watcher = store, run, watcher
        self._looking = looking or Looking()
        self._waiting: list[Event] = []
        self._seq = store.last_seq(run.id)
        self._written = time.monotonic()
        self._lock = threading.Lock()

    def add(self, event: Event, attempt_id: str | None = None) -> None:
        """Take an event; it is written with the next batch, 0.2 s later at the most."""
        with self._lock:
            self._seq += 1
            event = dataclasses.replace(event, seq=self._seq, at=event.at or timestamp(), attempt_id=attempt_id)
            self._waiting.append(event)
            news = self._looking.see(event)
        self._watcher.event(self._run, event)
        for signal in news:
            self._watcher.signal(self._run, signal)
        self.trouble(self._looking.gave_up(), attempt_id)
        if len(self._waiting) >= _BATCH:
            self.flush()
        else:
            self.tick()

    def loop(self, attempt_id: str) -> str:
        """Say in what loop an attempt is that has to end; empty where it may go on."""
        return self._looking.loop(attempt_id)

    def trouble(self, text: str, attempt_id: str | None = None) -> None:
        """Note what went wrong; nothing where the text is empty."""
        if text:
            self.add(Event(EventKind.NOTE, text, is_error=True), attempt_id)

    def masked(self, counts: Iterable[Mapping[str, int]], where: str, attempt_id: str | None = None) -> None:
        """Note how many secrets were masked in what somebody printed; nothing where there were none."""
        total = sum((Counter(count) for count in counts), Counter[str]())
        if total:
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(total.items()))
            self.add(Event(EventKind.NOTE, f"secrets masked in what {where} printed: {kinds}", data=total), attempt_id)

    def tick(self) -> None:
        """Write what has waited long enough; called while nothing comes in."""
        if self._waiting and time.monotonic() - self._written > _DELAY_S:
            self.flush()

    def flush(self) -> None:
        """Write all that waits."""
        with self._lock:
            batch, self._waiting = self._waiting, []
            if batch:
                self._store.append_events(self._run.id, batch)
            if found := self._looking.take():
                self._store.add_signals(found)
            self._written = time.monotonic()
