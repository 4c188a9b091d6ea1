"""Experiments, their trials and their evidence in and out of the tables. Every arrow of one is one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from loopwright.errors import BusyError, UnknownName
from loopwright.records.experiment import Arm, Evidence, Experiment, ExperimentStatus, Look, Trial
from loopwright.records.version import Release, Version
from loopwright.store import versions as _versions
from loopwright.store.database import OnDatabase
from loopwright.store.inserting import insert_once
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema_verified import experiments, looks, trials

_APART = ("id", "name", "role", "status", "created_at", "outcome", "ended_at")
Weigh = Callable[[Experiment, Evidence, Trial, Trial], tuple[Evidence, Look]]
"""The evidence before, the trials of A and B -> the evidence after, and what it is worth."""


class Experiments(OnDatabase):
    """The part of the store that verify reads and writes."""

    @patient
    def add(self, make: Callable[[int], Experiment]) -> Experiment:
        """Write an experiment down that is made knowing how many run for its role; the others are told of it."""
        with self._database.write() as connection:
            lock(connection, experiments)
            role = make(0).role
            running = [one for one, _ in _read(connection, status="running") if one.role == role]
            experiment = make(len(running))
            insert_once(connection, experiments, _row(experiment) | {"evidence": dataclasses.asdict(Evidence())})
            for other in running:
                more = dataclasses.replace(other, concurrent=max(other.concurrent, len(running) + 1))
                connection.execute(update(experiments).where(experiments.c.id == other.id).values(_row(more)))
            return experiment

    @patient
    def get(self, experiment_id: str) -> tuple[Experiment, Evidence]:
        """Give an experiment and its evidence."""
        with self._database.read() as connection:
            return _one(connection, experiment_id)

    @patient
    def all(self, status: ExperimentStatus | None = None) -> Sequence[tuple[Experiment, Evidence]]:
        """Give them, the newest first."""
        with self._database.read() as connection:
            return _read(connection, status)

    @patient
    def find(self, name: str) -> str:
        """Give the id of the experiment that a person means: its name, its id, or the end of it."""
        with self._database.read() as connection:
            known = connection.execute(select(experiments.c.id, experiments.c.name)).all()
        found = [one.id for one in known if name in (one.name, one.id) or (len(name) >= 4 and one.id.endswith(name))]
        if len(found) != 1:
            hint = "several are called so: name the end of its id" if found else ""
            raise UnknownName("experiment", name, {one.name for one in known}, hint)
        return str(found[0])

    @patient
    def assign(self, experiment_id: str, unit: str, choose: Callable[[int], Trial]) -> Trial:
        """Give the trial of a live task, always the same; a new one is made knowing how many came before it."""
        with self._database.write() as connection:
            its = (trials.c.experiment_id == experiment_id, trials.c.unit == unit, trials.c.phase == "live")
            if known := connection.execute(select(trials).where(*its)).mappings().first():
                return Trial(**known)
            _, evidence = _one(connection, experiment_id, hold=True)
            task_type = choose(0).task_type
            count = evidence.assigned.get(task_type, 0)
            trial = choose(count)
            connection.execute(insert(trials), vars(trial))
            _save(
                connection,
                experiment_id,
                dataclasses.replace(evidence, assigned={**evidence.assigned, task_type: count + 1}),
            )
            return trial

    @patient
    def add_trials(self, pair: Sequence[Trial]) -> None:
        """Write the trials of a pair down that is to be replayed."""
        with self._database.write() as connection:
            for trial in pair:
                insert_once(connection, trials, vars(trial))

    @patient
    def trial(self, trial_id: str) -> Trial:
        """Give a trial."""
        with self._database.read() as connection:
            return Trial(**connection.execute(select(trials).where(trials.c.id == trial_id)).mappings().one())

    @patient
    def trials(self, experiment_id: str) -> Sequence[Trial]:
        """Give all trials, the oldest first."""
        with self._database.read() as connection:
            chosen = select(trials).where(trials.c.experiment_id == experiment_id)
            rows = connection.execute(chosen.order_by(trials.c.assigned_at, trials.c.id)).mappings()
            return [Trial(**row) for row in rows]

    @patient
    def deliver(self, trial: Trial, weigh: Weigh) -> Evidence:
        """Write an outcome down, and what its pair comes to once it is whole; what came before is not counted again."""
        with self._database.write() as connection:
            experiment, evidence = _one(connection, trial.experiment_id, hold=True)
            fresh = (trials.c.id == trial.id, trials.c.delivered_at.is_(None))
            if connection.execute(update(trials).where(*fresh).values(vars(trial))).rowcount != 1:
                return evidence
            if experiment.status != "running":
                return evidence
            if trial.phase == "live" and not trial.left_out:
                count = evidence.delivered.get(trial.arm, 0) + 1
                evidence = dataclasses.replace(evidence, delivered={**evidence.delivered, trial.arm: count})
            if pair := _pair(connection, trial):
                evidence, look = weigh(experiment, evidence, *pair)
                connection.execute(insert(looks), vars(look) | {"experiment_id": trial.experiment_id})
            _save(connection, trial.experiment_id, evidence)
            return evidence

    @patient
    def looks(self, experiment_id: str) -> Sequence[Look]:
        """Give the evidence after each pair."""
        with self._database.read() as connection:
            chosen = select(looks).where(looks.c.experiment_id == experiment_id).order_by(looks.c.pairs)
            rows = connection.execute(chosen).mappings()
            return [Look(**{name: row[name] for name in Look.__dataclass_fields__}) for row in rows]

    @patient
    def end(
        self,
        ended: Experiment,
        versions: Sequence[Version] = (),
        releases: Sequence[tuple[Release, str]] = (),
        seen: ExperimentStatus = "running",
    ) -> bool:
        """Write what has become of an experiment, and put what it has proven into use: all of it or nothing.

        False where it is not any more what was seen.

        A release goes with the one that it replaces: BusyError where that is not in use any more.
        """
        with self._database.write() as connection:
            its = (experiments.c.id == ended.id, experiments.c.status == seen)
            if connection.execute(update(experiments).where(*its).values(_row(ended))).rowcount != 1:
                return False
            for version in versions:
                if _versions.add(connection, version).number != version.number:
                    raise BusyError(f"somebody else has written `{version.title}` meanwhile", "do it again")
            for release, replaced in releases:
                _versions.put_in_use(connection, release, replaced)
            return True


def _row(experiment: Experiment) -> dict[str, Any]:
    data = dataclasses.asdict(experiment)
    return {name: data.pop(name) for name in _APART} | {"plan": data}


def _read(connection: Connection, status: str | None = None) -> list[tuple[Experiment, Evidence]]:
    chosen = select(experiments).order_by(experiments.c.created_at.desc(), experiments.c.id.desc())
    if status:
        chosen = chosen.where(experiments.c.status == status)
    return [_record(row) for row in connection.execute(chosen).mappings()]


def _one(connection: Connection, experiment_id: str, *, hold: bool = False) -> tuple[Experiment, Evidence]:
    chosen = select(experiments).where(experiments.c.id == experiment_id)
    row = connection.execute(chosen.with_for_update() if hold else chosen).mappings().first()
    if row is None:
        raise UnknownName("experiment", experiment_id, ())
    return _record(row)


def _record(row: RowMapping) -> tuple[Experiment, Evidence]:
    plan = dict(row["plan"])
    arms: dict[str, Any] = {name: Arm(**plan.pop(name)) for name in ("control", "treatment")}
    return Experiment(**{name: row[name] for name in _APART}, **arms, **plan), Evidence(**row["evidence"])


def _pair(connection: Connection, trial: Trial) -> tuple[Trial, Trial] | None:
    """Give both trials of a block, A first, once both have come and count."""
    its = (trials.c.experiment_id == trial.experiment_id, trials.c.block == trial.block)
    rows = connection.execute(select(trials).where(*its, trials.c.delivered_at.is_not(None))).mappings()
    found = {row["arm"]: Trial(**row) for row in rows if not row["left_out"]}
    return (found["A"], found["B"]) if len(found) == 2 else None


def _save(connection: Connection, experiment_id: str, evidence: Evidence) -> None:
    its = experiments.c.id == experiment_id
    connection.execute(update(experiments).where(its).values(evidence=dataclasses.asdict(evidence)))
