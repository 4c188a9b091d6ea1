"""Experiments from start to end: what is compared, who gets which arm, what came of it, what is put into use."""

from __future__ import annotations

import dataclasses
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from loopwright.cycle.promoting import step
from loopwright.errors import BusyError, RegistryError, UsageError
from loopwright.guard.guardrails import Autonomy, is_low_risk, may_release, promotion_fault
from loopwright.records.bank import Half
from loopwright.records.experiment import (
    PROFILE,
    PROMPTS,
    Arm,
    ArmName,
    Evidence,
    Experiment,
    ExperimentStatus,
    Look,
    Trial,
)
from loopwright.records.identity import new_id, timestamp
from loopwright.records.negative import Negative
from loopwright.records.run import Run
from loopwright.records.version import Version
from loopwright.release.equipment import Equipment, equipment, filled
from loopwright.release.profiles import LIBRARY
from loopwright.release.telling import telling
from loopwright.release.versions import Versions
from loopwright.store.experiments import Experiments
from loopwright.verify.assign import bucket
from loopwright.verify.weighing import Verdict, guarded, look, verdict, weigh

_ENDS: Mapping[Verdict, ExperimentStatus] = {
    "promote": "proven",
    "cheaper": "proven",
    "no_difference": "no_difference",
    "mismatch": "stopped",
}


@dataclass(frozen=True)
class Proving:
    """All experiments of a store."""

    experiments: Experiments
    versions: Versions
    autonomy: Autonomy = "suggest"

    def assign(self, unit: str, task_type: str, fixed: Collection[str] = ()) -> Trial | None:
        """Give the trial that a live task is, the same at every call; None where it takes part in no experiment.

        It takes part in one at most, by lot, and in none on a parameter that somebody has fixed for it.
        """

        def pick(running: Sequence[Experiment]) -> Experiment | None:
            open_ones = [one for one in running if task_type in one.task_types and one.parameter not in fixed]
            ours = [one for one in open_ones if bucket(one.id, unit, "traffic") < one.share]
            return min(ours, key=lambda one: bucket(one.id, unit, "turn"), default=None)

        def choose(experiment: Experiment, count: int) -> Trial:
            return _chosen(experiment.id, unit, task_type, count)

        trial = self.experiments.assign(unit, task_type, pick, choose)
        return None if trial is None or self._is_fixed(trial, fixed) else trial

    def _is_fixed(self, trial: Trial, fixed: Collection[str]) -> bool:
        """Say whether a task that took part before does not do so now, since somebody has fixed what is compared."""
        return bool(fixed) and self.experiments.get(trial.experiment_id)[0].parameter in fixed

    def equip(self, trial: Trial) -> Equipment:
        """Give what a trial's task is told and set to: what was in use at the experiment's start, and its arm."""
        experiment, _ = self.experiments.get(trial.experiment_id)
        base = equipment(self.versions, trial.task_type, experiment.base)
        value = experiment.arm(trial.arm).value
        if experiment.parameter not in PROMPTS:
            given = value if experiment.parameter == PROFILE else {experiment.parameter: value}
            return dataclasses.replace(base, parameters={**base.parameters, **given}, trial=trial.id)
        name = f"{experiment.role}/{trial.task_type}"
        told = self.versions.get("prompt", name, value).content
        used = {**base.versions, f"prompt {name}": value}
        prompts = {**base.prompts, experiment.parameter: told}
        return dataclasses.replace(base, prompts=prompts, versions=used, trial=trial.id)

    def deliver_live(self, run: Run) -> None:
        """Take in what came of a live task that is a trial; one that was cut short may go on, and is waited for."""
        if run.profile.trial and run.passed is not None:
            trial = self.experiments.trial(run.profile.trial)
            if trial.phase == "live":
                self.deliver(run, trial)

    def deliver(self, run: Run, trial: Trial, left_out: str = "") -> Experiment:
        """Take in what came of a trial, and decide; what was delivered before changes nothing."""
        why = left_out or (f"the run was {run.status}" if run.passed is None else "")
        why = why or (f"the run ended as {run.reason}" if run.shows_nothing else "")
        trial = dataclasses.replace(
            trial,
            run_id=run.id,
            passed=run.passed,
            cost_usd=run.spent.cost_usd,
            seconds=run.spent.seconds,
            delivered_at=timestamp(),
            left_out=why,
        )
        return self._released_by_itself(self.experiments.deliver(trial, _weighed, _decided)[0])

    def stop(self, experiment_id: str, reason: str) -> Experiment:
        """End an experiment on a human's word."""
        experiment, _ = self.experiments.get(experiment_id)
        if experiment.status != "running":
            raise UsageError(f"`{experiment.name}` has ended: {experiment.status}", "there is nothing to stop")
        self.experiments.end(_ended(experiment, "stopped", reason))
        return self.experiments.get(experiment.id)[0]

    def release(self, experiment_id: str, by: str) -> Experiment:
        """Put into use what an experiment has proven: all of it in one transaction, or nothing."""
        experiment, evidence = self.experiments.get(experiment_id)
        if experiment.status != "proven":
            hint = f"see: loopwright experiments show {shlex.quote(experiment.name)}"
            raise UsageError(f"`{experiment.name}` is {experiment.status}, not proven", hint)
        found = verdict(experiment, evidence)
        is_cheaper = found == "cheaper"
        if fault := promotion_fault(evidence.pairs, found, cheaper_model=is_cheaper, quality_shown=is_cheaper):
            raise UsageError(f"`{experiment.name}` is not put into use: {fault}", "begin a new experiment")
        steps = [step(self.versions, experiment, task_type, by) for task_type in experiment.task_types]
        made = [version for version, _, _ in steps if version]
        used = [(release, seen) for _, release, seen in steps]
        promoted = dataclasses.replace(experiment, status="promoted", ended_at=timestamp())
        if not self.experiments.end(promoted, made, used, seen="proven"):
            words = f"somebody else has put `{experiment.name}` into use meanwhile"
            raise BusyError(words, "see: loopwright experiments list")
        for release, _ in used:
            self.versions.reach(release)
        return promoted

    def hindrance(self, experiment: Experiment) -> str:
        """Say why what an experiment has proven can't be put into use; nothing where it can, or nothing is proven."""
        try:
            for task_type in experiment.task_types if experiment.status == "proven" else ():
                step(self.versions, experiment, task_type, "")
        except UsageError as error:
            return error.message
        return ""

    def half(self, experiment: Experiment) -> Half | None:
        """Name the half of the bank that judges: of what a patch has written, not the one that it was made from."""
        version = self._prompt(experiment, experiment.treatment)
        return "held_out" if version and version.author == "patch" else None

    def ledger(self) -> list[Negative]:
        """Give all that was tried and did not help, the newest first: nobody has to try it again."""
        ended = [experiment for experiment, _ in self.experiments.all("no_difference")]
        found = [Negative(one.ended_at or "", one.parameter, self._value(one), one.outcome) for one in ended]
        for back, undone in self.versions.store.rolled_back():
            version = self.versions.get(undone.kind, undone.name, undone.number)
            found.append(Negative(back.at, version.title, version.hash, back.reason))
        return sorted(found, key=lambda negative: negative.at, reverse=True)

    def _value(self, experiment: Experiment) -> str:
        version = self._prompt(experiment, experiment.treatment)
        return version.hash if version else experiment.treatment.label

    def _prompt(self, experiment: Experiment, arm: Arm) -> Version | None:
        """Give the version of a prompt that an arm is; None where something else is compared."""
        if experiment.parameter not in PROMPTS:
            return None
        return self.versions.get("prompt", f"{experiment.role}/{experiment.task_types[0]}", arm.value)

    def _released_by_itself(self, experiment: Experiment) -> Experiment:
        """Put it into use where the setting lets a rule do so, and the change is small."""
        if experiment.status != "proven" or experiment.parameter not in (*PROMPTS, LIBRARY):
            return experiment
        kind = "prompt" if experiment.parameter in PROMPTS else "playbook"
        before, after = (self._told(experiment, arm) for arm in (experiment.control, experiment.treatment))
        low = is_low_risk(kind, experiment.role, before, after)
        if not may_release(self.autonomy, proven=True, low_risk=low):
            return experiment
        try:
            return self.release(experiment.id, "auto_low_risk")
        except (UsageError, BusyError, RegistryError):  # for a human, who is told when asking for it
            return self.experiments.get(experiment.id)[0]

    def _told(self, experiment: Experiment, arm: Arm) -> str:
        """Give all that an arm is told, in the first of its task types."""
        if version := self._prompt(experiment, arm):
            return version.content
        name = f"worker/{experiment.task_types[0]}"
        prompt = self.versions.get("prompt", name, experiment.base[f"prompt {name}"]).content
        return filled(prompt, telling(self.versions, arm.value, sys.maxsize).text)


