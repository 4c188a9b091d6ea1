"""A patch from its proposal on: tested by an experiment, released, rejected, and what became of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.cycle.patching import as_version, renewed
from loopwright.cycle.proposing import Proposal, create
from loopwright.cycle.proving import Proving
from loopwright.errors import LoopwrightError, UsageError
from loopwright.patch.ground import WORKER
from loopwright.records.experiment import Experiment
from loopwright.records.identity import short
from loopwright.records.patch import Patch, PatchStatus
from loopwright.records.version import Kind, Release
from loopwright.release.learned import Library
from loopwright.release.profiles import LIBRARY
from loopwright.store.patches import Patches

_PROMPT = "system_prompt"
"""The parameter whose values are versions of what a worker is told."""


@dataclass(frozen=True)
class Deploying:
    """What is done with patches."""

    patches: Patches
    proving: Proving
    library: Library

    def patch(self, patch_id: str) -> Patch:
        """Give a patch as it is now."""
        return self._followed(self.patches.find(patch_id))

    def deploy(self, patch: Patch, by: str, *, now: bool) -> str:
        """Release what is proven, begin the experiment of what is not; `now`: release it at once. Say what was done."""
        patch = self._followed(patch)
        if patch.status in ("testing", "released") and not (now and patch.status == "testing"):
            return f"{patch.title}: it is {patch.status} already"
        if patch.status == "proven" or now:
            return f"{patch.title}: released ({self.release(patch, by, now=now).why})"
        self.test(patch, by, approved_by=by)
        return f"{patch.title}: its experiment has begun; it is released when it is proven"

    def test(self, patch: Patch, by: str, *, maximum: int = 600, share: float = 1.0, approved_by: str = "") -> Patch:
        """Begin the experiment of a patch: what is in use against what it would be."""
        self._check(patch, "proposed")
        patch = dataclasses.replace(self._renewed(patch), approved_by=approved_by)
        patch = self._written(patch) if patch.surface == "prompt" else patch
        parameter = _PROMPT if patch.surface == "prompt" else LIBRARY
        value = str(patch.version) if patch.surface == "prompt" else patch.after
        types, name = (patch.target.removeprefix(WORKER),), f"patch-{short(patch.id)}"
        known = [one for one, _ in self.proving.experiments.all() if one.name == name]
        wanted = Proposal(
            parameter, value, task_types=types, name=name, share=share, maximum=maximum, reason=patch.title, by=by
        )
        begun = known[0] if known else create(self.proving.experiments, self.proving.versions, wanted)
        return self._now(patch, "testing", f"`{begun.name}` runs", experiment=begun.id)

    def texts(self, patch: Patch) -> tuple[str, str]:
        """Give what is there now and what would be, as people read it."""
        if patch.surface != "playbook":
            return patch.before, patch.after
        before, after = (self.library.telling(json.loads(titles)).text for titles in (patch.before, patch.after))
        return before, after

    def release(self, patch: Patch, by: str, *, now: bool = False) -> Patch:
        """Put a patch into use: what is proven; with `now`, whatever is proposed, on a human's own word."""
        if patch.status in ("testing", "proven"):
            patch = self._followed(patch)
        if patch.status == "proven":
            self.proving.release(patch.experiment, by)
            return self._followed(patch)
        if not now:
            hint = f"test it first: loopwright patches test {short(patch.id)}"
            raise UsageError(f"the patch is {patch.status}, not proven", f"{hint}, or release it with --now")
        self._check(patch, "proposed", "testing")
        if patch.status == "testing":
            self.proving.stop(patch.experiment, f"{by} releases it untested")
        patch = self._renewed(patch)
        if patch.surface == "prompt":
            patch = self._written(patch)
            version = self.proving.versions.get("prompt", patch.target, patch.version)
        else:
            content = as_version(self.library, patch).content
            version = self.proving.versions.write("profile", patch.target, content, patch.title, author="patch")
        self.proving.versions.put_in_use(version, by, f"{patch.title}; released untested, on {by}'s own word")
        return self._now(patch, "released", f"untested, on {by}'s own word", version=version.number)

    def reject(self, patch: Patch, by: str, reason: str) -> Patch:
        """Turn a patch down; it is not proposed again."""
        if patch.status == "testing":
            self.proving.stop(patch.experiment, f"{by} rejects the patch: {reason}")
        elif patch.status not in ("proposed", "proven"):
            raise UsageError(f"the patch is {patch.status} already", "there is nothing to reject")
        return self._now(patch, "rejected", f"by {by}: {reason}")

    def follow(self) -> list[Patch]:
        """Write down what became of patches since somebody looked, and release what is proven and was approved.

        Those that changed are given.
        """
        known = self.patches.all("testing", "proven", "released")
        found = [(patch, self._as_approved(self._followed(patch))) for patch in known]
        return [after for before, after in found if after != before]

    def _as_approved(self, patch: Patch) -> Patch:
        if patch.status != "proven" or not patch.approved_by:
            return patch
        try:
            return self.release(patch, patch.approved_by)
        except LoopwrightError as error:  # a human has to look at it once more
            return self._now(patch, "proven", f"{patch.why}; not released: {error.message}")

    def _followed(self, patch: Patch) -> Patch:
        if patch.status in ("testing", "proven") and patch.experiment:
            experiment, _ = self.proving.experiments.get(patch.experiment)
            patch = self._decided(patch, experiment)
        if patch.status == "released" and (back := self._rolled_back(patch)):
            return self._now(patch, "rolled_back", back.reason)
        return patch

    def _decided(self, patch: Patch, experiment: Experiment) -> Patch:
        if experiment.status == "promoted":
            number = self._released(patch, experiment)
            return self._now(patch, "released", experiment.outcome, version=number)
        became: dict[str, PatchStatus] = {"proven": "proven", "no_difference": "rejected", "stopped": "rejected"}
        status = became.get(experiment.status, patch.status)
        return patch if status == patch.status else self._now(patch, status, experiment.outcome)

    def _released(self, patch: Patch, experiment: Experiment) -> int | None:
        made = self.proving.versions.store.releases(_kind(patch), patch.target)
        return next((one.number for one in made if one.experiment == experiment.id), patch.version)

    def _rolled_back(self, patch: Patch) -> Release | None:
        its = (_kind(patch), patch.target, patch.version)
        backs: Sequence[tuple[Release, Release]] = self.proving.versions.store.rolled_back()
        return next((back for back, undone in backs if (undone.kind, undone.name, undone.number) == its), None)

    def _renewed(self, patch: Patch) -> Patch:
        """Hold a patch against what is in use by now; UsageError where nothing of it is left."""
        now = renewed(self.library, patch)
        if now != patch:
            self.patches.save(now, patch.status)
        if now.status == "rejected":
            raise UsageError(f"the patch is void: {now.why}", "make patches anew: loopwright patches make")
        return now

    def _written(self, patch: Patch) -> Patch:
        """Write the text of a patch down as a draft, once."""
        if patch.version is not None:
            return patch
        version = self.proving.versions.write("prompt", patch.target, patch.after, patch.title, author="patch")
        return self._now(patch, patch.status, patch.why, version=version.number)

    def _now(
        self, patch: Patch, status: PatchStatus, why: str, *, experiment: str = "", version: int | None = None
    ) -> Patch:
        number = patch.version if version is None else version
        its = experiment or patch.experiment
        after = dataclasses.replace(patch, status=status, why=why, experiment=its, version=number)
        self.patches.save(after, patch.status)
        return after

    def _check(self, patch: Patch, *statuses: PatchStatus) -> None:
        if not patch.is_deployable:
            way = "apply" if patch.surface == "config" else "run"
            hint = f"loopwright patches {way} {short(patch.id)}"
            raise UsageError(f"a {patch.type} needs a human's hand", hint)
        if patch.status not in statuses:
            raise UsageError(f"the patch is {patch.status}: {patch.why}", "see: loopwright patches list")


def _kind(patch: Patch) -> Kind:
    return "prompt" if patch.surface == "prompt" else "profile"
