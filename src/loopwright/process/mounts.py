"""A folder in the place of another, for one process and its descendants alone: a mount namespace of their own.

Run by the shim before it starts the program. Everybody else goes on seeing what is really there.
"""
# pathlib would add to the start of every program:
# ruff: noqa: PTH102, PTH118, PTH123

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18


def enter(tree: str, over: str, scratch: str, folders: list[str]) -> None:
    """Show `tree` at the path `over`, with copies of some of `over`'s own folders in it that can be written to.

    What is written there is gone with the namespace. `scratch` is an empty folder outside of `over`. Raises OSError
    where the system has or allows no namespaces.
    """
    user, group = os.geteuid(), os.getegid()
    _call("unshare", CLONE_NEWNS | (CLONE_NEWUSER if user else 0))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    _mount("tmpfs", scratch, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0700")
    # Relative names from here on: a colon or a comma in a path would end it for the overlay.
    os.chdir(scratch)
    for number, folder in enumerate(folders):
        for name in ("lower", "upper", "work"):
            os.mkdir(f"{name}{number}")
        _mount(os.path.join(over, folder), f"lower{number}", None, MS_BIND | MS_REC)
    _mount(tree, over, None, MS_BIND | MS_REC)
    for number, folder in enumerate(folders):
        layers = f"lowerdir=lower{number},upperdir=upper{number},workdir=work{number}"
        _mount("overlay", os.path.join(over, folder), "overlay", 0, f"{layers},userxattr" if user else layers)
    os.chdir(over)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    _call("mount", *encoded, ctypes.c_ulong(flags), None if data is None else os.fsencode(data))


def _call(name: str, *arguments: object) -> None:
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except AttributeError:
        raise OSError(38, f"the system has no {name}") from None  # ENOSYS
    if function(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
