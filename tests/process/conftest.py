from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Python = Callable[..., list[str]]
Gone = Callable[[int], bool]


@pytest.fixture
def python() -> Python:
    """Give the argv of a small Python program."""
    return lambda code, *arguments: [sys.executable, "-I", "-S", "-c", code, *map(str, arguments)]


@pytest.fixture
def env() -> dict[str, str]:
    return {"PATH": os.environ["PATH"]}


@pytest.fixture
def gone() -> Gone:
    """Say whether a process has ended, after waiting for it up to ten seconds."""

    def wait(pid: int) -> bool:
        deadline = time.monotonic() + 10
        while alive(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        return not alive(pid)

    return wait


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
