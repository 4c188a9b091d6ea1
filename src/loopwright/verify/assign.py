"""A unit of work -> its arm: always the same one, and independent of all other experiments."""

from __future__ import annotations

import hashlib


def bucket(experiment: str, unit: str, salt: str = "v1") -> float:
    """Give a number from 0 to 1 that is spread evenly over units."""
    digest = hashlib.sha256(f"{salt}\x1f{experiment}\x1f{unit}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
