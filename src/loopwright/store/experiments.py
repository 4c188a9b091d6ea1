"""Experiments, their trials and their evidence in and out of the tables. Every arrow of one is one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, func, insert, select, update

from loopwright.errors import BusyError, UnknownName, UsageError
from loopwright.records.experiment import Arm, Evidence, Experiment, ExperimentStatus, Look, Trial
from loopwright.records.version import Release, Version
from loopwright.store import versions as _versions
from loopwright.store.database import OnDatabase
from loopwright.store.inserting import insert_once, is_there
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema_released import releases as _releases
from loopwright.store.schema_verified import experiments, looks, trials

_APART = ("id", "name", "role", "status", "created_at", "outcome", "ended_at")
# Made once: to make a statement takes longer than to run it, and these are asked before every run.
_RUNNING = select(experiments).where(experiments.c.status == "running")
_ONE = select(experiments).where(experiments.c.id == bindparam("its"))
_LOCKED = _ONE.with_for_update()
_EVIDENCE = update(experiments).where(experiments.c.id == bindparam("its")).values(evidence=bindparam("now"))
_TRIAL, _LOOK = insert(trials), insert(looks)
_KNOWN = select(trials).where(trials.c.id == bindparam("its"))
_OUTCOME = update(trials).where(trials.c.id == bindparam("its"), trials.c.delivered_at.is_(None))
_PAIR = select(trials).where(trials.c.experiment_id == bindparam("its"), trials.c.block == bindparam("block"))
_PAIR = _PAIR.where(trials.c.delivered_at.is_not(None))
_LIVE = select(trials).where(trials.c.unit == bindparam("its"), trials.c.phase == "live")
_LIVE = _LIVE.join_from(experiments, trials).where(experiments.c.status == "running")
Pick = Callable[[Sequence[Experiment]], Experiment | None]
"""The experiments that run -> the one that a task takes part in."""
Choose = Callable[[Experiment, int], Trial]
"""An experiment, how many of the task's type took part before -> the trial."""
Weigh = Callable[[Experiment, Evidence, Trial, Trial], tuple[Evidence, Look]]
"""The evidence before, the trials of A and B -> the evidence after, and what it is worth."""
Decide = Callable[[Experiment, Evidence], Experiment]
"""An experiment and its evidence -> what has become of it."""


