"""A run as it goes along, on stderr: lines that stay, and one that tells what happens right now."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.markup import escape
from rich.status import Status as Spinner

from loopwright.cli.judged import critic_line
from loopwright.cli.output import check_line, console, first_line, telling
from loopwright.process.sandbox import obstacle
from loopwright.records.check import Check, Verdict
from loopwright.records.environment import around
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import short
from loopwright.records.profile import Profile
from loopwright.records.run import Result, Run, because
from loopwright.records.signal import Signal
from loopwright.run.confinement import is_wanted
from loopwright.run.git import Repository
from loopwright.settings import FILE
from loopwright.text.readable import readable

NEWS = {EventKind.MESSAGE, EventKind.TOOL_CALL, EventKind.RETRY, EventKind.DENIAL, EventKind.ERROR}
_EVIDENCE_LINES = 4
_SIGNAL_WIDTH = 200


class Terminal:
    """A watcher for people. Where nobody sits at a terminal, only the lines that stay are printed."""

    def __init__(self, repository: Repository, *, several: bool = False) -> None:
        self._repository, self._several = repository, several
        self._console = console(stderr=True)
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._phase = ""
        self._denied: set[tuple[str, object]] = set()
        self._spinner: Spinner | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._several:
            self._spinner = self._console.status("")
            self._spinner.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._spinner is not None:
            self._spinner.stop()

    def say(self, text: str) -> None:
        with self._lock:
            self._console.print(text, markup=False)

    def started(self, run: Run) -> None:
        agent = _named(run.profile)
        self._line(run, f"[bold]run {short(run.id)}[/bold]  {escape(first_line(run.task.goal))}")
        confined = is_wanted(run.task, run.profile.agent) and not obstacle()
        self._line(run, f"  {run.task.task_type} · agent {escape(agent)}, {around(confined)} · base {run.base[:12]}")
        others = [(role, part) for role in run.profile.roles if _named(part := run.profile.part(role)) != agent]
        for role, part in others:
            self._line(run, f"  {role} {escape(_named(part))}")
        left = self._repository.uncommitted(but=FILE)  # which is read as it lies there
        if left and run.task.base == "HEAD":
            words = "1 uncommitted change is" if left == 1 else f"{left} uncommitted changes are"
            self._line(run, f"  [yellow]{words} not part of it[/yellow]")

    def phase(self, run: Run, text: str) -> None:
        self._phase = text
        if text.startswith(
            ("iteration", "planning", "review", "preflight", "forecast", "paused", "there is", "release")
        ):
            self._line(run, f"[cyan]▸[/cyan] {escape(text)}  [dim]{self._elapsed()} · ${run.spent.cost_usd:.2f}[/dim]")
        self._update(text)

    def event(self, run: Run, event: Event) -> None:
        if event.kind is EventKind.NOTE and event.is_error:
            for line in telling(event.text, _EVIDENCE_LINES):
                self._line(run, f"  [yellow]note: {escape(line)}[/yellow]")
        if event.kind is EventKind.VERDICT and event.data.get("critic"):
            self._line(run, f"  {escape(critic_line(event.text))}")
        host = event.data.get("host") if event.kind is EventKind.DENIAL else None
        if host and (run.id, host) not in self._denied:
            self._denied.add((run.id, host))
            self._line(run, f"  [yellow]⚠ the sandbox: {escape(readable(event.text))}[/yellow]")
        if event.kind in NEWS and self._spinner is not None:
            what = first_line(event.command or event.path or event.text)
            self._update(f"{self._phase}: {f'{event.tool} ' if event.tool else ''}{what}")

    def signal(self, run: Run, signal: Signal) -> None:
        words = escape(first_line(" ".join(signal.description.split()), _SIGNAL_WIDTH))
        self._line(run, f"  [yellow]◆ {signal.type}: {words}[/yellow]")

    def checked(self, run: Run, checks: Sequence[Check]) -> None:
        for check in checks:
            with self._lock:
                self._console.print(*([f"[dim]{short(run.id)}[/dim]"] if self._several else []), check_line(check))
            if check.verdict is not Verdict.PASS and check.iteration and not self._several:
                for line in telling(check.evidence, _EVIDENCE_LINES):
                    self._line(run, f"      [dim]{escape(line)}[/dim]")

        for item in dict.fromkeys(item for check in checks for item in check.proof.tampering):
            words = f"{item.told}: it is protected{'' if item.installed else ', and judged as it was at the base'}"
            self._line(run, f"  [bold red]⚠[/bold red] {escape(readable(words))}")
        for path in dict.fromkeys(path for check in checks for path in check.proof.left_out):
            self._line(run, f"  [yellow]left out: {escape(readable(path))}, which would steer the test runner[/yellow]")

    def ended(self, run: Run, result: Result) -> None:
        if self._several:
            self._line(run, f"{result.status}{because(result.status, result.reason)}")

    def _line(self, run: Run, markup: str) -> None:
        prefix = f"[dim]{short(run.id)}[/dim] " if self._several else ""
        with self._lock:
            self._console.print(f"{prefix}{markup}")

    def _update(self, text: str) -> None:
        if self._spinner is not None:
            room = max(20, self._console.width - 16)
            self._spinner.update(f"[dim]{self._elapsed()}[/dim] {escape(text[:room])}")

    def _elapsed(self) -> str:
        seconds = int(time.monotonic() - self._began)
        return f"{seconds // 60}:{seconds % 60:02d}"


def _named(profile: Profile) -> str:
    return f"{profile.agent}{f' ({profile.model})' if profile.model else ''}"
