"""What goes wrong -> patches that were never proposed before, written down."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopwright.cycle.crediting import Crediting
from loopwright.cycle.diagnosing import Diagnosing
from loopwright.cycle.proving import Proving
from loopwright.guard.guardrails import needs_human
from loopwright.patch.ground import WORKER, Ground, Proposer
from loopwright.patch.proposing import propose
from loopwright.patch.remedies import added
from loopwright.records.experiment import PROMPTS
from loopwright.records.finding import Finding
from loopwright.records.patch import Patch, PatchesSettings
from loopwright.records.pattern import Case
from loopwright.records.task import TASK_TYPES
from loopwright.records.version import Version
from loopwright.release.entries import split_title
from loopwright.release.learned import Library
from loopwright.release.profiles import LIBRARY, parameters, profile_content
from loopwright.store.patches import Patches


@dataclass(frozen=True)
class Patching:
    """What makes patches of findings."""

    patches: Patches
    proving: Proving
    library: Library
    diagnosing: Diagnosing
    settings: Mapping[str, Any] = field(default_factory=dict)
    """`run.model` -> its value."""
    limits: PatchesSettings = field(default_factory=PatchesSettings)

    def make(
        self,
        findings: Sequence[Finding] | None = None,
        more: Sequence[Proposer] = (),
        since: str = "",
        *,
        dry: bool = False,
    ) -> list[Patch]:
        """Write down what findings speak for, those of a window where none are given; give what is new.

        `more` are further ways to make patches, such as one that asks a model. `dry`: nothing is written.
        """
        cases = self.diagnosing.gathering.outcomes.cases(since)
        if findings is None:
            seen = self.diagnosing.findings(since).sightings
            findings = [one.finding for one in seen if one.change != "gone"]
        if not dry:
            self._renew()
        tried = self._tried()
        made = [patch for patch in propose(findings, self.ground(cases), more) if not tried & _changes(patch)]
        fitting = [patch for patch in made if patch.surface != "playbook" or self._has_room(patch)]
        return [patch for patch in map(self._judged, fitting) if dry or self.patches.add(patch)]

    def ground(self, cases: Sequence[Case]) -> Ground:
        """Read what is known and in use."""
        targets = [f"{WORKER}{task_type}" for task_type in TASK_TYPES]
        entries = Crediting(self.proving, self.library).entries()
        return Ground(
            cases,
            {version.title: entry for entry, version in entries if entry.status == "active"},
            {target: self.library.titles(target) for target in targets},
            {target: self.proving.versions.get("prompt", target).content for target in targets},
            self.settings,
            self.limits,
        )

    def _renew(self) -> None:
        """Hold what is proposed against what is in use by now."""
        for patch in self.patches.all("proposed"):
            if (now := renewed(self.library, patch)) != patch:
                self.patches.save(now, "proposed")

    def _tried(self) -> set[tuple[str, str]]:
        """Give all changes that were proposed, that evidence spoke against, or that were rolled back."""
        found = {change for patch in self.patches.all() for change in _changes(patch)}
        for experiment, _ in self.proving.experiments.all("no_difference"):
            for target in (f"{WORKER}{task_type}" for task_type in experiment.task_types):
                if experiment.parameter == LIBRARY:
                    found |= {(target, title) for title in experiment.treatment.value}
                elif PROMPTS.get(experiment.parameter) == "worker":
                    found.add((target, self.proving.versions.get("prompt", target, experiment.treatment.value).content))
        for _, undone in self.proving.versions.store.rolled_back():
            version = self.proving.versions.get(undone.kind, undone.name, undone.number)
            if version.kind == "prompt":
                found.add((version.name, version.content))
            elif version.kind == "profile":
                told = self.library.titles(version.name)
                was = parameters(version.content).get(LIBRARY, ())
                found |= {(version.name, title) for title in was if title not in told}
        return found

    def _has_room(self, patch: Patch) -> bool:
        return not self.library.telling(json.loads(patch.after)).left_out

    def _judged(self, patch: Patch) -> Patch:
        """Refuse what could not be put into use."""
        if not patch.is_deployable or patch.status != "proposed":
            return patch
        faults = self.proving.versions.faults(as_version(self.library, patch))
        human = needs_human(patch.target.partition("/")[0])
        why = "; ".join([*faults, *([human] if human else [])])
        return dataclasses.replace(patch, status="refused", why=why) if why else patch


def renewed(library: Library, patch: Patch) -> Patch:
    """Give a patch on top of what is in use by now; one that was made of other words is void."""
    if patch.surface == "playbook":
        told, wanted = library.titles(patch.target), added(patch)
        current = [library.get(split_title(title)[0]) for title in wanted]
        if wanted != [version.title for entry, version in current if entry.status == "active"]:
            return dataclasses.replace(patch, status="rejected", why="the entry was changed meanwhile")
        after = [*told, *(title for title in wanted if title not in told)]
        return dataclasses.replace(patch, before=json.dumps(told), after=json.dumps(after))
    if patch.surface == "prompt" and library.versions.get("prompt", patch.target).content != patch.before:
        return dataclasses.replace(patch, status="rejected", why="the prompt was changed meanwhile")
    return patch


def as_version(library: Library, patch: Patch) -> Version:
    """Give what a patch would put into use, in the shape of a version."""
    if patch.surface == "prompt":
        used = library.versions.get("prompt", patch.target)
        return dataclasses.replace(used, content=patch.after, author="patch")
    used = library.versions.get("profile", patch.target)
    told = {LIBRARY: json.loads(patch.after)}
    return dataclasses.replace(used, content=profile_content({**parameters(used.content), **told}), author="patch")


def _changes(patch: Patch) -> set[tuple[str, str]]:
    """Name what a patch changes: of a list of entries, each that it adds."""
    if patch.surface == "playbook":
        return {(patch.target, title) for title in added(patch)}
    return {(patch.target, patch.after)}
