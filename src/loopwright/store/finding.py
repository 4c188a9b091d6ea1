"""What a person calls a run -> its id."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, or_, select

from loopwright.errors import UnknownName, UsageError
from loopwright.records.identity import SHORT, short
from loopwright.store.schema import runs

MIN_PART = 4
"""The fewest characters that stand for an id."""
_SHOWN = 10


def find(connection: Connection, name: str) -> str:
    """Find a run by its id, by the beginning or the end of it or of what is shown of it, or by the word `last`."""
    wanted = name.strip().lower()
    if wanted == "last":
        matches = _newest(connection, 1)
        if not matches:
            raise UsageError("there is no run yet", 'start one: loopwright run "Fix the login" --test "pytest -q"')
    else:
        matches = _ids(connection, runs.c.id == wanted) or _partly(connection, wanted)
    if not matches:
        known = [short(run_id) for run_id in _newest(connection, 100)]
        raise UnknownName("run", name, known, "`loopwright runs` lists them" if known else "")
    if len(matches) > 1:
        raise UsageError(f"`{name}` is {_count(matches)} runs", "say more of the id:\n" + _listed(connection, matches))
    return matches[0]


def _partly(connection: Connection, part: str) -> list[str]:
    if len(part) < MIN_PART:
        return []
    begins, ends = runs.c.id.startswith(part, autoescape=True), runs.c.id.endswith(part, autoescape=True)
    begins_short = (
        runs.c.id.like(f"%{part}{'_' * (SHORT - len(part))}") if part.isalnum() and len(part) < SHORT else ends
    )
    return _ids(connection, or_(begins, ends, begins_short))


def _ids(connection: Connection, condition: ColumnElement[bool]) -> list[str]:
    chosen = select(runs.c.id).where(condition).order_by(runs.c.id.desc()).limit(_SHOWN + 1)
    return list(connection.execute(chosen).scalars())


def _newest(connection: Connection, limit: int) -> list[str]:
    chosen = select(runs.c.id).order_by(runs.c.started_at.desc(), runs.c.id.desc()).limit(limit)
    return list(connection.execute(chosen).scalars())


def _count(matches: list[str]) -> str:
    return str(len(matches)) if len(matches) <= _SHOWN else f"more than {_SHOWN}"


def _listed(connection: Connection, matches: list[str]) -> str:
    chosen = select(runs.c.id, runs.c.goal).where(runs.c.id.in_(matches[:_SHOWN])).order_by(runs.c.id.desc())
    return "\n".join(f"  {run_id}  {goal}" for run_id, goal in connection.execute(chosen))
