"""What other programs send, in and out of its tables: spans, the sessions that they make, and evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from loopwright.records.evaluation import Evaluation
from loopwright.records.session import Observation
from loopwright.records.span import Placed, StoredSpan
from loopwright.store import evaluations as _evaluations
from loopwright.store import outcomes as _outcomes
from loopwright.store import sessions as _sessions
from loopwright.store.batches import batches
from loopwright.store.database import OnDatabase, Taken
from loopwright.store.patience import patient
from loopwright.store.schema import (
    attempts,
    daily_usage,
    events,
    leases,
    rollups,
    runs,
    session_marks,
    session_news,
    session_portions,
    sessions,
    steps,
)
from loopwright.store.schema_measured import FOUND, judged
from loopwright.store.schema_sent import spans

_COMPARED = (session_marks, session_news, session_portions)
_SESSION = (events, rollups, daily_usage, *_COMPARED, sessions, leases, attempts, steps)
_TIE = ("trace_id", "span_id", "parent_id", "conversation", "kind", "began", "session_id", "post")
_THIS = (spans.c.trace_id == bindparam("its_trace"), spans.c.span_id == bindparam("its_span"))


class Sent(OnDatabase):
    """The part of the store that is for what other programs send."""

    @patient
    def add_spans(self, batch: Sequence[StoredSpan]) -> None:
        """Write spans, over what was there of them."""
        with self._database.write() as connection:
            rows = [vars(span) | {"session_id": "", "settled": False} for span in batch]
            _sessions.upsert(connection, spans, rows, keep=("session_id",))

    @patient
    def unsettled_traces(self, limit: int) -> Sequence[str]:
        """Give traces of which spans have come since their sessions were made."""
        with self._database.read() as connection:
            chosen = select(spans.c.trace_id).where(spans.c.settled.is_(False)).distinct().limit(limit)
            return list(connection.execute(chosen).scalars())

    @patient
    def places(self, traces: Sequence[str]) -> Sequence[Placed]:
        """Give what decides on the sessions of all spans of traces, and which they are in."""
        found: list[Placed] = []
        with self._database.read() as connection:
            for part in batches(traces):
                chosen = select(*(spans.c[name] for name in _TIE)).where(spans.c.trace_id.in_(part))
                found += [Placed(*row) for row in connection.execute(chosen)]
        return found

    @patient
    def place(self, placed: Sequence[tuple[Placed, str]]) -> None:
        """Write to which sessions spans belong."""
        moved = [row for row in placed if row[0].session_id != row[1]]
        rows = [{"its_trace": one.trace_id, "its_span": one.span_id, "its_session": name} for one, name in moved]
        if rows:
            with self._database.write() as connection:
                connection.execute(update(spans).where(*_THIS).values(session_id=bindparam("its_session")), rows)

    @patient
    def settle(self, placed: Sequence[Placed]) -> None:
        """Note that the sessions of spans have been made, unless a span has come again since."""
        rows = [{"its_trace": one.trace_id, "its_span": one.span_id, "its_post": one.post} for one in placed]
        if rows:
            with self._database.write() as connection:
                same = (*_THIS, spans.c.post == bindparam("its_post"))
                connection.execute(update(spans).where(*same).values(settled=True), rows)

    @patient
    def session_spans(self, session_id: str) -> Sequence[dict[str, Any]]:
        """Give the spans of a session as plain data, in the order of their times."""
        with self._database.read() as connection:
            chosen = select(spans.c.data).where(spans.c.session_id == session_id)
            return list(connection.execute(chosen.order_by(spans.c.began, spans.c.span_id)).scalars())

    @patient
    def count_spans(self, session_id: str) -> int:
        """Give how many spans a session has."""
        with self._database.read() as connection:
            chosen = select(func.count()).select_from(spans).where(spans.c.session_id == session_id)
            return int(connection.execute(chosen).scalar_one())

    @patient
    def run_of(self, format_name: str, session_id: str) -> str | None:
        """Give the run that a session is; None where it is none yet."""
        with self._database.read() as connection:
            its = (sessions.c.format == format_name, sessions.c.session_id == session_id)
            return connection.execute(select(sessions.c.run_id).where(*its)).scalar_one_or_none()

    @patient
    def rename_session(self, run_id: str, session_id: str) -> None:
        """Give a session another name."""
        with self._database.write() as connection:
            connection.execute(update(sessions).where(sessions.c.run_id == run_id).values(session_id=session_id))

    @patient
    def remove_session(self, run_id: str) -> None:
        """Remove a session of which nothing is left; one that was scanned, or that somebody spoke of, stays."""
        with suppress(Taken), self._database.write() as connection:
            its = select(sessions.c.path).where(sessions.c.run_id == run_id)
            if connection.execute(its).scalar_one_or_none() == "":
                for table in (*FOUND, judged, *_SESSION):
                    connection.execute(delete(table).where(table.c.run_id == run_id))
                connection.execute(delete(runs).where(runs.c.id == run_id))

    @patient
    def remove_spans(self, before: str) -> None:
        """Remove the spans of sessions that ended before a moment; what comes to one later begins it anew."""
        moment = datetime.fromisoformat(before).timestamp()
        at_work = select(spans.c.session_id).where(spans.c.ended >= moment, spans.c.session_id != "")
        with self._database.write() as connection:
            old = (spans.c.settled.is_(True), spans.c.ended < moment, spans.c.session_id.not_in(at_work))
            connection.execute(delete(spans).where(*old))

    @patient
    def add_evaluation(self, evaluation: Evaluation, observation: Observation) -> None:
        """Write a finished run and what was thought of it, over what was there of it."""
        with self._database.write() as connection:
            _sessions.save(connection, [observation])
            _evaluations.save(connection, evaluation)
            _outcomes.refresh(connection, [evaluation.run_id])

    @patient
    def evaluations(self, run_id: str | None = None) -> Sequence[Evaluation]:
        """Give the evaluations of a run, or of all, the oldest first."""
        with self._database.read() as connection:
            return _evaluations.of(connection, run_id)
