"""Work that needs room waits for it."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from loopwright.errors import RepositoryError
from loopwright.run.disk import Disk, PatientFile, is_full

ALL = 10**18
"""No disk has so much room."""


def test_enough_room_is_not_talked_about(tmp_path: Path) -> None:
    """Nobody is told anything, and nobody waits; a folder that is not there yet is on the disk of those above it."""
    told: list[str] = []
    Disk((tmp_path / "not" / "yet",), 1, tell=told.append).wait()
    assert told == []


def test_it_waits_until_it_is_stopped(tmp_path: Path) -> None:
    """It says what is missing and where, once."""
    told: list[str] = []
    disk = Disk((tmp_path,), ALL, tell=told.append)
    threading.Timer(0.2, disk.stop.set).start()
    disk.wait()
    assert len(told) == 1
    assert told[0].startswith("paused: the disk of ") and "MB left" in told[0] and "loopwright gc" in told[0]


def test_what_failed_for_want_of_room_is_done_again() -> None:
    """Other errors are not, and none when the run is stopped."""
    tries = []

    def work() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if len(tries) == 2:
            raise RepositoryError("git said: fatal: write error: No space left on device")
        return "done"

    assert Disk().through(work) == "done"
    assert len(tries) == 3
    with pytest.raises(RepositoryError, match="other"):
        Disk().through(lambda: _fail(RepositoryError("other")))
    stopped = Disk()
    stopped.stop.set()
    with pytest.raises(OSError, match="room"):
        stopped.through(lambda: _fail(OSError(errno.ENOSPC, "no room")))


def _fail(error: Exception) -> None:
    raise error


def test_what_is_said_of_a_full_disk() -> None:
    """By number, or in the words of another program."""
    assert is_full(OSError(errno.EDQUOT, "x")) and is_full(RepositoryError("Disk quota exceeded"))
    assert not is_full(OSError(errno.EACCES, "denied"))


def test_a_patient_file_writes_all_of_it(tmp_path: Path) -> None:
    """Also what the system takes in pieces."""
    with (tmp_path / "file").open("wb", buffering=0) as file:
        assert PatientFile(file, Disk()).write(b"x" * 100_000) == 100_000
    assert (tmp_path / "file").stat().st_size == 100_000
