"""A command that was run, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.records.tally import Tally


@dataclass(frozen=True)
class CommandResult:
    """What a command left: its exit code and a bounded part of what it printed."""

    exit_code: int | None
    """None when it could not be started, or was ended by us."""
    output: str
    """stdout and stderr together: head and tail where it was too much."""
    output_hash: str
    """sha256 over all of it, also of what was cut."""
    duration_s: float
    timed_out: bool = False
    missing: bool = False
    """There is no such program."""
    over_limit: str = ""
    """What it used too much of, in words, when it was ended for that."""
    tally: Tally | None = None
    """What became of its tests, where that is known."""
    owes_report: bool = False
    """It is a test run that was made to report: where there is no tally, it broke off or lied."""
    shortfall: str = ""
    """What is missing of the tests that there were at the base; empty where nothing is."""
    foreign: str = ""
    """What of the user's own checkout it would import, or did: the wrong code was looked at."""
