"""What a program and all that it starts may use, and the words for one that used more."""

from __future__ import annotations

from dataclasses import dataclass
from signal import SIGXFSZ

from loopwright.settings import LimitsSettings

TOO_BIG = 128 + SIGXFSZ
"""The exit code of a program that wrote more to a file than it may."""


@dataclass(frozen=True)
class Limits:
    """The shim keeps to them; 0 is no limit."""

    memory: int = 0
    """Bytes of resident memory, of all descendants together."""
    processes: int = 0
    """How many descendants there may be at a time."""
    file_size: int = 0
    """Bytes that one file may have."""

    @staticmethod
    def of(settings: LimitsSettings) -> Limits:
        """Take from the settings what the shim can see to."""
        return Limits(settings.memory, settings.processes, settings.file_size)

    def words(self, cause: str) -> str:
        """Say what a program did that was ended for one of them; empty for other causes."""
        return {
            "memory": f"it used more than {readable(self.memory)} of memory and was ended",
            "processes": f"it had more than {self.processes:,} processes at a time and was ended",
            "file_size": f"it wrote more than {readable(self.file_size)} to a file and was ended",
        }.get(cause, "")


def readable(size: float) -> str:
    """Write a number of bytes as a person would."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:,.0f} {unit}"
