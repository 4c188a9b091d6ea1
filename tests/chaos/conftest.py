"""What chaos needs: scenes on both databases, seeds, and a table at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chaos.scene import Scene
from world import Repo

LONG = bool(os.environ.get("CHAOS"))
SEED = int(os.environ.get("CHAOS_SEED", "1"))
Row = Callable[..., None]


@pytest.fixture(params=["sqlite", "postgres"] if LONG else ["sqlite"])
def scene(repo: Repo, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Scene]:
    folder = tmp_path / "chaos"
    folder.mkdir()
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    yield Scene(repo, folder, url)


@pytest.fixture
def row(record_property: Callable[[str, object], None], request: pytest.FixtureRequest) -> Row:
    """Give a function that notes a line of the table."""

    def note(fault: str, **figures: Any) -> None:
        record_property("chaos", (fault, figures))

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table: faults, lost, doubled, orphans, seconds to go on."""
    rows: dict[str, dict[str, float]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            for name, value in report.user_properties:
                if name == "chaos" and report.when == "call":
                    fault, figures = value
                    total = rows.setdefault(fault, {"faults": 0, "lost": 0, "doubled": 0, "orphans": 0, "seconds": 0})
                    for key, figure in figures.items():
                        total[key] = max(total[key], figure) if key == "seconds" else total[key] + figure
    if rows:
        terminalreporter.section(f"chaos, seed {SEED}")
        form = "{:<58}{:>8}{:>8}{:>9}{:>9}{:>18}"
        terminalreporter.write_line(form.format("fault", "faults", "lost", "doubled", "orphans", "seconds to go on"))
        for fault, total in sorted(rows.items()):
            cells = [int(total[name]) for name in ("faults", "lost", "doubled", "orphans")]
            terminalreporter.write_line(form.format(fault, *cells, f"{total['seconds']:.1f}"))
