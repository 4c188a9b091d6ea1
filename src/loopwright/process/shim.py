"""argv -> its exit code, with no descendant left behind: the script that every child is started through.

    shim DEATH_FD STATUS_FD GRACE_SECONDS WAITS MEMORY PROCESSES FILE_SIZE HELD_FDS LC_ALL
         [TREE OVER SCRATCH FOLDER …] -- argv …

It ends everything when DEATH_FD is closed at the other end (we died, or said so) or a SIGTERM arrives; at once, without
a grace, at a second SIGTERM or a SIGQUIT. With WAITS=1 it starts argv only when it has read a byte from DEATH_FD. To
STATUS_FD it writes a line with the pid of argv, or the negative errno when that could not be started, and one with the
name of the limit (0: none) that was reached. HELD_FDS (1,2,…) stay open in the shim alone. With a TREE, the program
sees it at the path OVER (see mounts.py).
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
LOOK_S, OFTEN_S = 0.5, 0.05
"""How often to look at what the program uses; the second once it has a quarter of the processes that it may have."""
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
        for number in (*ENDING, signal.SIGQUIT, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        self._poll = select.poll()
        self._poll.register(self._signals, select.POLLIN)
        self.orders = 0
        """How many signals to end have come; SIGQUIT counts for two."""

    def wait_for_word(self) -> bool:
        """Wait for the word to go; say whether it came, and not the order to end."""
        while not self.orders:
            if self._death_or(None):
                return os.read(self._death, 1) != b""
        return False

    def wait_for_news(self, seconds: float | None) -> bool:
        """Wait for a child's end or the order to end, or for a while; say whether it was the order."""
        return self._death_or(seconds) or self.orders > 0

    def pause(self, seconds: float) -> None:
        """Wait for a while, or until a child ends."""
        if self._poll.poll(seconds * 1000):
            self._receive()

    def _death_or(self, seconds: float | None) -> bool:
        """Wait; say whether something is with the death pipe."""
        self._poll.register(self._death, select.POLLIN)
        ready = [fd for fd, _ in self._poll.poll(None if seconds is None else seconds * 1000)]
        # The closed pipe stays ready for ever; pauses from here on must not return at once.
        self._poll.unregister(self._death)
        if self._signals in ready:
            self._receive()
        return self._death in ready

    def _receive(self) -> None:
        try:
            received = os.read(self._signals, 4096)
        except BlockingIOError:
            return
        self.orders += sum(number in ENDING for number in received) + 2 * received.count(signal.SIGQUIT)


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
        """SIGTERM, and SIGKILL to those who are still there after the grace, or when we are told twice."""
        if not self.left():
            return
        self.signal(signal.SIGTERM)
        limit = time.monotonic() + grace_s
        while self.left() and (now := time.monotonic()) < limit + KILL_S:
            if alarm.orders > 1:
                limit = min(limit, now)
            if now >= limit:
                self.signal(signal.SIGKILL)
            alarm.pause(ROUND_S)


class Watch:
    """Looks at what the program and its descendants use: now and then, and as soon as processes become many."""

    def __init__(self, memory: int, processes: int) -> None:
        self._memory, self._processes = memory, processes
        self._next = time.monotonic() + LOOK_S
        self._calm = crowd() + processes // 4 if processes else 0
        """So many threads there may be on the machine without a look at whose they are."""

    def pause_s(self) -> float | None:
        """Give how long to wait; None where there is nothing to look for."""
        if self._processes:
            return OFTEN_S
        return max(0.0, self._next - time.monotonic()) if self._memory else None

    def over(self) -> str:
        """Name the limit that is passed; empty where none is, or there is no reason to look."""
        early = time.monotonic() < self._next
        if not (self._memory or self._processes) or (early and not (self._processes and crowd() > self._calm)):
            return ""
        family = descendants(os.getpid())
        room = self._processes // 4 - len(family)
        self._next = time.monotonic() + (LOOK_S if room > 0 or not self._processes else OFTEN_S)
        self._calm = crowd() + max(0, room)
        if 0 < self._processes < len(family):
            return "processes"
        pages = sum(pages for _, pages in family)
        return "memory" if 0 < self._memory < pages * os.sysconf("SC_PAGE_SIZE") else ""


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
    return {group for group, _ in descendants(root)} - {0, 1, os.getpgrp()}


