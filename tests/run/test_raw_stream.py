from __future__ import annotations

import gzip
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from loopwright.records.shape import Size
from loopwright.run.disk import Disk
from loopwright.run.raw_stream import RawStream


def kept(folder: Path, name: str = "stdout") -> bytes:
    return gzip.decompress((folder / f"007.{name}.gz").read_bytes())


def test_the_bytes_are_kept(tmp_path: Path) -> None:
    """Both streams are kept byte for byte, apart from each other, in one file per attempt."""
    raw = RawStream(tmp_path / "raw", 7)
    for name, chunk in (("stdout", b"a\xff"), ("stderr", b"\x00e"), ("stdout", b"b")):
        raw.write(name, chunk)  # type: ignore[arg-type]
    raw.close()
    assert (kept(tmp_path / "raw"), kept(tmp_path / "raw", "stderr")) == (b"a\xffb", b"\x00e")
    assert (raw.left_out, raw.trouble) == (0, "")


def test_nothing_is_a_file_that_can_be_read(tmp_path: Path) -> None:
    """A stream that nothing came from is a whole gzip file with nothing in it."""
    RawStream(tmp_path, 7).close()
    for name in ("stdout", "stderr"):
        subprocess.run(["gzip", "--test", tmp_path / f"007.{name}.gz"], check=True)
        assert kept(tmp_path, name) == b""


def test_too_much_is_counted(tmp_path: Path) -> None:
    """Of both streams together the head is kept, and the rest counted."""
    raw = RawStream(tmp_path, 7, Size(10))
    raw.write("stdout", b"12345678")
    raw.write("stderr", b"abcdef")
    raw.write("stdout", b"9")
    raw.close()
    assert (kept(tmp_path), kept(tmp_path, "stderr"), raw.left_out) == (b"12345678", b"ab", 5)


def test_more_than_can_be_compressed(tmp_path: Path) -> None:
    """What comes faster than it can be compressed is kept as well, in order."""
    block = os.urandom(65_536)
    raw = RawStream(tmp_path, 7)
    for number in range(600):
        raw.write("stdout", number.to_bytes(4, "big") + block)
    raw.close()
    assert kept(tmp_path) == b"".join(number.to_bytes(4, "big") + block for number in range(600))


def test_what_was_written_can_be_read_before_the_end(tmp_path: Path) -> None:
    """A second after it came, output can be read, whoever was killed then."""
    raw = RawStream(tmp_path, 7)
    raw.write("stdout", b"first")
    deadline = time.monotonic() + 10
    while not (found := kept(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.05)
        raw.write("stdout", b"")
    raw.close()
    assert found == b"first"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_is_waited_for_until_the_run_is_stopped(tmp_path: Path) -> None:
    """Where nothing more can be written, who prints waits; once the run is stopped that is told, and nobody does."""
    (tmp_path / "007.stdout.gz").symlink_to("/dev/full")
    disk = Disk()
    raw = RawStream(tmp_path, 7, disk=disk)
    stopping = threading.Timer(0.3, disk.stop.set)
    stopping.start()
    began = time.monotonic()
    for _ in range(40):
        raw.write("stdout", bytes(1_000_000))
    raw.write("stderr", b"e")
    raw.close()
    assert time.monotonic() - began > 0.2
    assert "No space left" in raw.trouble
