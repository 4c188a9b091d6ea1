"""A program and everything it starts, from its start to its certain end; limits are kept while its output is read."""

from __future__ import annotations

import errno
import math
import os
import selectors
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGQUIT
from types import TracebackType
from typing import Literal, Self

from loopwright.process import shim
from loopwright.process.adopted import end_adopted
from loopwright.process.identity import is_stopped
from loopwright.process.limits import TOO_BIG, Limits
from loopwright.process.marked import end_marked
from loopwright.process.starting import Mount, Order, start

Cause = Literal["exit", "wall", "idle", "cancelled", "stopped", "result", "memory", "processes", "file_size"]
PipeName = Literal["stdout", "stderr"]

CHUNK = 65_536
TICK_S, _WATCH_S = 0.1, 0.5
DRAIN_S = 1.0
"""How long to read on after the shim has ended, should somebody have got away with the pipe."""
LATE_S = shim.KILL_S + 1.0
"""What the shim gets on top of the grace before it is taken for stuck."""
_LIVING: weakref.WeakSet[Child] = weakref.WeakSet()
_STARTING = threading.Lock()
"""Held until one that was started is in the list above: it is not to be taken for an orphan."""
_OVER: dict[bytes, Cause] = {b"memory": "memory", b"processes": "processes"}


@dataclass(frozen=True)
class End:
    """How a child ended."""

    exit_code: int | None
    """128 + N after signal N; None when it could not be started, or was ended by us."""
    cause: Cause
    duration_s: float
    missing: bool = False
    """There is no such program."""