def descendants(root: int) -> list[tuple[int, int]]:
    """Give process group and pages of resident memory of all descendants of a process."""
    children: dict[int, list[tuple[int, int, int]]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (status := about(name)):
            parent, group, pages = status
            children.setdefault(parent, []).append((int(name), group, pages))
    found = []
    queue = [root]
    while queue:
        for pid, group, pages in children.get(queue.pop(), ()):
            found.append((group, pages))
            queue.append(pid)
    return found


def crowd() -> int:
    """Count the threads of the machine: a single look, where one at each process may come too late."""
    with open("/proc/loadavg", "rb", buffering=0) as file:
        return int(file.read(200).split()[3].partition(b"/")[2])


def about(pid: str) -> tuple[int, int, int] | None:
    """Give the parent, the process group and the resident pages of a process; None where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            # The name in brackets may hold anything, brackets and spaces too.
            fields = file.read(4096).rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[1]), int(fields[2]), int(fields[21])


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


def limit_files(size: int) -> None:
    """Let no file grow beyond a size, from here on and in what is started; 0: any."""
    if not size:
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    size = min(size, 2**62 if hard == resource.RLIM_INFINITY else hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def main(death: int, status: int, grace_s: float, waits: bool, limits: list[int], lc_all: str, rest: list[str]) -> int:
    """Run the program to its end, or to ours."""
    alarm = Alarm(death)
    adopts = become_subreaper()
    if waits and not alarm.wait_for_word():
        return refuse(status, errno.ECANCELED)
    memory, processes, file_size = limits
    end = rest.index("--")
    mounted, argv = rest[:end], rest[end + 1 :]
    try:
        if mounted:
            move(mounted)
    except OSError as error:
        return refuse(status, errno.EIO, f"can't put the tree in its place: {error.strerror}\n")
    try:
        watch = Watch(memory, processes) if adopts else Watch(0, 0)
        limit_files(file_size)
        family = Family(spawn(argv, lc_all), adopts)
    except OSError as error:
        return refuse(status, error.errno or errno.EINVAL, f"can't start `{argv[0]}`: {error.strerror}\n")
    tell(status, f"{family.child}\n")
    ordered, over = False, ""
    try:
        while not ordered and not over and family.left() and family.code is None:
            ordered = alarm.wait_for_news(watch.pause_s())
            over = watch.over()
    finally:
        tell(status, f"{over}\n")
        # Who uses too much would go on with that in a grace.
        family.end(0 if over else grace_s if ordered else SHORT_S, alarm)
    return 128 + signal.SIGKILL if family.code is None else family.code


def refuse(status: int, number: int, words: str = "") -> int:
    """Tell why nothing was started; give the exit code for that."""
    tell(status, f"-{number}\n")
    tell(2, words)
    return 127


def move(mounted: list[str]) -> None:
    """Go to where the tree is at its place."""
    import mounts  # type: ignore[import-not-found]  # beside this file, and not in a package there

    mounts.enter(*mounted[:3], mounted[3:])


def run_arguments() -> None:
    """Do what the command line says, and end."""
    death, status, grace_s, waits, memory, processes, file_size, inherited, lc_all, *rest = sys.argv[1:]
    for number in (death, status, *inherited.split(",")):
        if number:
            os.set_inheritable(int(number), False)
    limits = [int(memory), int(processes), int(file_size)]
    os._exit(main(int(death), int(status), float(grace_s), waits == "1", limits, lc_all, rest))
