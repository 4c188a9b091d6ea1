"""What the bandit has chosen and what came of it, in and out of their tables."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, select, update

from loopwright.records.choice import Choice, Counts, Table
from loopwright.store.database import OnDatabase
from loopwright.store.inserting import insert_once
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema_verified import choices, standings
from loopwright.store.sessions import upsert

Count = Callable[[Table, Choice, float, Choice | None], Table]
"""Counts, a choice that came out, its cost, the newest one of its arm before -> counts."""


class Choices(OnDatabase):
    """The part of the store that live choices are read from and written to."""

    @patient
    def counts(self) -> Table:
        """Give what is known of each arm in each task type."""
        with self._database.read() as connection:
            return _counts(connection)

    @patient
    def add(self, choice: Choice) -> None:
        """Write a choice down, with how probable each arm was."""
        with self._database.write() as connection:
            insert_once(connection, choices, vars(choice))

    @patient
    def deliver(self, choice_id: str, passed: bool, cost_usd: float, model: str, count: Count) -> None:
        """Count what came of a choice, once."""
        with self._database.write() as connection:
            lock(connection, standings)
            known = _counts(connection)
            fresh = (choices.c.id == choice_id, choices.c.passed.is_(None))
            newest = _newest(connection, choice_id)
            if connection.execute(update(choices).where(*fresh).values(passed=passed, model=model)).rowcount != 1:
                return
            row = connection.execute(select(choices).where(choices.c.id == choice_id)).mappings().one()
            after = count(known, Choice(**row), cost_usd, newest)
            rows = [{"task_type": kind, "arm": arm, **vars(counts)} for (kind, arm), counts in after.items()]
            upsert(connection, standings, rows)


def _newest(connection: Connection, choice_id: str) -> Choice | None:
    """Give the newest choice of the same arm whose model is known."""
    arm = select(choices.c.arm).where(choices.c.id == choice_id).scalar_subquery()
    its = (choices.c.arm == arm, choices.c.id != choice_id, choices.c.passed.is_not(None), choices.c.model != "")
    chosen = select(choices).where(*its).order_by(choices.c.at.desc(), choices.c.id.desc()).limit(1)
    row = connection.execute(chosen).mappings().first()
    return Choice(**row) if row else None


def _counts(connection: Connection) -> Table:
    rows = connection.execute(select(standings)).mappings()
    return {(row["task_type"], row["arm"]): Counts(row["passes"], row["failures"], row["cost"]) for row in rows}
