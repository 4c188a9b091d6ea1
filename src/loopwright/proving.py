"""Experiments from start to end: what is compared, who gets which arm, what came of it, what is put into use."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from loopwright.errors import BusyError, UsageError
from loopwright.guard.guardrails import (
    Autonomy,
    depth_fault,
    is_low_risk,
    may_release,
    needs_human,
    promotion_fault,
)
from loopwright.records.experiment import PROFILE, PROMPT, ArmName, Evidence, Experiment, Look, Trial
from loopwright.records.identity import new_id, timestamp
from loopwright.records.negative import Negative
from loopwright.records.run import Reason, Run, Status
from loopwright.records.version import Kind, Release, Version
from loopwright.release.equipment import Equipment, equipment, filled
from loopwright.release.profiles import PARAMETERS, parameters
from loopwright.release.versions import Versions, new_release, new_version, profile_content
from loopwright.store.experiments import Experiments
from loopwright.verify.assign import bucket
from loopwright.verify.weighing import guarded, look, verdict, weigh

_COUNTED = {Status.DONE: True, Status.ESCALATED: False, Status.FAILED: False}
_HALF = 0.5
_NOBODYS_FAULT = (Reason.UNVERIFIABLE, Reason.ALREADY_MET)


@dataclass(frozen=True)
class Proving:
    """All experiments of a store."""

    experiments: Experiments
    versions: Versions
    autonomy: Autonomy = "suggest"

    def assign(self, unit: str, task_type: str, fixed: Collection[str] = ()) -> Trial | None:
        """Give the trial that a live task is, the same at every call; None where it takes part in no experiment.

        It takes part in none on a parameter that somebody has fixed for it.
        """
        for experiment, _ in reversed(self.experiments.all("running")):
            takes_part = task_type in experiment.task_types and experiment.parameter not in fixed
            if takes_part and bucket(experiment.id, unit, "traffic") < experiment.share:
                return self.experiments.assign(experiment.id, unit, partial(_chosen, experiment.id, unit, task_type))
        return None

    def equip(self, trial: Trial) -> Equipment:
        """Give what a trial's task is told and set to: what was in use at the experiment's start, and its arm."""
        experiment, _ = self.experiments.get(trial.experiment_id)
        base = equipment(self.versions, trial.task_type, experiment.base)
        value = experiment.arm(trial.arm).value
        if experiment.parameter == PROFILE:
            return dataclasses.replace(base, parameters={**base.parameters, **value}, trial=trial.id)
        if experiment.parameter != PROMPT:
            return dataclasses.replace(
                base, parameters={**base.parameters, experiment.parameter: value}, trial=trial.id
            )
        name = f"worker/{trial.task_type}"
        told = filled(self.versions.get("prompt", name, value).content)
        used = {**base.versions, f"prompt {name}": value}
        return dataclasses.replace(base, prompts={**base.prompts, PROMPT: told}, versions=used, trial=trial.id)

    def deliver_live(self, run: Run) -> Experiment | None:
        """Take in what came of a live task that is a trial; one that was cut short may go on, and is waited for."""
        if run.profile.trial and run.status in _COUNTED:
            trial = self.experiments.trial(run.profile.trial)
            return self.deliver(run, trial) if trial.phase == "live" else None
        return None

    def deliver(self, run: Run, trial: Trial, left_out: str = "") -> Experiment:
        """Take in what came of a trial, and decide; what was delivered before changes nothing."""
        why = left_out or (f"the run was {run.status}" if run.status not in _COUNTED else "")
        why = why or (f"the run ended as {run.reason}" if run.reason in _NOBODYS_FAULT else "")
        trial = dataclasses.replace(
            trial,
            run_id=run.id,
            passed=_COUNTED.get(run.status),
            cost_usd=run.spent.cost_usd,
            seconds=run.spent.seconds,
            delivered_at=timestamp(),
            left_out=why,
        )
        self.experiments.deliver(trial, _weighed)
        return self.settle(trial.experiment_id)

    def settle(self, experiment_id: str) -> Experiment:
        """Decide on an experiment by its evidence, and end it where that decides."""
        experiment, evidence = self.experiments.get(experiment_id)
        if experiment.status != "running":
            return experiment
        found = verdict(experiment, evidence)
        if found == "mismatch":
            return self._end(
                experiment, "stopped", "the arms were not filled half and half: something decides who comes back"
            )
        if found == "no_difference":
            return self._end(experiment, "no_difference", _words(experiment, evidence))
        if found == "promote":
            ended = self._end(experiment, "proven", _words(experiment, evidence))
            return self._released_by_itself(ended)
        return experiment

    def stop(self, experiment_id: str, reason: str) -> Experiment:
        """End an experiment on a human's word."""
        experiment, _ = self.experiments.get(experiment_id)
        if experiment.status != "running":
            raise UsageError(f"`{experiment.name}` has ended: {experiment.status}", "there is nothing to stop")
        return self._end(experiment, "stopped", reason)

    def release(self, experiment_id: str, by: str) -> Experiment:
        """Put into use what an experiment has proven: all of it in one transaction, or nothing."""
        experiment, evidence = self.experiments.get(experiment_id)
        if experiment.status != "proven":
            raise UsageError(
                f"`{experiment.name}` is {experiment.status}, not proven", "see: loopwright experiments show"
            )
        if fault := promotion_fault(evidence.pairs, "promote"):
            raise UsageError(f"`{experiment.name}` is not put into use: {fault}", "let it go on")
        made, used = [], []
        for task_type in experiment.task_types:
            version, release, seen = self._step(experiment, task_type, by)
            made += [version] if version else []
            used.append((release, seen))
        promoted = dataclasses.replace(experiment, status="promoted", ended_at=timestamp())
        if not self.experiments.end(promoted, made, used, seen="proven"):
            raise BusyError(
                f"somebody else has put `{experiment.name}` into use meanwhile", "see: loopwright experiments"
            )
        return promoted

    def ledger(self) -> list[Negative]:
        """Give all that was tried and did not help, the newest first: nobody has to try it again."""
        ended = [experiment for experiment, _ in self.experiments.all("no_difference")]
        found = [Negative(one.ended_at or "", one.parameter, self._value(one), one.outcome) for one in ended]
        for back, undone in self.versions.store.rolled_back():
            version = self.versions.get(undone.kind, undone.name, undone.number)
            found.append(Negative(back.at, version.title, version.hash, back.reason))
        return sorted(found, key=lambda negative: negative.at, reverse=True)

    def _value(self, experiment: Experiment) -> str:
        if experiment.parameter != PROMPT:
            return experiment.treatment.label
        return self.versions.get("prompt", f"worker/{experiment.task_types[0]}", experiment.treatment.value).hash

    def _step(self, experiment: Experiment, task_type: str, by: str) -> tuple[Version | None, Release, str]:
        """Make the version of one task type, and its release in the place of what the experiment began with."""
        kind: Kind = "prompt" if experiment.parameter == PROMPT else "profile"
        name, refused = f"worker/{task_type}", f"`{experiment.name}` is not put into use"
        release, used = self.versions.in_use(kind, name)
        begun = experiment.base[f"{kind} {name}"]
        if used.number != begun:
            words = f"it was proven on `{name}@{begun}`, and `{used.title}` is in use now"
            raise UsageError(f"{refused}: {words}", "roll back to it, or begin a new experiment")
        if kind == "prompt":
            version, made = self.versions.get(kind, name, experiment.treatment.value), None
        else:
            if fault := depth_fault(used.depth + 1):
                raise UsageError(f"{refused}: {fault}", f"loopwright profiles set {name} … --rebase")
            value = experiment.treatment.value
            given = value if experiment.parameter == PROFILE else {experiment.parameter: value}
            if unknown := sorted(set(given) - set(PARAMETERS)):
                words = f"the profile sets {', '.join(unknown)}, which no version does"
                raise UsageError(f"{refused}: {words}", "set a prompt with: loopwright prompts set")
            content = profile_content({**parameters(used.content), **given})
            fresh = new_version(kind, name, content, used.number, used.depth + 1, "patch", experiment.outcome)
            made = version = dataclasses.replace(fresh, number=len(self.versions.history(kind, name)) + 1)
        if faults := self.versions.faults(version):
            raise UsageError(f"{refused}: {'; '.join(faults)}", "mend that, and begin a new experiment")
        return made, new_release(version, used.number, by, experiment.outcome, experiment.id), release.id

    def _released_by_itself(self, experiment: Experiment) -> Experiment:
        """Put it into use where the setting lets a rule do so, and the change is small."""
        if experiment.status != "proven" or experiment.parameter != PROMPT:
            return experiment
        name = f"worker/{experiment.task_types[0]}"
        before, after = (
            self.versions.get("prompt", name, arm.value) for arm in (experiment.control, experiment.treatment)
        )
        low = is_low_risk("prompt", experiment.role, before.content, after.content)
        if not may_release(self.autonomy, proven=True, low_risk=low) or needs_human(experiment.role):
            return experiment
        try:
            return self.release(experiment.id, "auto_low_risk")
        except (UsageError, BusyError):  # what stands against it is for a human, who is told when asking for it
            return experiment

    def _end(self, experiment: Experiment, status: str, outcome: str) -> Experiment:
        ended = dataclasses.replace(experiment, status=status, outcome=outcome, ended_at=timestamp())  # type: ignore[arg-type]
        self.experiments.end(ended)
        return self.experiments.get(experiment.id)[0]


def _chosen(experiment_id: str, unit: str, task_type: str, count: int) -> Trial:
    """Make the trial of a live task before which so many of its type took part: two at a time make a pair."""
    block = f"live/{task_type}/{count // 2}"
    arms: tuple[ArmName, ArmName] = ("B", "A") if bucket(experiment_id, block) < _HALF else ("A", "B")
    return Trial(new_id(), experiment_id, unit, arms[count % 2], task_type, block, "live", timestamp())


def _weighed(experiment: Experiment, before: Evidence, a: Trial, b: Trial) -> tuple[Evidence, Look]:
    after = weigh(experiment, before, a, b)
    return after, look(after)


def _words(experiment: Experiment, evidence: Evidence) -> str:
    counts = f"{evidence.pairs} pairs, of which B alone passed {evidence.wins} and A alone {evidence.losses}"
    held = guarded(experiment, evidence)
    return f"{counts}; not shown to be no worse: {', '.join(held)}" if held else counts
