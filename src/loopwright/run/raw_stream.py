"""An attempt's output as it came, byte for byte, in gzip files beside the store; of too much of it the head."""

from __future__ import annotations

import queue
import threading
import time
import zlib
from pathlib import Path

from loopwright.errors import LoopwrightError
from loopwright.process.child import PipeName
from loopwright.records.shape import Size
from loopwright.run.disk import Disk, PatientFile
from loopwright.settings import LimitsSettings

_BLOCK = 1_000_000
_DELAY_S = 1.0
"""What came is on its way to the disk by then, should we die."""
_WAITING = 16
"""How many blocks may wait; who brings more waits too."""
_GZIP = 31


class RawStream:
    """Writes in a thread of its own: compressing takes longer than reading, and lets others run meanwhile.

    Every block is a gzip file in itself, and many of them after each other are one as well: what was written can be
    read, wherever it breaks off.
    """

    def __init__(self, folder: Path, attempt: int, limit: Size = LimitsSettings().output, disk: Disk = Disk()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._files = {
            name: PatientFile((folder / f"{attempt:03d}.{name}.gz").open("wb", buffering=0), disk)  # closed below
            for name in ("stdout", "stderr")
        }
        self._blocks: dict[str, bytearray] = {name: bytearray() for name in self._files}
        self._room: int = limit
        self._handed = time.monotonic()
        self.left_out = 0
        """How many bytes were not kept."""
        self.trouble = ""
        """Why something could not be written."""
        self._queue: queue.Queue[tuple[str, bytes] | None] = queue.Queue(_WAITING)
        for name in self._files:
            self._queue.put((name, b""))  # also where nothing comes, there is a gzip file that can be read
        self._thread = threading.Thread(target=self._work, name="raw stream")
        self._thread.start()

    def write(self, name: PipeName, chunk: bytes) -> None:
        kept = chunk[: self._room]
        self._room -= len(kept)
        self.left_out += len(chunk) - len(kept)
        self._blocks[name] += kept
        if len(self._blocks[name]) >= _BLOCK or time.monotonic() - self._handed > _DELAY_S:
            self._hand_on()

    def close(self) -> None:
        """Wait until all is written."""
        self._hand_on()
        self._queue.put(None)
        self._thread.join()
        for file in self._files.values():
            file.close()

    def _hand_on(self) -> None:
        for name, block in self._blocks.items():
            if block:
                self._queue.put((name, bytes(block)))
                block.clear()
        self._handed = time.monotonic()

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            name, block = item
            # Some text is compressed at 20 MB/s: who prints faster than that gets more room, and does not wait.
            level = 1 if self._queue.qsize() < _WAITING // 2 else 0
            try:
                if not self.trouble:
                    self._files[name].write(zlib.compress(block, level, _GZIP))
            except (OSError, LoopwrightError) as error:
                self.trouble = str(error)