class Experiments(OnDatabase):
    """The part of the store that verify reads and writes."""

    @patient
    def add(self, make: Callable[[int], Experiment]) -> Experiment:
        """Write an experiment down that is made knowing how many run for its role; the others are told of it."""
        with self._database.write() as connection:
            lock(connection, experiments)
            first = make(0)
            others = [one for one, _ in _read(connection) if one.id != first.id]
            if any(one.name == first.name for one in others):
                raise UsageError(f"there is an experiment `{first.name}` already", "choose another name")
            running = [one for one in others if one.role == first.role and one.status == "running"]
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
    def assign(self, unit: str, task_type: str, pick: Pick, choose: Choose) -> Trial | None:
        """Give the trial of a live task, the same for as long as its experiment runs; None where none is picked.

        A new one is made knowing how many of its type came before it.
        """
        with self._database.read() as connection:
            if known := _live(connection, unit):
                return known
            running = [_record(row)[0] for row in connection.execute(_RUNNING).mappings()]
        picked = pick(running)
        return self._assign(picked.id, unit, task_type, choose) if picked else None

    def _assign(self, experiment_id: str, unit: str, task_type: str, choose: Choose) -> Trial | None:
        with self._database.write() as connection:
            experiment, evidence = _one(connection, experiment_id, lock=True)
            if known := _live(connection, unit):  # somebody else gave it a moment ago
                return known
            if experiment.status != "running":
                return None
            count = evidence.assigned.get(task_type, 0)
            trial, assigned = choose(experiment, count), {**evidence.assigned, task_type: count + 1}
            connection.execute(_TRIAL, vars(trial))
            _save(connection, experiment_id, dataclasses.replace(evidence, assigned=assigned))
            return trial

    @patient
    def add_trials(self, pair: Sequence[Trial]) -> list[Trial]:
        """Write the trials of a pair down that is to be replayed; give those that are there, if somebody did so."""
        with self._database.write() as connection:
            _one(connection, pair[0].experiment_id, lock=True)
            return [_there(connection, trial) for trial in pair]

    @patient
    def trial(self, trial_id: str) -> Trial:
        """Give a trial."""
        with self._database.read() as connection:
            row = connection.execute(_KNOWN, {"its": trial_id}).mappings().first()
        if row is None:
            raise UnknownName("trial", trial_id, ())
        return Trial(**row)

    @patient
    def trials(self, experiment_id: str) -> Sequence[Trial]:
        """Give all trials, the oldest first."""
        with self._database.read() as connection:
            chosen = select(trials).where(trials.c.experiment_id == experiment_id)
            rows = connection.execute(chosen.order_by(trials.c.assigned_at, trials.c.id)).mappings()
            return [Trial(**row) for row in rows]

    @patient
    def left_out(self, experiment_id: str) -> Sequence[tuple[str, int]]:
        """Give why trials do not count, and how many each time, the most frequent reason first."""
        number, its = func.count(), (trials.c.experiment_id == experiment_id, trials.c.left_out != "")
        chosen = select(trials.c.left_out, number).where(*its).group_by(trials.c.left_out)
        with self._database.read() as connection:
            rows = connection.execute(chosen.order_by(number.desc(), trials.c.left_out))
            return [(reason, times) for reason, times in rows]

    @patient
    def deliver(self, trial: Trial, weigh: Weigh, decide: Decide) -> tuple[Experiment, Evidence]:
        """Write an outcome down, what its pair comes to once it is whole, and what that decides.

        What came before is not counted again.
        """
        with self._database.write() as connection:
            experiment, evidence = _one(connection, trial.experiment_id, lock=True)
            is_new = connection.execute(_OUTCOME, vars(trial) | {"its": trial.id}).rowcount == 1
            if not is_new or experiment.status != "running":
                return experiment, evidence
            if trial.phase == "live" and not trial.left_out:
                count = evidence.delivered.get(trial.arm, 0) + 1
                evidence = dataclasses.replace(evidence, delivered={**evidence.delivered, trial.arm: count})
            if pair := _pair(connection, trial):
                evidence, look = weigh(experiment, evidence, *pair)
                connection.execute(_LOOK, vars(look) | {"experiment_id": trial.experiment_id})
            _save(connection, trial.experiment_id, evidence)
            decided = decide(experiment, evidence)
            if decided != experiment:
                connection.execute(
                    update(experiments).where(experiments.c.id == trial.experiment_id).values(_row(decided))
                )
            return decided, evidence

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
                # We may have written it, and lost the connection before we knew.
                is_ours = all(is_there(connection, _releases, release.id) for release, _ in releases)
                return is_ours and _one(connection, ended.id)[0] == ended
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


def _one(connection: Connection, experiment_id: str, *, lock: bool = False) -> tuple[Experiment, Evidence]:
    row = connection.execute(_LOCKED if lock else _ONE, {"its": experiment_id}).mappings().first()
    if row is None:
        raise UnknownName("experiment", experiment_id, ())
    return _record(row)


def _record(row: RowMapping) -> tuple[Experiment, Evidence]:
    plan = dict(row["plan"])
    arms: dict[str, Any] = {name: Arm(**plan.pop(name)) for name in ("control", "treatment")}
    return Experiment(**{name: row[name] for name in _APART}, **arms, **plan), Evidence(**row["evidence"])


def _live(connection: Connection, unit: str) -> Trial | None:
    row = connection.execute(_LIVE, {"its": unit}).mappings().first()
    return Trial(**row) if row else None


def _there(connection: Connection, trial: Trial) -> Trial:
    """Give the trial that has its place, or write it down."""
    its = (trials.c.experiment_id == trial.experiment_id, trials.c.block == trial.block, trials.c.arm == trial.arm)
    if row := connection.execute(select(trials).where(*its)).mappings().first():
        return Trial(**row)
    connection.execute(_TRIAL, vars(trial))
    return trial


def _pair(connection: Connection, trial: Trial) -> tuple[Trial, Trial] | None:
    """Give both trials of a block, A first, once both have come and count."""
    rows = connection.execute(_PAIR, {"its": trial.experiment_id, "block": trial.block}).mappings()
    found = {row["arm"]: Trial(**row) for row in rows if not row["left_out"]}
    return (found["A"], found["B"]) if len(found) == 2 else None


def _save(connection: Connection, experiment_id: str, evidence: Evidence) -> None:
    connection.execute(_EVIDENCE, {"its": experiment_id, "now": vars(evidence)})
