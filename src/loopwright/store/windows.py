"""What rules read of a window's sessions: counts from the rollups, and of their events only some kinds, bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from loopwright.records.event import EventKind
from loopwright.records.window import Command, Erred, Offered, Request, Used
from loopwright.store.batches import batches
from loopwright.store.database import OnDatabase
from loopwright.store.patience import patient
from loopwright.store.schema import events, rollups, runs, sessions
from loopwright.store.schema_measured import run_errors

MOST_RUNS = 500
"""Events are read of so many sessions at the most, the newest."""
_FIRST_EVENTS = 40
"""An agent says what it has among the first of them."""
_WORDS = 2_000
_MOST_PROMPTS = 500
"""Whoever is told more often is no human."""


class Windows(OnDatabase):
    """The part of the store that is read by who looks for findings. Ids are given the oldest first."""

    @patient
    def used(self, run_ids: Sequence[str]) -> Sequence[Used]:
        """Give how each session used each tool."""
        columns = (rollups.c.run_id, rollups.c.tool, rollups.c.calls, rollups.c.failed, rollups.c.duration_s)
        chosen = select(*columns).where(rollups.c.calls > 0)
        return [Used(*row) for row in self._rows(chosen, rollups.c.run_id, run_ids)]

    @patient
    def errors(self, run_ids: Sequence[str]) -> Sequence[Erred]:
        """Give the errors of each session, like ones together."""
        its = run_errors.c
        chosen = select(its.run_id, its.fingerprint, its.tool, its.count, its.message)
        return [Erred(*row) for row in self._rows(chosen, its.run_id, run_ids)]

    @patient
    def offered(self, run_ids: Sequence[str]) -> Sequence[Offered]:
        """Give the tools that agents said they have, of the newest sessions; most records do not say."""
        its = (events.c.kind == EventKind.SYSTEM, events.c.seq <= _FIRST_EVENTS)
        chosen = select(events.c.run_id, runs.c.goal, events.c.data).join(runs, runs.c.id == events.c.run_id)
        found: dict[str, Offered] = {}
        for run_id, goal, data in self._rows(chosen.where(*its), events.c.run_id, run_ids[-MOST_RUNS:]):
            tools = data.get("tools") if isinstance(data, dict) else None
            if isinstance(tools, list) and (names := [tool for tool in tools if isinstance(tool, str)]):
                found[run_id] = Offered(run_id, goal, tuple(names))
        return list(found.values())

    @patient
    def commands(self, run_ids: Sequence[str]) -> Sequence[Command]:
        """Give the commands of the newest sessions, cut."""
        chosen = select(events.c.run_id, func.substr(events.c.command, 1, _WORDS))
        its = (events.c.kind == EventKind.TOOL_CALL, events.c.command.is_not(None))
        return [Command(*row) for row in self._rows(chosen.where(*its), events.c.run_id, run_ids[-MOST_RUNS:])]

    @patient
    def requests(self, run_ids: Sequence[str]) -> Sequence[Request]:
        """Give what humans said, cut, in the newest sessions in which they did so more than once."""
        columns = (events.c.run_id, events.c.seq, func.substr(events.c.text, 1, _WORDS))
        several = sessions.c.prompts.between(2, _MOST_PROMPTS)
        chosen = select(*columns).join(sessions, sessions.c.run_id == events.c.run_id)
        its = (events.c.kind == EventKind.PROMPT, events.c.parent_call_id.is_(None), several)
        return [Request(*row) for row in self._rows(chosen.where(*its), events.c.run_id, run_ids[-MOST_RUNS:])]

    @patient
    def contexts(self, run_ids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Give the newest runs of ours whose profile brings files along, and where what they left is."""
        chosen = select(runs.c.id, runs.c.artifacts, runs.c.profile).where(runs.c.source == "")
        rows = self._rows(chosen, runs.c.id, run_ids[-MOST_RUNS:])
        return [(run_id, place) for run_id, place, profile in rows if profile.get("context", "none") != "none"]

    @patient
    def touched(self, run_ids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Give the paths and commands of calls, by session."""
        named = func.coalesce(events.c.path, func.substr(events.c.command, 1, _WORDS), "")
        chosen = select(events.c.run_id, named).where(events.c.kind == EventKind.TOOL_CALL)
        return [(run_id, text) for run_id, text in self._rows(chosen, events.c.run_id, run_ids[-MOST_RUNS:])]

    def _rows(self, chosen: Select[Any], run_id: ColumnElement[str], run_ids: Sequence[str]) -> Iterator[Any]:
        with self._database.read() as connection:
            for part in batches(run_ids):
                yield from connection.execute(chosen.where(run_id.in_(part)))
