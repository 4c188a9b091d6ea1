"""`loopwright --help` against `python -c pass`, with the same interpreter."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 21


def measure() -> list[str]:
    program = str(Path(sys.executable).parent / "loopwright")
    bare, ours = [], []
    for _ in range(ROUNDS):  # in turn, so that a busy moment of the machine hits both
        bare.append(_seconds([sys.executable, "-c", "pass"]))
        ours.append(_seconds([program, "--help"]))
    ratio = statistics.median(ours) / statistics.median(bare)
    times = f"{statistics.median(ours) * 1000:.0f} ms / {statistics.median(bare) * 1000:.0f} ms"
    return [f"loopwright --help / python -c pass|{ratio:.1f} times ({times})|6 times|{'ok' if ratio <= 6 else 'OVER'}"]


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began
