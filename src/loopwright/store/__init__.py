"""Runs and what happened in them -> tables, and back. SQL lives here and nowhere else."""

from loopwright.store.opening import open_store
from loopwright.store.store import Store

__all__ = ["Store", "open_store"]
