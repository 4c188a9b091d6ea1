"""Who lost the process that was to keep it -> its end, in a program where nobody else starts any."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from signal import SIGKILL

from loopwright.process import shim

_PATIENCE_S = 3.0
_ROUND_S = 0.01
_ADOPTING = threading.Event()


def adopt() -> None:
    """Become the parent of every orphan below this process, from now on, where the system knows of such a thing."""
    if shim.become_subreaper():
        _ADOPTING.set()


def end_adopted(ours: Collection[int]) -> None:
    """Kill the children of this process that are in a session of their own and not among `ours`, until none is left.

    The children of one that is killed become ours in turn, and are found in the next round.
    """
    if not _ADOPTING.is_set():
        return
    deadline = time.monotonic() + _PATIENCE_S
    while (found := _adopted(ours)) and time.monotonic() < deadline:
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_ROUND_S)


def _adopted(ours: Collection[int]) -> list[int]:
    us, here = os.getpid(), os.getsid(0)
    found = [int(name) for name in os.listdir("/proc") if name.isdigit() and (shim.about(name) or (0,))[0] == us]  # noqa: PTH208
    return [pid for pid in found if pid not in ours and _session(pid) not in (here, 0)]


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0
