"""A run -> the right to work on it, for as long as it is kept alive.

Who holds a run says so once a second. Who wants it and finds a holder that is gone takes it at once; one that may be
alive is watched, and taken over when it was silent for too long by the watcher's own clock: times of day decide
nothing, since they jump. A holder that was taken over finds every write refused.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from loopwright.errors import BusyError, LoopwrightError
from loopwright.ports import LeaseStore
from loopwright.process.identity import alive, myself, number
from loopwright.records.identity import new_id, short
from loopwright.records.lease import QUEUED, Lease

BEAT_S = 1.0
SILENCE_S = 10.0
"""A holder that says nothing for this long has lost the run to whoever asks."""
_ROUND_S = 0.2


class Stop(threading.Event):
    """The order to stop one run, or a part of it: its own, the one above it, or that its time is up."""

    def __init__(self, above: threading.Event, after_s: float = math.inf) -> None:
        super().__init__()
        self._above = above
        self._deadline = time.monotonic() + after_s

    def is_set(self) -> bool:
        return super().is_set() or self._above.is_set() or time.monotonic() >= self._deadline

    def delay(self, seconds: float) -> None:
        """Give more time: what was waited for is nobody's work."""
        self._deadline += seconds

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set() or super().wait(timeout) or self.is_set()


@dataclass
class Watch:
    """Somebody else's lease, looked at now and then. Only its own clock counts."""

    seen: Lease
    silence_s: float = SILENCE_S
    clock: Callable[[], float] = time.monotonic
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.clock()

    def look(self, lease: Lease) -> bool:
        """Take note of what the lease is now; say whether its holder has shown itself since."""
        moved = (lease.token, lease.beat) != (self.seen.token, self.seen.beat)
        if moved or lease.holder != self.seen.holder:
            self.seen, self._since = lease, self.clock()
        return moved

    @property
    def silent(self) -> bool:
        """Whether it may be taken."""
        return self.clock() - self._since >= self.silence_s


def holder_name() -> str:
    """Name this process as a holder; every name is used once."""
    return f"{myself()} {short(new_id())}"


def queue_name() -> str:
    """Name this process as one that means to work on a run later on: whoever comes first may have it."""
    return f"{myself()} {QUEUED}"


def is_abandoned(lease: Lease) -> bool:
    """Whether nobody means to work on a run any more, as far as this machine can tell."""
    return not lease.process or alive(lease.process) is False


def is_gone(lease: Lease) -> bool | None:
    """Say whether a holder is known to be gone; None when it is on another machine."""
    if not lease.process or lease.is_queued:
        return True
    there = alive(lease.process)
    return None if there is None else not there


def take(store: LeaseStore, run_id: str, *, wait: bool = True, silence_s: float = SILENCE_S) -> tuple[Lease, Lease]:
    """Take a run, or say who is at work on it; give the lease as it was, and ours."""
    watch = Watch(store.lease(run_id), silence_s)
    while True:
        before = watch.seen
        if is_gone(before) or watch.silent:
            if ours := store.take(before, holder_name()):
                return before, ours
        elif not wait:
            raise _busy(before)
        else:
            time.sleep(_ROUND_S)
        if watch.look(store.lease(run_id)) and watch.seen.holder:
            raise _busy(watch.seen)


@contextmanager
def kept(store: LeaseStore, lease: Lease, stop: threading.Event, beat_s: float = BEAT_S) -> Iterator[None]:
    """Keep a lease alive, and leave the run to others at the end; `stop` is set when somebody takes it away."""
    done = threading.Event()

    def beat() -> None:
        while not done.wait(beat_s):
            with suppress(LoopwrightError):  # the store is gone for now; so it is for everybody
                if not store.renew(lease):
                    stop.set()
                    return

    thread = threading.Thread(target=beat, name=f"lease of {short(lease.run_id)}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(beat_s)
        with suppress(LoopwrightError):
            store.release(lease)


def _busy(lease: Lease) -> BusyError:
    said = f"run `{short(lease.run_id)}` is at work already (process {number(lease.process)})"
    return BusyError(said, "wait for it, or stop it with Ctrl-C where it runs")
