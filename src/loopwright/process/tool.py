"""A short program that is trusted, such as git -> its exit code and what it said. All others go through Child."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.process.inherited import copies
from loopwright.process.waited import Waited

GRACE_S = 2.0


@dataclass(frozen=True)
class Done:
    """What became of it."""

    returncode: int
    """Negative where a signal ended it."""
    stdout: bytes
    stderr: bytes


def call(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    limit_s: float,
    stdin: bytes = b"",
    folder: Path | None = None,
) -> Done:
    """Run it to its end; TimeoutError when it takes longer, OSError where it can't be started."""
    pipe = subprocess.PIPE
    with (
        copies() as files,
        # A group of its own: Ctrl-C ends the run, and not a snapshot in the middle of its work.
        Waited(
            argv, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=folder, process_group=0, pass_fds=files
        ) as process,
    ):
        try:
            out, err = process.communicate(stdin, timeout=limit_s)
        except subprocess.TimeoutExpired:
            _end(process)
            raise TimeoutError(f"took longer than {limit_s:g} s") from None
        except BaseException:
            _end(process)
            raise
    return Done(process.returncode, out, err)


def _end(process: subprocess.Popen[bytes]) -> None:
    """First SIGTERM: git takes its lock files away when it is asked to end."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
            return
