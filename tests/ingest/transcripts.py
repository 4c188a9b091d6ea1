"""Sessions that real people had with real agents, where this machine has them; none is in the repository."""

from __future__ import annotations

import lzma
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_BESIDE = Path(__file__).parents[3] / "shared" / "transcripts"
FOLDER = Path(os.environ.get("LOOPWRIGHT_TRANSCRIPTS", _BESIDE))


def real_sessions(agent: str) -> list[Any]:
    """Give the sessions of an agent, unpacked; one that is skipped where there are none."""
    found = sorted(FOLDER.glob(f"{agent}-*.xz"))
    if not found:
        reason = f"there are no real sessions of {agent} here: name their folder in LOOPWRIGHT_TRANSCRIPTS"
        return [pytest.param(Path("none"), marks=pytest.mark.skip(reason=reason))]
    return [unpacked(path) for path in found]


@cache
def unpacked(path: Path) -> Path:
    """Give a session as the agent wrote it."""
    folder = Path(tempfile.gettempdir()) / f"loopwright-transcripts-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / path.stem
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        part.write_bytes(lzma.decompress(path.read_bytes()))
        part.rename(target)
    return target
