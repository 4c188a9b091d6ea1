"""Who may work on a run."""

from __future__ import annotations

from dataclasses import dataclass

QUEUED = "queued"


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

    @property
    def process(self) -> str:
        """The name of the holder's process, without what makes the holder's own name unique."""
        return self.holder.partition(" ")[0]

    @property
    def is_queued(self) -> bool:
        """Whether the holder only means to work on it later on."""
        return self.holder.endswith(f" {QUEUED}")
