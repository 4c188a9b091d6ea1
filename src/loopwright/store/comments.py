"""Comments in and out of their table."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from loopwright.records.run import Comment
from loopwright.store.schema import comments


def add(connection: Connection, comment: Comment) -> None:
    """Write a new comment."""
    connection.execute(insert(comments), vars(comment))


def of(connection: Connection, run_id: str) -> list[Comment]:
    """Read a run's comments, the oldest first."""
    chosen = select(comments).where(comments.c.run_id == run_id).order_by(comments.c.at, comments.c.id)
    return [Comment(**row) for row in connection.execute(chosen).mappings()]
