"""A process that is waited for without a nap."""

from __future__ import annotations

import subprocess
import time

import pytest

from loopwright.process.waited import Waited


def test_the_end_is_known_at_once() -> None:
    """Who waits with a limit gets the exit code."""
    with Waited(["sh", "-c", "exit 3"]) as process:
        assert process.wait(10) == 3
        assert process.wait(10) == 3


def test_the_limit_holds_once() -> None:
    """One that goes on is not waited for longer than was asked."""
    with Waited(["sleep", "60"]) as process:
        began = time.monotonic()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        assert 0.5 <= time.monotonic() - began < 0.9
        process.kill()
