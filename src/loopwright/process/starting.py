"""argv -> a running shim, with the pipes that it is told and tells through."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from loopwright.errors import SetupError
from loopwright.process import shim
from loopwright.process.inherited import copies
from loopwright.process.limits import Limits
from loopwright.process.waited import Waited

_SHIM = f"import sys; sys.path.append({str(Path(shim.__file__).parent)!r}); import shim; shim.run_arguments()"
"""Imported and not run as a script: a script is compiled at every start."""


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


@dataclass(frozen=True)
class Order:
    """What the shim is to do."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    stdin: Path | None
    merge: bool
    grace_s: float
    waits: bool
    limits: Limits
    mount: Mount | None

    def words(self, death: int, status: int, inherited: Sequence[int]) -> list[str]:
        """Give the shim's command line."""
        limits = (self.limits.memory, self.limits.processes, self.limits.file_size)
        numbers = (death, status, self.grace_s, int(self.waits), *limits)
        how = [*map(str, numbers), ",".join(map(str, inherited)), self.env.get("LC_ALL", "")]
        mounted = self.mount.words() if self.mount else []
        return [sys.executable, "-I", "-S", "-c", _SHIM, *how, *mounted, "--", *self.argv]


class Started(NamedTuple):
    """A shim, and our ends of its pipes."""

    popen: subprocess.Popen[bytes]
    death: io.FileIO
    """A byte is the word to go; closed: the order to end."""
    news: io.FileIO


def start(order: Order) -> Started:
    """Start the shim."""
    if not order.argv:
        raise SetupError("can't start a program: the command is empty")
    with ExitStack() as ours, ExitStack() as theirs:
        death_end, death = _pipe(theirs, ours)
        news, news_end = _pipe(ours, theirs)
        files = theirs.enter_context(copies())
        try:
            source = theirs.enter_context((order.stdin or Path(os.devnull)).open("rb"))
            popen = Waited(
                order.words(death_end.fileno(), news_end.fileno(), files),
                cwd=order.cwd,
                # Python would set LC_CTYPE for itself and for its children where no locale is set, but not with LC_ALL.
                env={**order.env, "LC_ALL": "C"},
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if order.merge else subprocess.PIPE,
                bufsize=0,
                pass_fds=(death_end.fileno(), news_end.fileno(), *files),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise SetupError(f"can't start `{order.argv[0]}` in `{order.cwd}`: {error}") from error
        for pipe in (news, popen.stdout, popen.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        ours.pop_all()
        return Started(popen, death, news)


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[io.FileIO, io.FileIO]:
    """Make a pipe as two files: should an exception strike anywhere, they close with the last name for them."""
    read, write = os.pipe()
    return reader.enter_context(io.FileIO(read, "rb")), writer.enter_context(io.FileIO(write, "wb"))
