"""The second Ctrl-C -> the end of this process, of all that it has started, and of nothing else."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import AbstractContextManager

import click

from loopwright.interrupt import cancel_on_signals

_WORKING = ("run", "resume", "batch")
_SHOW_CURSOR = "\x1b[?25h"


def cancelling() -> AbstractContextManager[threading.Event]:
    """Give an event that the first signal sets; after the second this process is gone within seconds."""
    return cancel_on_signals(leave)


def leave() -> None:
    """End at once: not even the threads of other runs are waited for. What they started ends with us."""
    from loopwright.process.child import hurry_all

    hurry_all()
    shown = _SHOW_CURSOR if sys.stderr.isatty() else ""
    hint = "; go on with what was at work: loopwright resume --all" if sys.argv[1:2] and sys.argv[1] in _WORKING else ""
    click.echo(f"{shown}interrupted{hint}", err=True)
    sys.stdout.flush()
    os._exit(130)
