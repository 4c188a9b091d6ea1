"""The filter, on a process of its own. What it is for is tried in tests/integrity/test_escapes.py."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from loopwright.process.seccomp import program

known = pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.uname().machine not in ("x86_64", "aarch64"),
    reason="the filter knows the system calls of Linux on x86-64 and arm64",
)

TRY = """
import ctypes, errno, os, struct, subprocess, threading
from loopwright.process.seccomp import program
code = program(os.uname().machine)
held = ctypes.create_string_buffer(code, len(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held)), 0, 0) == 0
print(libc.unshare(0x10000000), errno.errorcode[ctypes.get_errno()])
print(libc.unshare(0))
for family in (40, 17, 38, 1, 2, 16):
    made = libc.socket(family, 2 if family != 16 else 3, 0)
    print("made" if made >= 0 else errno.errorcode[ctypes.get_errno()])
print(libc.syscall(425, 1, 0), errno.errorcode[ctypes.get_errno()])
threading.Thread(target=lambda: print("a thread")).start()
print(subprocess.run(["echo", "a child"], capture_output=True, text=True).stdout.strip())
print(subprocess.run(["unshare", "-U", "true"], capture_output=True).returncode)
"""

SOCKETS = ["EAFNOSUPPORT"] * 3 + ["made"] * 3
"""Of a virtual machine with its host, packets, the kernel's ciphers; unix, IPv4, netlink."""


@known
def test_what_is_refused() -> None:
    """No user namespace and no odd socket is made any more, by nobody who is started later; all else is as before."""
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["-1 EPERM", "0", *SOCKETS, "-1 ENOSYS", "a thread", "a child", "1"], done.stderr


def test_an_unknown_machine() -> None:
    """A machine whose system calls are not known has no filter."""
    with pytest.raises(KeyError):
        program("vax")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_jump_lands(machine: str) -> None:
    """No step of the filter leads beyond its end, and the last one gives a verdict."""
    code = program(machine)
    steps = [code[start : start + 8] for start in range(0, len(code), 8)]
    for place, step in enumerate(steps):
        if step[0] & 7 == 5:
            assert place + 1 + max(step[2], step[3]) < len(steps)
    assert steps[-1][0] == 6
