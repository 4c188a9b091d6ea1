"""A finding -> the library entries that are a remedy for it and that are not told yet, each as a patch."""

from __future__ import annotations

import json
from collections.abc import Iterator

from loopwright.patch.ground import WORKER, Ground, is_about, new_patch
from loopwright.records.finding import Finding
from loopwright.records.library import Entry
from loopwright.records.patch import Patch


def remedies(finding: Finding, ground: Ground) -> Iterator[Patch]:
    """Give one patch for each remedy, what helped most often first."""
    target = finding.target
    if not target.startswith(WORKER) or not ground.is_known_enough(target):
        return
    told = list(ground.told.get(target, ()))
    names = {title.partition("@")[0] for title in told}
    fitting = [(title, entry) for title, entry in ground.entries.items() if _fits(entry, finding)]
    for title, entry in sorted(fitting, key=lambda item: (item[1].harmful - item[1].helpful, item[0])):
        if entry.name not in names:
            reason = f"{finding.title}: {finding.detail} {_evidence(entry)}"
            words = (f"Tell {target} to: {entry.title}", reason, json.dumps(told), json.dumps([*told, title]))
            yield new_patch("playbook", target, finding, *words, author=f"library {entry.name}")


def added(patch: Patch) -> list[str]:
    """Name the entries that a patch adds."""
    before = json.loads(patch.before)
    return [title for title in json.loads(patch.after) if title not in before]


def _fits(entry: Entry, finding: Finding) -> bool:
    task_type = finding.target.removeprefix(WORKER)
    if entry.status != "active" or entry.role != "worker" or (entry.applies_to and task_type not in entry.applies_to):
        return False
    return any(is_about(finding, name) for name in entry.detection)


def _evidence(entry: Entry) -> str:
    counts = f"helped {entry.helpful} times, harmed {entry.harmful} times so far"
    return f"The library has a remedy for it, `{entry.name}` ({entry.source or 'unknown source'}; {counts})."
