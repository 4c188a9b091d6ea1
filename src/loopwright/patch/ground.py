"""What patches are made from, besides findings: all that is known and in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.finding import Finding
from loopwright.records.identity import new_id, timestamp
from loopwright.records.library import Entry
from loopwright.records.patch import Patch, PatchesSettings, Surface
from loopwright.records.pattern import Case

WORKER = "worker/"


@dataclass(frozen=True)
class Ground:
    """What is known and in use when patches are made."""

    cases: Sequence[Case] = ()
    entries: Mapping[str, Entry] = field(default_factory=dict)
    """`name@number` -> the entry, of those that may be told."""
    told: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """`worker/bug_fix` -> the entries that it is told."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """`worker/bug_fix` -> the prompt in use."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """`run.model` -> its value."""
    limits: PatchesSettings = field(default_factory=PatchesSettings)

    def runs_of(self, target: str) -> Sequence[Case]:
        """Give the runs of ours that a target was told to."""
        task_type = target.removeprefix(WORKER)
        return [case for case in self.cases if case.task_type == task_type and not case.source]

    def is_known_enough(self, target: str) -> bool:
        """Say whether there are runs enough to change what somebody is told."""
        return len(self.runs_of(target)) >= self.limits.runs

    def failures(self, runs: Sequence[str]) -> tuple[str, ...]:
        """Give the most telling of some runs: what failed, then what took more than one try."""
        known = {case.run_id: case for case in self.cases}

        def badness(run_id: str) -> int:
            case = known.get(run_id)
            return 0 if case is None else 2 * (case.passed is False) + (case.first_pass is False)

        return tuple(sorted(runs, key=badness, reverse=True)[: self.limits.failures])


Proposer = Callable[[Finding, Ground], Iterable[Patch]]
"""One way to make patches of a finding; whoever asks a model is one, too."""


def is_about(finding: Finding, name: str) -> bool:
    """Say whether a finding is about a type of signal, one of its categories or a rule, by the names in its key."""
    return f"/{name}/" in f"/{finding.rule}/{finding.key.replace(' ', '/')}/"


def new_patch(
    surface: Surface, target: str, finding: Finding, title: str, reason: str, before: str, after: str, author: str
) -> Patch:
    """Make a patch that nobody has looked at yet."""
    return Patch(
        *(new_id(), surface, target, finding.key, title, reason, before, after, author, timestamp()),
        runs=tuple(finding.runs),
    )
