"""Runs that are written down -> their ends, some at a time, and what was left behind by others before us."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from loopwright.cli.output import print_json, print_summary
from loopwright.cli.terminal import Terminal
from loopwright.cycle import Cycle
from loopwright.errors import LoopwrightError, SetupError
from loopwright.records.identity import short
from loopwright.records.run import Result, Run

End = Result | LoopwrightError | None
"""What became of a run; None when it was not begun."""
_NAMED = 5


def work_through(
    cycle: Cycle, runs: Sequence[Run], parallel: int, terminal: Terminal, cancel: threading.Event
) -> list[End]:
    """Take runs up in their order, so many at a time; one that fails does not stop the others."""

    def work(run: Run) -> End:
        if cancel.is_set():
            return None
        try:
            return cycle.resume(run.id)
        except (LoopwrightError, OSError) as error:
            terminal.say(f"error: {error}")
            return error if isinstance(error, LoopwrightError) else SetupError(str(error))

    pool = ThreadPoolExecutor(parallel)
    try:
        return list(pool.map(work, runs))
    finally:
        pool.shutdown(wait=not cancel.is_set(), cancel_futures=True)


def report(runs: Sequence[Run], ends: Sequence[End], as_json: bool, terminal: Terminal) -> int:
    """Sum several runs up; give the highest of their exit codes."""
    ended = [(run, end) for run, end in zip(runs, ends, strict=True) if isinstance(end, Result)]
    if as_json:
        print_json([end.to_dict() for _, end in ended])
    elif ended:
        print_summary([end for _, end in ended], [run.task.goal for run, _ in ended])
    if not_begun := sum(end is None for end in ends):
        terminal.say(f"{not_begun} not begun; go on with all that was interrupted: loopwright resume --all")
    return max((130 if end is None else end.exit_code for end in ends), default=0)


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
