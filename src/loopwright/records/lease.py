"""Who may work on a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lease:
    """The right to work on a run. Who takes it over gets a higher token, and writes with a lower one are refused."""

    run_id: str
    token: int
    holder: str = ""
    """The process that works, as process/identity.py writes it; empty when nobody does."""
    beat: int = 0
    """Goes up for as long as the holder is alive: who watches it needs no clock but its own."""
    renewed_at: str = ""
    """For people to read; nothing is decided by it, since clocks jump."""
