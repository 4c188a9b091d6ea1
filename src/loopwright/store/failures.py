"""Failures, classified steps, post-mortems and the patches that they ask for, in and out of their tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update

from loopwright.records.graph import Graph, node
from loopwright.records.identity import timestamp
from loopwright.records.postmortem import Candidate, Happening, PostMortem, Remediation
from loopwright.records.qa_failure import ROUTES, Analysed, Classification, Hypothesis, QAFailure, Wanted
from loopwright.records.run import Status
from loopwright.store import graph as _graph
from loopwright.store.database import OnDatabase
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema import runs
from loopwright.store.schema_failures import (
    analysed,
    classifications,
    graph_edges,
    graph_nodes,
    postmortems,
    qa_failures,
    wanted,
)
from loopwright.store.sessions import upsert

_ENDED = (Status.DONE, Status.ESCALATED, Status.FAILED)
_ROW = tuple(spec.name for spec in dataclasses.fields(QAFailure))
_MOST_BEHIND = 50


class Failures(OnDatabase):
    """The part of the store that failure analysis reads and writes."""

    @patient
    def save(self, found: Analysed, links: Graph, per_patch: int) -> Sequence[str]:
        """Write what was found in a run in the place of what was there; give the roots that now ask for a patch."""
        with self._database.write() as connection:
            lock(connection, wanted)
            patches = _clear(connection, found.run_id)
            row = {"run_id": found.run_id, "ended_at": found.ended_at, "spent_usd": found.spent_usd}
            upsert(connection, analysed, [row])
            upsert(connection, qa_failures, [_row(one, patches.get(one.id, "")) for one in found.failures])
            upsert(connection, classifications, [vars(step) for step in found.steps])
            _graph.write(connection, links)
            roots = dict.fromkeys(one.root for one in found.failures if one.cause != "novel")
            return [root for root in roots if _ask(connection, root, per_patch)]

    @patient
    def analysed(self, run_id: str) -> Analysed | None:
        """Give what was found in a run; None where nobody has looked."""
        with self._database.read() as connection:
            mark = connection.execute(select(analysed).where(analysed.c.run_id == run_id)).mappings().first()
            if mark is None:
                return None
            steps = select(classifications).where(classifications.c.run_id == run_id).order_by(classifications.c.number)
            return Analysed(
                **mark,
                failures=_of(connection, qa_failures.c.run_id == run_id),
                steps=[Classification(**row) for row in connection.execute(steps).mappings()],
            )

    @patient
    def ended(self) -> Sequence[str]:
        """Name the runs of ours that have ended, looked at or not, the oldest first."""
        chosen = select(runs.c.id).where(runs.c.source == "", runs.c.status.in_(_ENDED)).order_by(runs.c.id)
        with self._database.read() as connection:
            return list(connection.execute(chosen).scalars())

    @patient
    def named(self, text: str) -> Sequence[QAFailure]:
        """Give the failures whose id begins with what a person typed."""
        with self._database.read() as connection:
            return _of(connection, qa_failures.c.id.startswith(text, autoescape=True))

    @patient
    def by_root(self, root: str) -> Sequence[QAFailure]:
        """Give all failures of one root cause, the oldest first."""
        with self._database.read() as connection:
            return _of(connection, qa_failures.c.root == root)

    @patient
    def seen(self, but: str) -> Mapping[str, int]:
        """Say in how many runs, without one, each root was the likely cause."""
        counted = select(qa_failures.c.root, func.count(qa_failures.c.run_id.distinct()))
        chosen = counted.where(qa_failures.c.run_id != but).group_by(qa_failures.c.root)
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(chosen)}

    @patient
    def wanted(self, *, answered: bool = False) -> Sequence[Wanted]:
        """Give the patches that are asked for, the oldest first: those that nobody has answered, or all."""
        chosen = select(wanted).order_by(wanted.c.at, wanted.c.root)
        with self._database.read() as connection:
            rows = connection.execute(chosen if answered else chosen.where(wanted.c.patch == "")).mappings()
            return [_wanted(row) for row in rows]

    @patient
    def answer(self, root: str, patch: str) -> None:
        """Note which patch answers a root cause, there and at the failures behind it."""
        with self._database.write() as connection:
            connection.execute(update(wanted).where(wanted.c.root == root).values(patch=patch))
            connection.execute(update(qa_failures).where(qa_failures.c.root == root).values(patch=patch))

    @patient
    def postmortem(self, run_id: str) -> PostMortem | None:
        """Give what was written of a run; None where nothing was."""
        with self._database.read() as connection:
            chosen = select(postmortems.c.written).where(postmortems.c.run_id == run_id)
            found = connection.execute(chosen).scalar_one_or_none()
            return _postmortem(found) if found else None

    @patient
    def save_postmortem(self, written: PostMortem, links: Graph) -> None:
        """Write it over what was written of the run before, with its links."""
        row = {name: getattr(written, name) for name in ("run_id", "ended_at", "at", "failure_class")}
        with self._database.write() as connection:
            own = graph_edges.c.source == node("failure", written.run_id).id
            connection.execute(delete(graph_edges).where(own))
            upsert(connection, postmortems, [row | {"written": dataclasses.asdict(written)}])
            _graph.write(connection, links)


def _clear(connection: Connection, run_id: str) -> dict[str, str]:
    """Remove what was found in a run before; give the patches that its failures had. Its post-mortem stays."""
    old = _of(connection, qa_failures.c.run_id == run_id)
    mine = (graph_edges.c.run_id == run_id, graph_edges.c.source != node("failure", run_id).id)
    connection.execute(delete(graph_edges).where(*mine))
    names = [node("failure", one.id).id for one in old]
    connection.execute(delete(graph_nodes).where(graph_nodes.c.id.in_(names)))
    connection.execute(delete(qa_failures).where(qa_failures.c.run_id == run_id))
    connection.execute(delete(classifications).where(classifications.c.run_id == run_id))
    return {one.id: one.patch for one in old}


def _ask(connection: Connection, root: str, per_patch: int) -> bool:
    """Ask for a patch where enough runs failed for one root, once; say whether it is asked for now."""
    if connection.execute(select(wanted.c.root).where(wanted.c.root == root)).first():
        return False
    behind = {one.run_id: one for one in _of(connection, qa_failures.c.root == root) if not one.trial}
    if len(behind) < per_patch:
        return False
    newest = sorted(behind.values(), key=lambda one: (one.at, one.id), reverse=True)[:_MOST_BEHIND]
    row = {"root": root, "cause": newest[0].cause, "target": newest[0].target, "at": timestamp(), "patch": ""}
    some = {"failures": [one.id for one in newest], "runs": [one.run_id for one in newest]}
    connection.execute(insert(wanted), row | some)
    return True


def _of(connection: Connection, its: Any) -> list[QAFailure]:
    chosen = select(qa_failures).where(its).order_by(qa_failures.c.at, qa_failures.c.id)
    return [_failure(row) for row in connection.execute(chosen).mappings()]


def _row(failure: QAFailure, patch: str) -> dict[str, Any]:
    row = {name: getattr(failure, name) for name in (*_ROW, "cause", "root")}
    told = [dataclasses.asdict(one) for one in failure.hypotheses]
    kept = {"hypotheses": told, "iterations": list(failure.iterations), "patch": failure.patch or patch}
    return row | kept | {"certainty": failure.likely.certainty}


def _failure(row: RowMapping) -> QAFailure:
    told = tuple(Hypothesis(**one) for one in row["hypotheses"])
    return QAFailure(
        **{name: row[name] for name in _ROW} | {"hypotheses": told, "iterations": tuple(row["iterations"])}
    )


def _wanted(row: RowMapping) -> Wanted:
    return Wanted(**row, route=ROUTES[row["cause"]])


def _postmortem(data: Mapping[str, Any]) -> PostMortem:
    return PostMortem(
        **{
            **data,
            "timeline": [Happening(**one) for one in data["timeline"]],
            "candidates": [
                Candidate(**{**one, "hypothesis": Hypothesis(**one["hypothesis"])}) for one in data["candidates"]
            ],
            "remediations": [Remediation(**one) for one in data["remediations"]],
        }
    )
