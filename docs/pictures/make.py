"""Makes the pictures of `loopwright scan` from sessions that nobody had: python docs/pictures/make.py."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))
os.environ["HOME"] = "/home/ada"

from rich.console import Console  # noqa: E402 - after the home is set
from rich.terminal_theme import TerminalTheme  # noqa: E402
from rich.text import Text  # noqa: E402

from loopwright.cli.scan_notes import notes_of  # noqa: E402
from loopwright.cli.scan_page import write_page  # noqa: E402
from loopwright.cli.scan_screen import Screen  # noqa: E402
from loopwright.detecting import delights  # noqa: E402
from loopwright.ingest.files import find_files  # noqa: E402
from loopwright.ingest.report import Report, report_of  # noqa: E402
from loopwright.measure.friction import Felt, felt  # noqa: E402
from loopwright.taking import make_scan  # noqa: E402
from loopwright.wire import make_measuring, open_record  # noqa: E402
from made_up import world  # noqa: E402

_THEME = TerminalTheme(
    (22, 22, 26),
    (214, 214, 210),
    [(60, 60, 66), (235, 110, 100), (120, 190, 120), (220, 180, 80), (95, 160, 230), (190, 130, 210), (90, 180, 215)],
)
_WIDTH = 100
_CHROMIUM = "--headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-background-networking"


def scanned(folder: Path) -> tuple[Report, Felt]:
    """Read made-up sessions into a store that nobody keeps."""
    for session in world():
        session.write(folder / "sessions")
    record = open_record(folder, str(folder / "state"))
    found = make_scan(record).scan(list(find_files([folder / "sessions"])))
    make_measuring(record).measure(found.runs)
    report = report_of(record.store.observed.summaries(found.runs), found.new)
    return report, felt(record.store.measured.signals(found.runs), delights(record.settings))


def draw_terminal(report: Report, found: Felt) -> None:
    """Draw what the terminal shows: all of it, and the first part."""
    shown = io.StringIO()
    out = Console(file=shown, width=_WIDTH, force_terminal=True, color_system="standard", highlight=False)
    Screen(out).show(report, notes_of(report), [], html=False, felt=found)
    lines = shown.getvalue().splitlines()
    end = next(place for place, line in enumerate(lines) if "Files read again" in line)
    draw(lines, HERE / "scan.svg")
    draw(lines[: end - 1], HERE / "scan-first.svg")


def draw(lines: Sequence[str], file: Path) -> None:
    """Draw lines of a terminal; the fonts are those of whoever looks at it."""
    out = Console(file=io.StringIO(), record=True, width=_WIDTH, force_terminal=True, highlight=False)
    out.print(Text.from_ansi("\n".join(lines)))
    drawn = out.export_svg(title="loopwright scan", theme=_THEME, unique_id="scan")
    drawn = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", drawn, flags=re.DOTALL)
    file.write_text(drawn, encoding="utf-8")


def draw_page(report: Report, found: Felt, folder: Path) -> None:
    """Take a picture of the page, where there is a browser for it."""
    write_page(folder / "report.html", report, notes_of(report), found)
    if browser := shutil.which("chromium"):
        options = [*_CHROMIUM.split(), f"--user-data-dir={folder / 'browser'}", "--window-size=1000,1330"]
        shot = [f"--screenshot={HERE / 'scan-page.png'}", (folder / "report.html").as_uri()]
        subprocess.run([browser, *options, *shot], check=True, capture_output=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        made = scanned(Path(name))
        draw_terminal(*made)
        draw_page(*made, Path(name))
