"""How far a scan is, on stderr and only at a terminal."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn


class Progressing:
    """A bar of the bytes that were read, which is gone when all were."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        columns = (TextColumn("reading sessions"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._bar.add_task("", total=None)
        self._is_shown = False

    def __enter__(self) -> Progressing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._bar.stop()

    def told(self, done: int, of: int) -> None:
        """Hear how many bytes of how many were read; with nothing to read, nothing is shown."""
        self._bar.update(self._task, completed=done, total=of)
        if of and not self._is_shown:
            self._bar.start()
            self._is_shown = True
