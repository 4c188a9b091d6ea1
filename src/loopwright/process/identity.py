"""A process -> a name that no other one ever has, and whether the one so named is still there."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

_ROUND_S = 0.05
_PROC = Path("/proc/self/stat").exists()


def identify(pid: int) -> str:
    """Name a process: its number, when it started, and on which machine; numbers are used again, such names never."""
    return f"{pid}:{_started(pid)}:{_machine()}"


def myself() -> str:
    """Name this process."""
    return identify(os.getpid())


def number(identity: str) -> int:
    """Give a named process's number."""
    return int(identity.partition(":")[0])


def alive(identity: str) -> bool | None:
    """Say whether a named process is there; None when it is, or was, on another machine."""
    pid, started, machine = identity.split(":")
    return None if machine != _machine() else _started(int(pid)) == started != ""


def end(identity: str, within_s: float) -> bool:
    """Ask a named process of this machine to end, and wait for that; say whether it is gone."""
    deadline = time.monotonic() + within_s
    if alive(identity):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(number(identity), signal.SIGTERM)
            os.kill(number(identity), signal.SIGCONT)  # one that was stopped would not hear it
    while alive(identity):
        if time.monotonic() > deadline:
            return False
        time.sleep(_ROUND_S)
    return True


def is_stopped(pid: int) -> bool:
    """Say whether a process was stopped by a signal; False where that can't be seen."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"T"
    except OSError:
        return False


def _started(pid: int) -> str:
    """Say when a process started; empty where there is none, or only what is left of one."""
    if not _PROC:
        asked = ["ps", "-o", "stat=", "-o", "lstart=", "-p", str(pid)]
        state, _, when = subprocess.run(asked, capture_output=True, text=True).stdout.strip().partition(" ")
        return "" if state.startswith("Z") else "".join(when.split()).replace(":", "")
    try:
        # The name in brackets may hold anything, brackets and spaces too.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in (b"Z", b"X") else fields[19].decode()


@functools.cache
def _machine() -> str:
    """Name what process numbers belong to: this start of this machine, and the namespace where there are several."""
    if not _PROC:
        return f"{os.uname().nodename}"
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    namespace = Path("/proc/self/ns/pid").readlink().name
    return f"{boot}/{namespace.strip('pid:[]')}"
