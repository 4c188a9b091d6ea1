"""argv -> its exit code, with no descendant left behind: the script that every child is started through.

    shim DEATH_FD STATUS_FD GRACE_SECONDS LC_ALL [TREE OVER SCRATCH FOLDER …] -- argv …

It ends everything when DEATH_FD is closed at the other end (we died, or said so) or a SIGTERM arrives. To STATUS_FD it
writes the pid of argv, or the negative errno when that could not be started. With a TREE, the program sees it at the
path OVER (see mounts.py).
"""
# pathlib, contextlib and signal (which makes enums) would add to the start of every program:
# ruff: noqa: PTH110, PTH123, PTH208, SIM105

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import ctypes
import errno
import os
import select
import sys
import time

SHORT_S = 0.2
"""What a daemon gets between SIGTERM and SIGKILL once the program that started it has ended."""
KILL_S = 3.0
"""How long to go on with SIGKILL: a process in an uninterruptible call or of another user may never go."""
ROUND_S = 0.01
PR_SET_CHILD_SUBREAPER = 36
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Alarm:
    """Wakes up for a signal, or when the death pipe closes."""

    def __init__(self, death: int) -> None:
        self._death = death
        self._signals, writer = os.pipe()
        os.set_blocking(self._signals, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (*ENDING, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        self._poll = select.poll()
        self._poll.register(self._signals, select.POLLIN)

    def wait_for_news(self) -> bool:
        """Wait for a child's end or the order to end; say whether it was the order."""
        self._poll.register(self._death, select.POLLIN)
        ready = [fd for fd, _ in self._poll.poll()]
        # The closed pipe stays ready for ever; pauses from here on must not return at once.
        self._poll.unregister(self._death)
        return self._death in ready or any(number in ENDING for number in self._received())

    def pause(self, seconds: float) -> None:
        """Wait for a while, or until a child ends."""
        if self._poll.poll(seconds * 1000):
            self._received()

    def _received(self) -> bytes:
        try:
            return os.read(self._signals, 4096)
        except BlockingIOError:
            return b""


class Family:
    """The program and all that it started."""

    def __init__(self, child: int, adopts: bool) -> None:
        self.child = child
        self.adopts = adopts
        self.code: int | None = None

    def left(self) -> bool:
        """Reap who has ended; say whether anybody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                # A subreaper without children has no descendants either.
                return not self.adopts and send(self.child, 0)
            if pid == 0:
                return True
            if pid == self.child:
                code = os.waitstatus_to_exitcode(status)
                self.code = code if code >= 0 else 128 - code

    def signal(self, number: int) -> None:
        for group in groups(os.getpid()) if self.adopts else {self.child}:
            send(group, number)

    def end(self, grace_s: float, alarm: Alarm) -> None:
        """SIGTERM, and SIGKILL to those who are still there after the grace."""
        if not self.left():
            return
        self.signal(signal.SIGTERM)
        limit = time.monotonic() + grace_s
        while self.left() and (now := time.monotonic()) < limit + KILL_S:
            if now >= limit:
                self.signal(signal.SIGKILL)
            alarm.pause(ROUND_S)


def send(group: int, number: int) -> bool:
    """Signal a process group; say whether there was one that could be signalled."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def groups(root: int) -> set[int]:
    """Give the process groups of all descendants of a process.

    Groups and not processes: killing a group is atomic, so that nobody in it gets away by forking in time. A program
    starts in a session of its own, hence its descendants never share a group with anybody else.
    """
    children: dict[int, list[tuple[int, int]]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (parent_and_group := _parent_and_group(name)):
            children.setdefault(parent_and_group[0], []).append((int(name), parent_and_group[1]))
    found: set[int] = set()
    queue = [root]
    while queue:
        for pid, group in children.get(queue.pop(), ()):
            found.add(group)
            queue.append(pid)
    return found - {0, 1, os.getpgrp()}


def _parent_and_group(pid: str) -> tuple[int, int] | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            # The name in brackets may hold anything, brackets and spaces too.
            fields = file.read(4096).rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[1]), int(fields[2])


def become_subreaper() -> bool:
    """Adopt orphaned descendants from now on; False where the system has no such thing (macOS)."""
    try:
        done: int = ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return done == 0 and os.path.exists("/proc/self/stat")


def spawn(argv: list[str], lc_all: str) -> int:
    """Start the program in a session of its own, with the signals that Python ignores back to normal."""
    environment = {name: value for name, value in os.environ.items() if name != "LC_ALL"}
    if lc_all:
        environment["LC_ALL"] = lc_all
    ignored = [signal.SIGPIPE, signal.SIGXFSZ]
    return os.posix_spawnp(argv[0], argv, environment, setsid=True, setsigmask=[], setsigdef=ignored)


def tell(fd: int, text: str) -> None:
    """Write to somebody who may be gone."""
    try:
        os.write(fd, text.encode(errors="replace"))
    except OSError:
        pass


def main(death: int, status: int, grace_s: float, lc_all: str, mounted: list[str], argv: list[str]) -> int:
    """Run the program to its end, or to ours."""
    os.set_inheritable(death, False)
    os.set_inheritable(status, False)
    alarm = Alarm(death)
    adopts = become_subreaper()
    try:
        if mounted:
            move(mounted)
    except OSError as error:
        tell(status, str(-errno.EIO))
        tell(2, f"can't put the tree in its place: {error.strerror}\n")
        return 127
    try:
        family = Family(spawn(argv, lc_all), adopts)
    except OSError as error:
        tell(status, str(-(error.errno or errno.EINVAL)))
        tell(2, f"can't start `{argv[0]}`: {error.strerror}\n")
        return 127
    tell(status, str(family.child))
    ordered = False
    try:
        while not ordered and family.left() and family.code is None:
            ordered = alarm.wait_for_news()
    finally:
        family.end(grace_s if ordered else SHORT_S, alarm)
    return 128 + signal.SIGKILL if family.code is None else family.code


def move(mounted: list[str]) -> None:
    """Go to where the tree is at its place."""
    import mounts  # type: ignore[import-not-found]  # beside this file, and not in a package there

    mounts.enter(*mounted[:3], mounted[3:])


def run_arguments() -> None:
    """Do what the command line says, and end."""
    death, status, grace_s, lc_all, *rest = sys.argv[1:]
    end = rest.index("--")
    os._exit(main(int(death), int(status), float(grace_s), lc_all, rest[:end], rest[end + 1 :]))
