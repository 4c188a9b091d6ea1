"""Runs that are written down -> their ends, some at a time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from loopwright.cli.board import Board
from loopwright.cli.output import print_json, print_summary
from loopwright.cli.terminal import Terminal
from loopwright.cycle.running import Cycle
from loopwright.errors import BusyError, LoopwrightError, SetupError, UsageError
from loopwright.records.identity import short
from loopwright.records.run import Result, Run, Status

End = Result | LoopwrightError | None
"""What became of a run; None when it was not begun."""


def work_through(cycle: Cycle, runs: Sequence[Run], parallel: int, board: Board, cancel: threading.Event) -> list[End]:
    """Take runs up in their order, so many at a time; one that fails does not stop the others."""

    def work(run: Run) -> End:
        if cancel.is_set():
            return None
        try:
            return _seen_to(cycle, run) or cycle.resume(run.id)
        except BusyError as error:
            board.say(f"note: {error.message}")
            return error
        except (LoopwrightError, OSError) as error:
            if isinstance(error, UsageError) and (others := _seen_to(cycle, run)):
                board.say(f"note: {others.message}")
                return others
            board.say(f"error: {error}")
            return error if isinstance(error, LoopwrightError) else SetupError(str(error))

    board.expect(runs)
    pool = ThreadPoolExecutor(parallel)
    try:
        return list(pool.map(work, runs))
    finally:
        pool.shutdown(wait=not cancel.is_set(), cancel_futures=True)


def _seen_to(cycle: Cycle, run: Run) -> BusyError | None:
    """Say that a run has ended since it was listed, where it has: another process was faster."""
    ended = cycle.store.run(run.id).status not in (Status.QUEUED, Status.CANCELLED, Status.RUNNING)
    return BusyError(f"run `{short(run.id)}` was seen to by another process meanwhile") if ended else None


def report(runs: Sequence[Run], ends: Sequence[End], as_json: bool, terminal: Terminal) -> int:
    """Sum several runs up; give the highest of their exit codes."""
    ended = [(run, end) for run, end in zip(runs, ends, strict=True) if isinstance(end, Result)]
    if as_json:
        print_json([end.to_dict() for _, end in ended])
    elif ended:
        print_summary([end for _, end in ended], [run.task.goal for run, _ in ended])
    if not_begun := sum(end is None for end in ends):
        terminal.say(f"{not_begun} not begun; go on with all that was interrupted: loopwright resume --all")
    return max(map(_exit_code, ends), default=0)


def _exit_code(end: End) -> int:
    if isinstance(end, BusyError):
        return 0  # somebody else sees to it
    return 130 if end is None else end.exit_code