class Child:
    """A running program. Use it in a `with`: nothing of it is alive afterwards, whatever happened."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stdin: Path | None = None,
        grace_s: float = 5.0,
        merge: bool = False,
        mount: Mount | None = None,
        limits: Limits = Limits(),
        waits: bool = False,
        mark: str = "",
    ) -> None:
        """Start it, with `env` and nothing else as its environment; `merge` sends stderr to stdout.

        With `waits`, nothing runs before `go`. `mark` is a variable of `env` that no other child has with its value.
        """
        self._grace_s, self._limits = grace_s, limits
        self._mark = (mark, env[mark]) if mark else None
        self._lock = threading.RLock()
        self._cause: Cause | None = None
        self._end: End | None = None
        self._status = b""
        self._deadline = math.inf
        self._began = time.monotonic()
        order = Order(argv, cwd, env, stdin, merge, grace_s, waits, limits, mount)
        with _STARTING:
            self._popen, self._death, self._news = start(order)
            self.pid = self._popen.pid
            """Of the shim: a SIGTERM to it ends everything, also after we are gone."""
            _LIVING.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, KeyboardInterrupt):
                self.hurry()
            self.stop()
        except KeyboardInterrupt:
            self.hurry()
            self.stop()
            raise
        finally:
            for pipe in (self._news, self._popen.stdout, self._popen.stderr):
                if pipe is not None:
                    pipe.close()

    @property
    def end(self) -> End:
        """How it ended: known once its chunks were read to the end, or it was stopped."""
        if self._end is None:
            raise RuntimeError(f"process {self.pid} has not ended yet")
        return self._end

    def chunks(
        self, *, wall_s: float | None = None, idle_s: float | None = None, cancel: threading.Event | None = None
    ) -> Iterator[tuple[PipeName, bytes]]:
        """Give what it prints until all of it has ended; a limit or `cancel` ends it.

        While it is silent, an empty chunk comes ten times a second: the reader has work of its own to look after.
        Should that keep the reader, wall time and `cancel` are seen to all the same.
        """
        done = threading.Event()
        threading.Thread(target=self._watch, args=(wall_s, cancel, done), daemon=True).start()
        try:
            yield from self._read_on(wall_s, idle_s, cancel)
        finally:
            done.set()
        self._finish()

    def _watch(self, wall_s: float | None, cancel: threading.Event | None, done: threading.Event) -> None:
        while not done.wait(_WATCH_S):
            self._enforce(wall_s, None, 0.0, cancel)
            if is_stopped(self.pid):  # by who does not want to be watched
                with suppress(ProcessLookupError):
                    os.kill(self.pid, SIGCONT)

    def _read_on(
        self, wall_s: float | None, idle_s: float | None, cancel: threading.Event | None
    ) -> Iterator[tuple[PipeName, bytes]]:
        heard = time.monotonic()
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map() and time.monotonic() < self._deadline:
                ready = selector.select(TICK_S)
                if not ready:
                    yield "stdout", b""
                for key, _ in ready:
                    chunk = os.read(key.fd, CHUNK)
                    if not chunk:
                        self._closed(selector, key)
                    elif key.data == "status":
                        self._status += chunk
                    else:
                        given = time.monotonic()
                        yield key.data, chunk
                        # The reader's own time is not the program's silence, nor may it cost what is still to be read.
                        heard = time.monotonic()
                        self._deadline += heard - given
                self._enforce(wall_s, idle_s, heard, cancel)

    def go(self) -> None:
        """Let a program run that waits for the word."""
        with self._lock, suppress(BrokenPipeError):  # a shim that has ended is noticed by who reads
            if not self._death.closed:
                self._death.write(b"!")

    def request_stop(self, cause: Cause = "stopped") -> None:
        """Ask for its end and go on reading: SIGTERM now, SIGKILL after the grace. From any thread."""
        self._request(cause)

    def hurry(self) -> None:
        """Ask for its end at once: SIGKILL, without a grace, or without what is left of it. From any thread."""
        self._request("stopped")
        with self._lock:
            self._deadline = min(self._deadline, time.monotonic() + LATE_S)
            self._popen.send_signal(SIGQUIT)

    def stop(self) -> None:
        """End it and wait until it has ended."""
        self._request("stopped")
        self._finish()

    def _register(self, selector: selectors.BaseSelector) -> None:
        selector.register(self._news, selectors.EVENT_READ, "status")
        for pipe, name in ((self._popen.stdout, "stdout"), (self._popen.stderr, "stderr")):
            if pipe is not None:
                selector.register(pipe, selectors.EVENT_READ, name)

    def _closed(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        selector.unregister(key.fileobj)
        if key.data == "status":
            self._deadline = time.monotonic() + DRAIN_S

    def _enforce(
        self, wall_s: float | None, idle_s: float | None, heard: float, cancel: threading.Event | None
    ) -> None:
        now = time.monotonic()
        if cancel is not None and cancel.is_set():
            self._request("cancelled")
        elif wall_s is not None and now - self._began >= wall_s:
            self._request("wall")
        elif idle_s is not None and now - heard >= idle_s:
            self._request("idle")

    def _request(self, cause: Cause) -> None:
        with self._lock:
            if self._death.closed:
                return
            # First the cause: closing the pipe may end it before it is looked at.
            if self._popen.poll() is None:
                self._cause = cause
            self._deadline = min(self._deadline, time.monotonic() + self._grace_s + LATE_S)
            self._death.close()
            # Should a fork of ours hold the death pipe too, closing it here goes unnoticed.
            self._popen.terminate()

    def _finish(self) -> None:
        try:
            self._popen.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._force()
        with self._lock:
            if self._end is None:
                self._end = self._conclude()

    def _force(self) -> None:
        """End the descendants in place of a shim that was stopped, and then the shim."""
        for _ in range(5):
            with suppress(OSError):  # no /proc
                for group in shim.groups(self.pid):
                    shim.send(group, SIGKILL)
            time.sleep(0.02)
        self._popen.kill()
        self._popen.wait()

    def _conclude(self) -> End:
        self._status += self._news.read() or b""
        told, over = _read(self._status)
        code = self._popen.returncode
        if code < 0:
            self._end_orphans(told)
        ran = not over and self._cause is None and told >= 0
        exit_code = (code if code >= 0 else 128 - code) if ran else None
        if self._limits.file_size and exit_code == TOO_BIG:
            over = "file_size"
        return End(
            exit_code=exit_code,
            cause=over or self._cause or "exit",
            duration_s=time.monotonic() - self._began,
            missing=-told in (errno.ENOENT, errno.ENOTDIR),
        )

    def _end_orphans(self, told: int) -> None:
        """End what somebody has killed the shim of: the program's own group, who is marked, and who came to us."""
        if told > 0:
            shim.send(told, SIGKILL)
        if self._mark:
            end_marked(*self._mark)
        with _STARTING:
            end_adopted({child.pid for child in _LIVING})


def hurry_all() -> None:
    """End at once all that was started by this process: it is about to leave, without a word to its threads."""
    for child in list(_LIVING):
        with suppress(OSError):
            child.hurry()


def _read(status: bytes) -> tuple[int, Cause | None]:
    """Read what the shim told: the program's pid or a negative errno, and the limit that was reached."""
    number, over = 0, None
    for word in status.split(b"\n")[:-1]:  # what was cut short tells nothing
        if word in _OVER:
            over = _OVER[word]
        elif word.removeprefix(b"-").isdigit():
            number = int(word)
    return number, over
