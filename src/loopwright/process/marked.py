"""A variable in the environment -> the processes that carry it: who got away from a shim is found by it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL

_PATIENCE_S = 3.0
_ROUND_S = 0.01


def marked(name: str, value: str) -> list[int]:
    """List the processes, other than this one, that were started with a variable; none where there is no /proc."""
    wanted = b"\0" + os.fsencode(f"{name}={value}") + b"\0"
    return [pid for pid in _processes() if wanted in b"\0" + _environment(pid) + b"\0"]


def end_marked(name: str, value: str) -> None:
    """Kill all that carry a variable, until there are none."""
    deadline = time.monotonic() + _PATIENCE_S
    while (left := marked(name, value)) and time.monotonic() < deadline:
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, SIGKILL)
        time.sleep(_ROUND_S)


def _processes() -> list[int]:
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - a path for each would take longer than to read it
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit() and int(name) != os.getpid()]


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()  # empty once it has ended
    except OSError:
        return b""
