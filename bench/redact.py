"""How fast secrets are masked: ordinary output in chunks of 64 KB, against a checksum of the same bytes."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator

from loopwright.guard.redact import Masker

SIZE, CHUNK = 64_000_000, 65_536
ENVIRONMENT = {"SOME_API_KEY": "b9Kq27LmzP4xWd81TnVc", "DATABASE_URL": "postgres://app:tR4mpoline-99@db/app"}
LOG = "tests/test_auth.py::test_login PASSED in 0.01s — ok\n"
CODE = (
    "    def _values(self, raw: bytes, kind: str) -> None:\n        return [self.one(item) for item in raw if item]\n\n"
)
EVENT = {
    "type": "assistant",
    "message": {"id": "msg_01Fh5kdQ2", "content": [{"type": "text", "text": "Now I look at what the tests say. " * 6}]},
    "session_id": "0195c2f0-8a5e-7b11-9f57-3cafe9a9bb52",
    "uuid": "4f3a2e9c-1f0e-4c62-8f0b-6d9f2a7c5e11",
}
SHAPES = {
    "plain lines": LOG,
    "code": CODE,
    "stream-json": json.dumps(EVENT) + "\n",
    "one line": "Now I look at what the tests say, and 1/3 of them hold. ",
}
MAX_TIMES = {"plain lines": 25, "code": 25, "stream-json": 35, "one line": 25}


def measure() -> list[str]:
    rows = []
    for shape, text in SHAPES.items():
        chunks = list(_chunks(text.encode()))
        checksum = _seconds(zlib.crc32, chunks)
        seconds = _seconds(Masker(ENVIRONMENT).stream().feed, chunks)
        times, allowed = seconds / checksum, MAX_TIMES[shape]
        figures = f"{SIZE / seconds / 1e6:.0f} MB/s, {times:.0f} times as long as crc32"
        rows.append(f"masking secrets: {shape}|{figures}|{allowed} times|{'ok' if times <= allowed else 'OVER'}")
    return rows


def _chunks(text: bytes) -> Iterator[bytes]:
    whole = text * (SIZE // len(text) + 1)
    for first in range(0, SIZE, CHUNK):
        yield whole[first : min(first + CHUNK, SIZE)]


def _seconds(take: Callable[[bytes], object], chunks: list[bytes]) -> float:
    began = time.process_time()  # what others do on the machine is not counted
    for chunk in chunks:
        take(chunk)
    return time.process_time() - began
