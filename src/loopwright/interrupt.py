"""Ctrl-C, SIGTERM and a closed terminal -> a cancelled run: once, it ends cleanly; twice, at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

LEAVE_S = 3.0
"""What is left to be done after the second signal has to be done by then."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def cancel_on_signals(leave: Callable[[], None] | None = None) -> Iterator[threading.Event]:
    """Give an event that the first signal sets; the second one interrupts as usual. Signals reach the main thread.

    `leave` ends the process, should the interrupt not have done so in time: a database may be waited for.
    """
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if not cancel.is_set():
            cancel.set()
            return
        if leave is not None:
            timer = threading.Timer(LEAVE_S, leave)
            timer.daemon = True
            timer.start()
        raise KeyboardInterrupt

    # Who was started with `nohup` ignores a closed terminal, and goes on doing so.
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in heard}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
