"""The store and the repository -> a window: all that rules read of some sessions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.signal import Signal
from loopwright.records.window import Brought, Prompt, Window
from loopwright.release.equipment import filled
from loopwright.release.first_prompts import prompt_names
from loopwright.release.versions import Versions
from loopwright.store.measured import Measured
from loopwright.store.outcomes import Outcomes
from loopwright.store.windows import Windows
from loopwright.text.brought import brought_by

BESIDE = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
_LARGEST = 1_000_000
"""A prompt that is larger is not read."""


@dataclass(frozen=True)
class Gathering:
    """Reads windows."""

    measured: Measured
    outcomes: Outcomes
    windows: Windows
    versions: Versions
    delights: Collection[str] = ()
    """Types of signals that are good news."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that agents read by themselves -> their text."""

    def window(self, since: str = "", limit: int | None = None, known: Sequence[Finding] = ()) -> Window:
        """Read the newest sessions since a moment."""
        cases = self.outcomes.cases(since, limit)
        run_ids = [case.run_id for case in cases]
        offered = self.windows.offered(run_ids)
        ours = any(not case.source for case in cases)
        return Window(
            cases,
            self.friction(cases, every=not since and limit is None),
            self.measured.precision(),
            self.windows.used(run_ids),
            self.windows.errors(run_ids),
            offered,
            self.windows.commands([one.run_id for one in offered]),
            self.windows.requests(run_ids),
            self._prompts(cases),
            self.beside if ours else {},
            self._brought(run_ids),
            known,
        )

    def friction(self, cases: Sequence[Case], *, every: bool) -> list[Signal]:
        """Give the signals of sessions, without good news; of every session they are read in one go."""
        found = self.measured.signals(None if every else [case.run_id for case in cases])
        return [signal for signal in found if signal.type not in self.delights]

    def _prompts(self, cases: Sequence[Case]) -> list[Prompt]:
        """Give what workers are told in the task types of our own runs; nobody else is told it."""
        types: dict[str, list[str]] = defaultdict(list)
        for case in cases:
            if not case.source:
                types[case.task_type or "other"].append(case.run_id)
        names, known = {f"worker/{task_type}": runs for task_type, runs in types.items()}, prompt_names()
        return [
            Prompt(name, filled(self.versions.get("prompt", name).content), runs)
            for name, runs in sorted(names.items())
            if name in known
        ]

    def _brought(self, run_ids: Sequence[str]) -> list[Brought]:
        contexts = self.windows.contexts(run_ids)
        files = {run_id: brought_by(_first_prompt(place)) for run_id, place in contexts}
        named: dict[str, list[str]] = defaultdict(list)
        for run_id, text in self.windows.touched([run_id for run_id, paths in files.items() if paths]):
            named[run_id].append(text)
        return [
            Brought(run_id, path, tokens, any(path in text for text in named[run_id]))
            for run_id, paths in files.items()
            if named[run_id]  # of an agent whose calls nobody knows, nothing can be said
            for path, tokens in paths.items()
        ]


def told_beside(root: Path) -> dict[str, str]:
    """Read the files at the root of a repository that agents read by themselves."""
    found = {name: _read(root / name) for name in BESIDE}
    return {name: text for name, text in found.items() if text.strip()}


def _first_prompt(artifacts: str) -> str:
    """Read what a run was told first; nothing where it is gone."""
    return _read(Path(artifacts) / "prompts" / "001.md")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.stat().st_size <= _LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return ""
