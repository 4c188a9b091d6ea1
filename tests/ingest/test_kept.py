"""A document that is too large to be read is kept as raw, counted and named, and takes no memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.formats.atif import Atif
from loopwright.ingest.formats.gemini import Gemini
from loopwright.ingest.scan import Scan, Scanned
from loopwright.records.event import EventKind
from loopwright.store.store import Store

CHAT = b'{"sessionId":"s1","projectHash":"p","startTime":"2026-01-01T00:00:00Z","messages":['
TRAJECTORY = b'{"schema_version":"ATIF-v1.4","agent":{},"steps":['
SCAN = """
import sys
from loopwright.cli.main import main
try:
    main()
finally:  # what the resource module says has the memory of our parent in it
    status = open("/proc/self/status").read()
    print(int(status.split("VmHWM:")[1].split()[0]) // 1000, file=sys.stderr)
"""


def scan(store: Store, path: Path) -> Scanned:
    formats = {"gemini": Gemini(), "atif": Atif()}
    return Scan(store.observed, formats, Masker({})).scan(list(find_files([path])))


def test_a_document_of_too_many_values_is_a_session_with_one_raw_line(store: Store, tmp_path: Path) -> None:
    """Also where the name of the session can't be read from it; the reason is said, and the next scan is quiet."""
    for name, head in (("a", CHAT), ("b", TRAJECTORY)):
        path = tmp_path / f"{name}.json"
        path.write_bytes(head + b"{}," * 600_000 + b"{}]}")
        scanned = scan(store, path)
        [run_id], [note] = scanned.runs, scanned.notes
        assert [event.kind for event in store.events(run_id)] == [EventKind.RAW]
        assert store.events(run_id)[0].text.startswith(head[:50].decode())
        assert store.observed.summaries([run_id])[0].raw_lines == 1
        assert note == f"{path}: `{path}` is one document of more than a million values"
        assert scan(store, path).new == 0


def test_a_document_of_too_many_bytes_is_kept_as_well(store: Store, tmp_path: Path) -> None:
    """It is never held as a whole."""
    path = tmp_path / "a.json"
    path.write_bytes(CHAT + b"\n" * 65_000_000 + b"]}")
    scanned = scan(store, path)
    assert len(store.events(scanned.runs[0])) == 1
    assert "of more than 64 MB" in scanned.notes[0]


def test_a_document_of_many_values_takes_little_memory(tmp_path: Path) -> None:
    """Parsed and told of one by one, 20 MB of empty objects take gigabytes."""
    path = tmp_path / "a.json"
    path.write_bytes(CHAT + b"{}," * 7_000_000 + b"{}]}")
    words = [sys.executable, "-c", SCAN, "scan", str(path), "--repo", str(tmp_path), "--home", str(tmp_path / "home")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=100)
    assert int(done.stderr.split()[-1]) < 300, done.stderr
