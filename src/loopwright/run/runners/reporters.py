"""The lines that our reporters for pytest and unittest write -> a tally."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.runners.report import read_bytes

REPORTING = Path(__file__).parent / "reporting"
_OUTCOMES: dict[str, TestOutcome] = {"passed": "passed", "failed": "failed", "skipped": "skipped"}


class Reporting:
    """What runners with a reporter of ours do alike."""

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        return read_reports(folder)

    def shown(self, output: str) -> str:
        return output


def lend(name: str, folder: Path) -> Path:
    """Copy a reporter to where the project's Python finds it, and nobody else's code lies."""
    return Path(shutil.copyfile(REPORTING / name, folder / name))


def read_reports(folder: Path) -> Tally | None:
    """Put the reports of a folder together; None where there is none, or one was never finished."""
    tallies = [_read(path) for path in sorted(folder.glob("*.jsonl"))]
    whole = [tally for tally in tallies if tally is not None]
    if not whole or len(whole) < len(tallies):
        return None
    outcomes: dict[str, TestOutcome] = {}
    files: dict[str, str] = {}
    for number, tally in enumerate(whole):
        for name, outcome in tally.outcomes.items():
            unique = name if name not in outcomes else f"{name} ({number + 1})"
            outcomes[unique], files[unique] = outcome, tally.files.get(name, "")
    trouble = ", ".join(filter(None, (tally.trouble for tally in whole)))
    return Tally("report", outcomes, files, trouble, tuple(name for tally in whole for name in tally.foreign))


def _read(path: Path) -> Tally | None:
    outcomes: dict[str, TestOutcome] = {}
    files: dict[str, str] = {}
    troubles: list[str] = []
    foreign: list[str] = []
    finished: bool | None = None
    for kind, *values in _lines(path):
        match kind, values:
            case "found", [str(name), str(file)]:
                outcomes.setdefault(name, "unrun")
                files[name] = file
            case "ended", [str(name), str(said)] if outcomes.get(name) != "failed":
                outcomes[name] = _OUTCOMES.get(said, outcomes.get(name, "unrun"))
            case "trouble", [str(text)]:
                troubles.append(text)
            case "foreign", [list(names)]:
                foreign += map(str, names)
            case "end", [int(code)]:
                finished = code == 0
    if finished is None:
        return None
    if finished:  # what was found and never run was left out on purpose, such as a class whose set-up says so
        outcomes = {name: "skipped" if said == "unrun" else said for name, said in outcomes.items()}
    return Tally("report", outcomes, files, ", ".join(troubles), tuple(foreign))


def _lines(path: Path) -> Iterator[list[Any]]:
    """Read what is there. The code under test ran in the process that wrote it: nothing is taken for granted."""
    for line in (read_bytes(path) or b"").decode(errors="replace").splitlines():
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, list) and data:
            yield data
