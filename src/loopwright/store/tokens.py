"""Token counts <-> the four columns that runs and attempts have for them."""

from __future__ import annotations

from sqlalchemy import RowMapping

from loopwright.records.budget import Usage


def to_columns(usage: Usage) -> dict[str, int]:
    """Spread token counts over their columns."""
    return {f"tokens_{name}": count for name, count in vars(usage).items()}


def to_usage(row: RowMapping) -> Usage:
    """Gather token counts from their columns."""
    return Usage(**{name: row[f"tokens_{name}"] for name in vars(Usage())})
