"""A human's words on runs, comments and acceptances, in and out of their tables."""

from __future__ import annotations

from sqlalchemy import Connection, select

from loopwright.records.run import Acceptance, Comment
from loopwright.store.inserting import insert_once
from loopwright.store.schema import acceptances, comments


def add(connection: Connection, comment: Comment) -> None:
    """Write a new comment."""
    insert_once(connection, comments, vars(comment))


def of(connection: Connection, run_id: str) -> list[Comment]:
    """Read a run's comments, the oldest first."""
    chosen = select(comments).where(comments.c.run_id == run_id).order_by(comments.c.at, comments.c.id)
    return [Comment(**row) for row in connection.execute(chosen).mappings()]


def accept(connection: Connection, acceptance: Acceptance) -> None:
    """Write a new acceptance."""
    insert_once(connection, acceptances, vars(acceptance))


def accepted(connection: Connection, run_id: str) -> list[Acceptance]:
    """Read what was accepted in a run, the oldest first."""
    chosen = select(acceptances).where(acceptances.c.run_id == run_id).order_by(acceptances.c.at, acceptances.c.id)
    return [Acceptance(**row) for row in connection.execute(chosen).mappings()]
