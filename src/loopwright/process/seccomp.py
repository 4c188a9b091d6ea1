"""System calls that nobody in the sandbox needs -> the filter that refuses them, for bubblewrap to put on all.

In a user namespace of one's own, everybody is root: no new one is made. The kernel's key rings are shared with the
user outside, whatever else is not; so are some networks, such as that of a virtual machine with its host (vsock).
"""

from __future__ import annotations

import errno
import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_CLONE_NEWUSER = 0x10000000
_X32 = 0x40000000
"""From here on, x86-64 has all calls once more, for another kind of program."""

_CLONE3, _RING = 435, 425
_CALLS = {
    # architecture, clone, unshare, socket; setns, add_key, request_key, keyctl, bpf, perf_event_open
    "x86_64": (0xC000003E, 56, 272, 41, (308, 248, 249, 250, 321, 298)),
    "aarch64": (0xC00000B7, 220, 97, 198, (268, 217, 218, 219, 280, 241)),
}
_FAMILIES = (1, 2, 10, 16)
"""Kinds of sockets: unix, IPv4, IPv6, netlink."""


def program(machine: str) -> bytes:
    """Give the filter for a machine; KeyError where its system calls are not known."""
    architecture, clone, unshare, socket, never = _CALLS[machine]
    flagged = [_load(_FIRST_ARGUMENT), _jump(_ANY_BIT, _CLONE_NEWUSER, 0, 1), _no(errno.EPERM), _return(_ALLOW)]
    families = [step for family in _FAMILIES for step in (_jump(_EQUAL, family, 0, 1), _return(_ALLOW))]
    sockets = [_load(_FIRST_ARGUMENT), *families, _no(errno.EAFNOSUPPORT)]
    refused = [step for call in never for step in (_jump(_EQUAL, call, 0, 1), _no(errno.EPERM))]
    return b"".join(
        [
            _load(_ARCHITECTURE),
            _jump(_EQUAL, architecture, 1, 0),
            _no(errno.ENOSYS),
            _load(_NUMBER),
            _jump(_AT_LEAST, _X32, 0, 1),
            _no(errno.ENOSYS),
            # Its flags lie in memory, where no filter can look: the C library goes on with clone.
            _jump(_EQUAL, _CLONE3, 1, 0),
            # What is asked for by a ring, be it a socket, comes by no filter at all.
            _jump(_EQUAL, _RING, 0, 1),
            _no(errno.ENOSYS),
            *refused,
            _jump(_EQUAL, socket, 0, len(sockets)),
            *sockets,
            _jump(_EQUAL, clone, 2, 0),
            _jump(_EQUAL, unshare, 1, 0),
            _return(_ALLOW),
            *flagged,
        ]
    )


def _load(offset: int) -> bytes:
    return struct.pack("HBBI", _LOAD, 0, 0, offset)


def _jump(test: int, value: int, met: int, unmet: int) -> bytes:
    return struct.pack("HBBI", test, met, unmet, value)


def _return(value: int) -> bytes:
    return struct.pack("HBBI", _RETURN, 0, 0, value)


def _no(number: int) -> bytes:
    return _return(_REFUSE | number)