def _chosen(experiment_id: str, unit: str, task_type: str, count: int) -> Trial:
    """Make the trial of a live task before which so many of its type took part: two at a time make a pair."""
    block = f"live/{task_type}/{count // 2}"
    arms: tuple[ArmName, ArmName] = ("B", "A") if bucket(experiment_id, block) < 0.5 else ("A", "B")
    return Trial(new_id(), experiment_id, unit, arms[count % 2], task_type, block, "live", timestamp())


def _weighed(experiment: Experiment, before: Evidence, a: Trial, b: Trial) -> tuple[Evidence, Look]:
    after = weigh(experiment, before, a, b)
    return after, look(after)


def _decided(experiment: Experiment, evidence: Evidence) -> Experiment:
    """Give what has become of an experiment by its evidence."""
    found = verdict(experiment, evidence)
    status = _ENDS.get(found)
    return _ended(experiment, status, _words(experiment, evidence, found)) if status else experiment


def _ended(experiment: Experiment, status: ExperimentStatus, outcome: str) -> Experiment:
    return dataclasses.replace(experiment, status=status, outcome=outcome, ended_at=timestamp())


def _words(experiment: Experiment, evidence: Evidence, found: Verdict) -> str:
    if found == "mismatch":
        return "the arms were not filled half and half: something decides who comes back"
    counts = f"{evidence.pairs} pairs, of which B alone passed {evidence.wins} and A alone {evidence.losses}"
    if found == "cheaper":
        return f"{counts}; it costs less, and is shown to be no worse"
    held = guarded(experiment, evidence)
    return f"{counts}; not shown to be no worse: {', '.join(held)}" if held else counts
