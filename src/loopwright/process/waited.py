"""A process that is waited for without a nap: its end is news of the kernel's, where it gives such."""

from __future__ import annotations

import os
import select
import subprocess
import time
from contextlib import suppress


class Waited(subprocess.Popen[bytes]):
    """As subprocess has it, but who waits with a limit goes on at the very moment of the end.

    Python looks after half a millisecond, after one more, after two: with forty programs in a run that is felt.
    """

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; subprocess.TimeoutExpired where it does not come in time."""
        if timeout is not None and self.returncode is None:
            until = time.monotonic() + timeout
            with suppress(OSError, AttributeError):  # neither macOS nor old kernels tell
                _until_it_ends(self.pid, timeout)
            timeout = max(0.0, until - time.monotonic())
        return super().wait(timeout)


def _until_it_ends(pid: int, seconds: float) -> None:
    """Wait for a child that nobody has reaped yet, so that its number is nobody else's."""
    file = os.pidfd_open(pid)
    try:
        news = select.poll()
        news.register(file, select.POLLIN)
        news.poll(max(0.0, seconds) * 1000)
    finally:
        os.close(file)
