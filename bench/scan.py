"""How long it takes to bring sessions into a store, against what it takes to parse their lines and do nothing else.

The sessions are made up, with the kinds and sizes of lines that Claude Code's have: most of a result's line repeats the
result in another form. Where LOOPWRIGHT_TRANSCRIPTS names a folder of real ones, those are measured as well.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.scan import Scan
from loopwright.registry import FORMATS, kinds, load, names
from loopwright.store import open_store

MAX_RATIO, MAX_AGAIN_S, MAX_MEMORY_MB = 5.0, 1.0, 300
SESSIONS, TURNS, ROUNDS = 100, 40, 3
HUGE = 3_000_000_000
_WORDS = (
    "the",
    "login",
    "fails",
    "when",
    "a",
    "user",
    "has",
    "no",
    "name",
    "def",
    "return",
    "self",
    "assert",
    '"x"',
    "\n   ",
)


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(SESSIONS):
            (Path(folder) / f"{number}.jsonl").write_bytes(b"".join(session(number)))
        rows = [_ratio("made-up sessions", Path(folder))]
    if real := os.environ.get("LOOPWRIGHT_TRANSCRIPTS"):
        with tempfile.TemporaryDirectory() as folder:
            for path in Path(real).glob("*.xz"):
                (Path(folder) / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
            rows.append(_ratio("real sessions", Path(folder)))
    return [*rows, _again()]


def measure_huge() -> list[str]:
    """Read one file of 3 GB in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "huge.jsonl"
        with path.open("wb") as file:
            number = 0
            while file.tell() < HUGE:
                file.write(b"".join(session(0, number)))
                number += 1
        began = time.perf_counter()
        done = subprocess.run([sys.executable, __file__, folder], capture_output=True, text=True, check=True)
        took, memory = time.perf_counter() - began, int(done.stdout) / 1000
    told = f"{memory:.0f} MB, {took:.0f} s"
    return [f"scan: a file of 3 GB|{told}|{MAX_MEMORY_MB} MB|{'ok' if memory <= MAX_MEMORY_MB else 'OVER'}"]


def session(number: int, part: int = 0) -> Iterator[bytes]:
    """Make up the lines of a session, or of a part of one."""
    chance = random.Random(number * 1_000_003 + part)

    def words(size: int) -> str:
        return " ".join(chance.choices(_WORDS, k=size // 6))  # with line ends and quotes, as code has them

    def line(kind: str, turn: int, **told: object) -> bytes:
        common = {
            "parentUuid": f"{number:08x}-{part:08x}-{turn:04x}",
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/me/shop",
            "sessionId": f"session-{number}",
            "version": "2.1.41",
            "gitBranch": "main",
            "type": kind,
            "uuid": f"{number:08x}-{part:08x}-{chance.getrandbits(64):016x}",
            "timestamp": f"2026-11-{1 + number % 28:02}T{part % 24:02}:{turn % 60:02}:{chance.randrange(60):02}.000Z",
        }
        return json.dumps(common | told).encode() + b"\n"

    for turn in range(TURNS):
        name = f"{number}-{part}-{turn}"
        usage = {"input_tokens": 3, "output_tokens": turn, "cache_read_input_tokens": 20_000}
        message = {"id": f"msg_{name}", "model": "claude-sonnet-4-5", "role": "assistant", "usage": usage}
        if turn % 10 == 0:
            yield line("user", turn, message={"role": "user", "content": words(200)})
        thinking = {"type": "thinking", "thinking": words(900), "signature": "x" * 600}
        yield line("assistant", turn, message=message | {"content": [thinking]})
        given = {"command": f"pytest -q {words(60)}", "description": words(40)}
        call = {"type": "tool_use", "id": f"toolu_{name}", "name": "Bash", "input": given}
        yield line("assistant", turn, message=message | {"content": [call]})
        yield line("progress", turn, data={"type": "bash_progress", "output": words(900)})
        output = words(chance.choice((200, 800, 3000, 9000)))
        result = {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": output, "is_error": turn % 20 == 7}
        told = {"stdout": output, "stderr": "", "interrupted": False, "originalFile": words(len(output))}
        yield line("user", turn, message={"role": "user", "content": [result]}, toolUseResult=told)


def _ratio(what: str, folder: Path) -> str:
    lines = [line for path in sorted(folder.iterdir()) for line in path.read_bytes().splitlines()]
    alone = min(_took(lambda: _parse(lines)) for _ in range(ROUNDS))
    scanned = min(_scan_took(folder) for _ in range(ROUNDS))
    ratio, size = scanned / alone, sum(map(len, lines)) / 1e6
    told = f"{ratio:.1f} times ({scanned:.2f} s, {size:.0f} MB, {len(lines):,} lines)"
    return f"scan: {what}, against orjson.loads|{told}|{MAX_RATIO:.0f} times|{'ok' if ratio <= MAX_RATIO else 'OVER'}"


def _again() -> str:
    with tempfile.TemporaryDirectory() as folder:
        sessions, home = Path(folder, "sessions"), Path(folder, "home")
        sessions.mkdir()
        for number in range(1000):
            (sessions / f"{number}.jsonl").write_bytes(b"".join(list(session(number))[:20]))
        argv = [str(Path(sys.executable).with_name("loopwright")), "scan", str(sessions), "--repo", folder]
        argv += ["--home", str(home), "--json"]
        _run(argv)
        took = min(_took(lambda: _run(argv)) for _ in range(ROUNDS))
    state = "ok" if took <= MAX_AGAIN_S else "OVER"
    return f"scan: again, 1,000 sessions, nothing new|{took:.2f} s|{MAX_AGAIN_S:.0f} s|{state}"


def _run(argv: list[str]) -> None:
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def _parse(lines: list[bytes]) -> None:
    for line in lines:
        try:
            orjson.loads(line)
        except ValueError:
            continue


def _scan_took(folder: Path) -> float:
    with tempfile.TemporaryDirectory() as home, open_store(Path(home) / "store.sqlite", kinds) as store:
        formats = {name: load(FORMATS, name)() for name in names(FORMATS)}
        return _took(lambda: Scan(store.observed, formats, Masker({})).scan(list(find_files([folder]))))


def _took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    _scan_took(Path(sys.argv[1]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
