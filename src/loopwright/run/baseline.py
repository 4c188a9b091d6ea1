"""What criteria came to at the base, kept on disk: the same tree, criterion and environment need no second look."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.records.check import Evidence, Verdict
from loopwright.records.environment import Environment
from loopwright.records.identity import canonical_hash
from loopwright.records.tally import Tally
from loopwright.run.dependencies import FOLDERS

Tallies = Mapping[str, Tally | None]
"""Command -> what became of its tests."""


@dataclass(frozen=True)
class Known:
    """A look at the base, as it was once taken."""

    evidence: Evidence
    tallies: Tallies
    duration_s: float


@dataclass(frozen=True)
class Baseline:
    """A folder of looks, each by the hash of all that it depends on."""

    folder: Path
    source: Path
    """Where the dependencies are that were used."""

    def key(self, tree: str, criterion_hash: str, environment: Environment) -> str:
        """Hash what the outcome depends on, as far as that can be told cheaply."""
        machine = {"platform": environment.platform, "interpreter": environment.interpreter}
        return canonical_hash({"tree": tree, "criterion": criterion_hash, **machine, "has": _installed(self.source)})

    def recall(self, key: str) -> Known | None:
        try:
            data = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            return _known(data)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def keep(self, key: str, known: Known) -> None:
        """Keep what is certain: what passes or fails, and does so each time."""
        if known.evidence.flaky or known.evidence.verdict not in (Verdict.PASS, Verdict.FAIL):
            return
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh = self.folder / f"{key}.{os.getpid()}"
            fresh.write_text(json.dumps(dataclasses.asdict(known), default=list), encoding="utf-8")
            fresh.replace(self.folder / f"{key}.json")


def _known(data: Mapping[str, Any]) -> Known:
    evidence = Evidence(**{**data["evidence"], "verdict": Verdict(data["evidence"]["verdict"])})
    tallies = {command: tally and _tally(tally) for command, tally in data["tallies"].items()}
    return Known(evidence, tallies, float(data["duration_s"]))


def _tally(data: Mapping[str, Any]) -> Tally:
    return Tally(**{**data, "foreign": tuple(data["foreign"]), "fresh": frozenset(data["fresh"])})


def _installed(source: Path) -> Sequence[Any]:
    """What is installed, by the names and times of what lies on top: an upgrade or a new package changes it."""
    places = [source / name for name in FOLDERS]
    places += [found for name in FOLDERS[:2] for found in (source / name).glob("lib/python*/site-packages")]
    seen = []
    for place in places:
        with suppress(OSError), os.scandir(place) as entries:
            seen += sorted((entry.name, entry.stat(follow_symlinks=False).st_mtime_ns) for entry in entries)
    return [item for item in seen if item[0] != "__pycache__"]
