"""`loopwright doctor`: what works here and what is missing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click
from rich.text import Text

from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.doctor import examine

_MARKS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "missing": ("✗", "red")}


@click.command()
@where
@as_json
def doctor(repo: Path, home: str | None, as_json: bool) -> int:
    """Say what works here, what is missing, and how to mend it. Leaves with 1 when a run could not start."""
    symptoms = list(examine(repo, home))
    if as_json:
        print_json([dataclasses.asdict(symptom) for symptom in symptoms])
    else:
        out, width = console(), max(len(symptom.name) for symptom in symptoms) + 2
        for symptom in symptoms:
            out.print(Text.assemble(_MARKS[symptom.state], f" {symptom.name:<{width}}{symptom.detail}"))
            if symptom.hint:
                out.print(Text.assemble(" " * (width + 2), (f"→ {symptom.hint}", "dim")))
    return 1 if any(symptom.state == "missing" for symptom in symptoms) else 0
