"""Runs that were left behind by a process that died -> a line that says so."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.cli.terminal import Terminal
from loopwright.cycle.running import Cycle
from loopwright.records.identity import short
from loopwright.records.run import Run

_NAMED = 5


def tell_left_behind(cycle: Cycle, terminal: Terminal) -> None:
    """Say which runs died at work or were never begun, and how to go on with them."""
    died, queued = cycle.left_behind()
    words = [f"{_count(died)} cut short when {'its' if len(died) == 1 else 'their'} process ended"] if died else []
    words += [f"{_count(queued)} never begun"] if queued else []
    if words:
        named = ", ".join(short(run.id) for run in (*died, *queued)[:_NAMED])
        more = ", …" if len(died) + len(queued) > _NAMED else ""
        terminal.say(f"note: {' and '.join(words)} ({named}{more}); go on with: loopwright resume --all")


def _count(runs: Sequence[Run]) -> str:
    return "1 run was" if len(runs) == 1 else f"{len(runs)} runs were"
