"""Work that needs room on a disk -> the same work, as soon as there is room: a run waits, and nothing is lost."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import TypeVar

from loopwright.errors import LoopwrightError, RepositoryError

ROUND_S, _AGAIN_S = 0.5, 2.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
_WORDS = tuple(os.strerror(number) for number in _FULL)
Given = TypeVar("Given")


@dataclass(frozen=True)
class Disk:
    """The disks that a run writes to."""

    folders: tuple[Path, ...] = ()
    free: int = 0
    """So many bytes have to be left on each."""
    stop: threading.Event = field(default_factory=threading.Event)
    tell: Callable[[str], None] = lambda text: None
    """Hears when the run waits, and when it goes on."""

    def short(self) -> str:
        """Say which disk is too full to go on; empty where none is."""
        for folder in self.folders:
            left = shutil.disk_usage(_there(folder)).free
            if left < self.free:
                return f"the disk of `{folder}` has {left / 1e6:.0f} MB left, and {self.free / 1e6:.0f} MB are wanted"
        return ""

    def wait(self) -> None:
        """Return when there is room, or the run is stopped."""
        trouble = self.short()
        if not trouble:
            return
        self.tell(f"paused: {trouble}; it goes on by itself when there is room (see: loopwright gc)")
        while self.short() and not self.stop.wait(ROUND_S):
            pass
        if not self.stop.is_set():
            self.tell("there is room again: it goes on")

    def through(self, work: Callable[[], Given]) -> Given:
        """Do something that can be done again from the start, and do so where the disk was full."""
        while True:
            self.wait()
            try:
                return work()
            except (OSError, LoopwrightError) as error:
                # What another program said of another disk is not ours to wait for.
                ours = is_full(error) and isinstance(error, (OSError, RepositoryError))
                if self.stop.is_set() or not (ours or self.short()):
                    raise
                self.tell(f"tried again: {error}")
                self.stop.wait(_AGAIN_S)


def is_full(error: BaseException) -> bool:
    """Say whether it was for want of room; other programs say so in words."""
    return getattr(error, "errno", None) in _FULL or any(word in str(error) for word in _WORDS)


class PatientFile:
    """A file that waits for room instead of failing."""

    def __init__(self, file: FileIO, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def write(self, data: bytes) -> int:
        """Write all of it; what is left when the run is stopped is given up with the error."""
        left = memoryview(data)
        while left:
            try:
                left = left[self._file.write(left) or 0 :]
            except OSError as error:
                if not is_full(error) or self._disk.stop.is_set():
                    raise
                self._disk.wait()
                self._disk.stop.wait(ROUND_S)
        return len(data)

    def close(self) -> None:
        self._file.close()


def _there(folder: Path) -> Path:
    """Give a folder, or the nearest one above it that is there."""
    return next(place for place in (folder, *folder.parents) if place.exists())
