"""Releases that are looked on at, in and out of their table."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import case, func, insert, or_, select, update

from loopwright.records.run import SHOW_NOTHING, Status
from loopwright.records.version import Release
from loopwright.records.watched import Came, Watched
from loopwright.store.database import OnDatabase
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema import runs
from loopwright.store.schema_measured import outcomes
from loopwright.store.schema_released import releases
from loopwright.store.schema_verified import concluded, trials, watched_runs, watches
from loopwright.store.sessions import upsert

_MOST = 1000
"""So many runs before a release make its baseline; older ones tell of other times."""
_ENDED = (Status.DONE.value, Status.ESCALATED.value, Status.FAILED.value)


class Watches(OnDatabase):
    """The part of the store that a watch reads and writes."""

    @patient
    def between(self, task_type: str, begin: str, end: str) -> Came:
        """Count the newest runs of a task type of a time: ours, no trials, with an end that shows something."""
        then = (outcomes.c.started_at >= begin, outcomes.c.started_at < end)
        its = (outcomes.c.task_type == task_type, outcomes.c.source == "", *then)
        shows = or_(runs.c.reason.is_(None), runs.c.reason.not_in(SHOW_NOTHING))
        tried = select(trials.c.id).where(trials.c.run_id == outcomes.c.run_id).exists()
        ended = (outcomes.c.status.in_(_ENDED), outcomes.c.passed.is_not(None), shows, ~tried)
        chosen = select(outcomes.c.passed, outcomes.c.cost_usd).join_from(outcomes, runs).where(*its, *ended)
        newest = chosen.order_by(outcomes.c.started_at.desc()).limit(_MOST).subquery()
        passes = func.coalesce(func.sum(case((newest.c.passed, 1), else_=0)), 0)
        counted = select(passes, func.count(), func.coalesce(func.sum(newest.c.cost_usd), 0.0))
        with self._database.read() as connection:
            row = connection.execute(counted.select_from(newest)).one()
            return Came(int(row[0]), int(row[1]), float(row[2]))

    @patient
    def unconcluded(self, since: str) -> list[str]:
        """Give our runs that began at a moment or later, have ended, and nobody has learned from."""
        told = select(concluded.c.run_id).where(concluded.c.run_id == outcomes.c.run_id).exists()
        its = (outcomes.c.started_at >= since, outcomes.c.source == "", outcomes.c.status.in_(_ENDED), ~told)
        with self._database.read() as connection:
            return list(connection.execute(select(outcomes.c.run_id).where(*its).order_by(outcomes.c.run_id)).scalars())

    @patient
    def conclude(self, run_id: str) -> None:
        """Write that all who learn from a run have done so."""
        with self._database.write() as connection:
            upsert(connection, concluded, [{"run_id": run_id}])

    @patient
    def begun(self, release_id: str) -> Watched | None:
        """Give what is known of a release; None where nobody has looked yet."""
        with self._database.read() as connection:
            row = connection.execute(select(watches).where(watches.c.release_id == release_id)).mappings().first()
            return Watched(**row) if row else None

    @patient
    def see(self, start: Watched, run_id: str, see: Callable[[Watched], Watched]) -> Watched:
        """Take a run in that uses a release, once; give what is known then. `start` counts where nothing is known."""
        release_id = start.release_id
        with self._database.write() as connection:
            lock(connection, watches)
            its = watches.c.release_id == release_id
            row = connection.execute(select(watches).where(its)).mappings().first()
            before = Watched(**row) if row else start
            if row is None:
                connection.execute(insert(watches), vars(before))
            known = (watched_runs.c.release_id == release_id, watched_runs.c.run_id == run_id)
            if connection.execute(select(watched_runs).where(*known)).first():
                return before
            connection.execute(insert(watched_runs), {"release_id": release_id, "run_id": run_id})
            after = see(before)
            connection.execute(update(watches).where(its).values(vars(after)))
            return after

    @patient
    def all(self, limit: int) -> list[tuple[Release, Watched | None]]:
        """Give the newest releases, with what is known of them."""
        chosen = select(releases).order_by(releases.c.at.desc(), releases.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            found = [Release(**row) for row in connection.execute(chosen).mappings()]
            wanted = watches.c.release_id.in_([release.id for release in found])
            rows = connection.execute(select(watches).where(wanted)).mappings()
            known = {row["release_id"]: Watched(**row) for row in rows}
        return [(release, known.get(release.id)) for release in found]
