"""A program and everything it starts, from its start to its certain end; limits are kept while its output is read."""

from __future__ import annotations

import errno
import io
import math
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from types import TracebackType
from typing import Literal, Self

from loopwright.errors import SetupError
from loopwright.process import shim

Cause = Literal["exit", "wall", "idle", "cancelled", "stopped"]
Stream = Literal["stdout", "stderr"]

CHUNK = 65_536
TICK_S = 0.1
DRAIN_S = 1.0
"""How long to read on after the shim has ended, should somebody have got away with the pipe."""
LATE_S = shim.KILL_S + 1.0
"""What the shim gets on top of the grace before it is taken for stuck."""
_SHIM = f"import sys; sys.path.append({str(Path(shim.__file__).parent)!r}); import shim; shim.run_arguments()"
"""Imported and not run as a script: a script is compiled at every start."""


@dataclass(frozen=True)
class End:
    """How a child ended."""

    exit_code: int | None
    """128 + N after signal N; None when it could not be started, or was ended by us."""
    cause: Cause
    duration_s: float
    missing: bool = False
    """There is no such program."""


@dataclass(frozen=True)
class Mount:
    """A folder that the program finds in the place of another (Linux, where namespaces are allowed)."""

    tree: Path
    over: Path
    scratch: Path
    """An empty folder, not below `over`."""
    folders: tuple[str, ...] = ()
    """Folders of what is covered that stay to be seen; what is written to them is thrown away."""

    def words(self) -> list[str]:
        return [str(self.tree), str(self.over), str(self.scratch), *self.folders]


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
    ) -> None:
        """Start it, with `env` and nothing else as its environment; `merge` sends stderr to stdout."""
        self._grace_s = grace_s
        self._lock = threading.RLock()
        self._cause: Cause | None = None
        self._end: End | None = None
        self._status = b""
        self._deadline = math.inf
        self._began = time.monotonic()
        self._popen, self._death, self._news = _start(argv, cwd, env, stdin, grace_s, merge, mount)
        self.pid = self._popen.pid
        """Of the shim: a SIGTERM to it ends everything, also after we are gone."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self.stop()
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
    ) -> Iterator[tuple[Stream, bytes]]:
        """Give what it prints until all of it has ended; a limit or `cancel` ends it, as long as somebody reads.

        While it is silent, an empty chunk comes ten times a second: the reader has work of its own to look after.
        """
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
        self._finish()

    def request_stop(self) -> None:
        """Ask for its end and go on reading: SIGTERM now, SIGKILL after the grace. From any thread."""
        self._request("stopped")

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
            self._deadline = time.monotonic() + self._grace_s + LATE_S
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
        told, code = int(self._status or 0), self._popen.returncode
        if code < 0 < told:
            # Somebody killed the shim: what is in the program's own group can still be found.
            shim.send(told, SIGKILL)
        ran = self._cause is None and told >= 0
        return End(
            exit_code=(code if code >= 0 else 128 - code) if ran else None,
            cause=self._cause or "exit",
            duration_s=time.monotonic() - self._began,
            missing=-told in (errno.ENOENT, errno.ENOTDIR),
        )


def _start(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    stdin: Path | None,
    grace_s: float,
    merge: bool,
    mount: Mount | None,
) -> tuple[subprocess.Popen[bytes], io.FileIO, io.FileIO]:
    """Start the shim; give it, our end of the death pipe and our end of the status pipe."""
    if not argv:
        raise SetupError("can't start a program: the command is empty")
    with ExitStack() as ours, ExitStack() as theirs:
        death_end, death = _pipe(theirs, ours)
        news, news_end = _pipe(ours, theirs)
        try:
            source = theirs.enter_context((stdin or Path(os.devnull)).open("rb"))
            popen = subprocess.Popen(
                _shimmed(argv, death_end.fileno(), news_end.fileno(), grace_s, env.get("LC_ALL", ""), mount),
                cwd=cwd,
                # Python would set LC_CTYPE for itself and for its children where no locale is set, but not with LC_ALL.
                env={**env, "LC_ALL": "C"},
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merge else subprocess.PIPE,
                bufsize=0,
                pass_fds=(death_end.fileno(), news_end.fileno()),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise SetupError(f"can't start `{argv[0]}` in `{cwd}`: {error}") from error
        for pipe in (news, popen.stdout, popen.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        ours.pop_all()
        return popen, death, news


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[io.FileIO, io.FileIO]:
    """Make a pipe as two files: should an exception strike anywhere, they close with the last name for them."""
    read, write = os.pipe()
    return reader.enter_context(io.FileIO(read, "rb")), writer.enter_context(io.FileIO(write, "wb"))


def _shimmed(
    argv: Sequence[str], death: int, status: int, grace_s: float, lc_all: str, mount: Mount | None
) -> list[str]:
    how = [str(death), str(status), str(grace_s), lc_all, *(mount.words() if mount else ())]
    return [sys.executable, "-I", "-S", "-c", _SHIM, *how, "--", *argv]
