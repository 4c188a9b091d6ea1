"""Leases in and out of their table. Each change is a comparison and a swap: of two who try, one succeeds."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, insert, inspect, select, update

from loopwright.errors import LeaseLost, UnknownName
from loopwright.records.identity import short, timestamp
from loopwright.records.lease import Lease
from loopwright.store.schema import leases


def add(connection: Connection, run_id: str, holder: str) -> Lease:
    """Write the lease of a new run."""
    lease = Lease(run_id, 1, holder, 1, timestamp())
    connection.execute(insert(leases), vars(lease))
    return lease


def get(connection: Connection, run_id: str) -> Lease:
    """Read a run's lease."""
    row = connection.execute(select(leases).where(leases.c.run_id == run_id)).mappings().first()
    if row is None:
        raise UnknownName("run", run_id, (), "`loopwright runs` lists them")
    return Lease(**row)


def processes(connection: Connection) -> list[str]:
    """Name the processes that hold runs; none in a store of before there were leases."""
    if not inspect(connection).has_table(leases.name):
        return []
    holders = connection.execute(select(leases.c.holder).where(leases.c.holder != "")).scalars()
    return [Lease("", 0, holder).process for holder in holders]


def take(connection: Connection, seen: Lease, holder: str) -> Lease | None:
    """Give the run to a new holder; None when something has changed since the lease was seen."""
    taken = Lease(seen.run_id, seen.token + 1, holder, seen.beat + 1, timestamp())
    same = (leases.c.run_id == seen.run_id, leases.c.token == seen.token, leases.c.beat == seen.beat)
    if connection.execute(update(leases).where(*same), vars(taken)).rowcount:
        return taken
    now = get(connection, seen.run_id)
    # A holder's name is used once: it was written by us, and the answer was lost on its way.
    return now if (now.token, now.holder) == (taken.token, taken.holder) else None


def renew(connection: Connection, lease: Lease) -> bool:
    """Show that the holder is alive; False when it holds the run no more."""
    beat = {"beat": leases.c.beat + 1, "renewed_at": timestamp()}
    return connection.execute(update(leases).where(*_held(lease)).values(beat)).rowcount == 1


def release(connection: Connection, lease: Lease) -> None:
    """Leave the run to whoever wants it."""
    connection.execute(update(leases).where(*_held(lease)).values(holder="", renewed_at=timestamp()))


def check(connection: Connection, lease: Lease) -> None:
    """Refuse to go on in this transaction unless the lease is the newest; nobody can take it until the end of it."""
    chosen = select(leases.c.token, leases.c.holder).where(leases.c.run_id == lease.run_id)
    now = connection.execute(chosen.with_for_update(read=True)).first()
    if now is None or now.token != lease.token:
        by = f" by process {now.holder.partition(':')[0]}" if now and now.holder else ""
        said = f"run `{short(lease.run_id)}` was taken over{by}: what this process wrote since was refused"
        raise LeaseLost(said, f"loopwright show {short(lease.run_id)}")


def _held(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    return (leases.c.run_id == lease.run_id, leases.c.token == lease.token)
