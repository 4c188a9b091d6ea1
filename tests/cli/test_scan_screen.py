"""The report as a person sees it on a terminal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console

from loopwright.cli.scan_screen import Screen
from loopwright.ingest.report import report_of
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse


def session(number: int = 1, **told: object) -> Summary:
    given: dict[str, object] = {
        "agent": "claude_code",
        "project": "/home/ada/code/shop",
        "goal": "Fix the login",
        "started_at": f"2026-11-{number:02}T10:00:00.000Z",
        "cost_usd": 1.0,
        "tokens": Usage(1, 100, 900, 0),
        "active_s": 600.0,
        "usage": [DailyUsage(f"2026-11-{number:02}", "a-model", Usage(1, 100, 900), 1.0)],
        "tools": [ToolUse("Bash", 10, 1, 10, 30.0), ToolUse("Read", 5)],
    }
    return Summary(f"run-{number:08}", f"s{number}", path="/a.jsonl", **(given | told))  # type: ignore[arg-type]


def shown(
    *sessions: Summary, width: int = 80, notes: tuple[str, ...] = (), colour: bool = False, html: bool = False
) -> str:
    out = io.StringIO()
    system: Literal["standard"] | None = "standard" if colour else None
    console = Console(file=out, width=width, force_terminal=colour, color_system=system, no_color=False)
    Screen(console).show(report_of(sessions, 1), notes, [Path("/home/ada/my sessions")], html)
    return out.getvalue()


def test_a_small_report_is_whole() -> None:
    """Totals, projects, models, tools and sessions are there, each figure with its name."""
    lines = [" ".join(line.split()) for line in shown(session(1), session(2)).splitlines()]
    assert lines[1:7] == [
        "Where your agents spend it",
        "2 sessions, 1 new · 1 project · 2026-11-01 to 2026-11-02",
        "",
        "$2.00 20 min 2.0k 30 0",
        "at list prices at work tokens, 90% cached tool calls, 7% failed prompts",
        "",
    ]
    assert "██ most: $1.00 2026-11-01" in lines
    assert "/home/ada/code/shop ━━━━━━━━━━ $2.00 100% 20 min 2" in lines
    assert "a-model ━━━━━━━━━━ $2.00 100% 1.8k 200" in lines
    assert "Bash ━━━━━━━━━━ 20 2 10% 1 min" in lines
    assert "Read ━━━━━ 10 ?" in lines
    assert "00000001 2026-11-01 $1.00 10 min Fix the login" in lines


def test_what_to_do_next_can_be_copied() -> None:
    """The last lines are commands, with ids and paths as a shell takes them; what was done is not proposed."""
    lines = shown(session()).splitlines()[-2:]
    assert lines[0].startswith("→ loopwright show 00000001 ")
    assert lines[1].startswith("→ loopwright scan '/home/ada/my sessions' --html report.html ")
    assert "--html" not in shown(session(), html=True)


@pytest.mark.parametrize("width", [40, 80, 120, 300])
def test_it_fits(width: int) -> None:
    """No table is wider than the terminal, nor than can be read with ease; ids are never cut."""
    long = session(3, project="/" + "very/long/" * 30, goal="word " * 80, interrupts=2, reread={"/x/" * 60: 9})
    text = shown(long, *[session(number) for number in range(4, 14)], width=width, notes=("note " * 60,))
    assert max(len(line) for line in text.splitlines() if not line.startswith("→")) <= min(width, 120)
    assert text.count("00000003") >= 2


def test_empty_parts_are_left_out() -> None:
    """A session of which little is known makes a short report without empty tables."""
    text = shown(Summary("run-00000001", "s", "claude_code", "/a"))
    assert "Projects" in text
    for name in ("By day", "Models", "Agents", "Tools", "Dearest", "Files", "stepped in", "median", "does not know"):
        assert name not in text


def test_agents_are_compared_where_there_are_several() -> None:
    """With one agent there is nothing to compare."""
    assert "Agents" not in shown(session())
    other = Summary("run-00000002", "s2", "codex", "/b", cost_usd=1.0)
    assert "codex" in shown(session(), other)


def test_people_stepping_in_and_files_read_again_are_shown() -> None:
    """Interrupts, rejections and files that were read again and again have tables of their own."""
    text = shown(session(interrupts=1, rejections=2, reread={"/home/ada/a.py": 7}))
    assert "1 interrupt, 2 rejections  Fix the login" in text
    assert "/home/ada/a.py" in text
    assert "7×  1 session" in text


def test_what_stands_out_is_beside_the_median() -> None:
    """With enough sessions the median is told, and who is far from it; or that nobody is."""
    usual = [session(number) for number in range(1, 11)]
    assert "($1.00 · 10 min at work · 1 tool error)\n  No session stands out." in shown(*usual)
    assert "$50.00  50×  Fix the login" in shown(*usual, session(20, cost_usd=50.0))


def test_what_is_unknown_is_a_question_mark() -> None:
    """A model without a price has none, and the bars are of tokens where nothing has one."""
    unknown = session(cost_usd=0.0, usage=[DailyUsage("2026-11-01", "ours", Usage(1, 100, 900))])
    row = next(line for line in shown(unknown).splitlines() if line.strip().startswith("ours"))
    assert row.split()[1:3] == ["━━━━━━━━━━", "?"]


def test_words_of_others_are_words() -> None:
    """Colours, markup and marks that turn text around do nothing."""
    nasty = "[bold red]x[/]\x1b[31m\u202ey\nz"
    text = shown(session(goal=nasty, project=nasty, tools=[ToolUse(nasty, 1)], reread={nasty: 5}))
    assert "\x1b" not in text
    assert text.count("[bold red]x[/]�y z") == 2
    assert text.count("[bold red]x[/]�y�z") == 2


def test_colour_is_there_where_it_is_wanted() -> None:
    """A terminal with colours gets some, and the same words."""
    text = shown(session(), colour=True)
    assert "\x1b[1;36m$1.00" in text


def test_more_rows_than_shown_are_counted() -> None:
    """A table that is cut says of how many rows it shows the first."""
    assert "Dearest sessions  8 of 12" in shown(*[session(number) for number in range(1, 13)])


@pytest.mark.parametrize("width", [1, 10, 20, 29, 30, 31, 34, 40, 59, 60, 100, 200])
def test_any_terminal_is_wide_enough(width: int) -> None:
    """Nothing fails; from 20 columns on every amount of money is whole and every table has its names."""
    found = shown(*(session(number, cost_usd=57.3) for number in range(1, 9)), width=width)
    if width >= 20:
        assert "$458.40" in found and "$57.30" in found and "$57.…" not in found and "$57.3…" not in found
        assert all(name in found for name in ("Projects", "Models", "Tools", "shop", "a-model", "Bash"))


def test_a_project_that_told_nothing_has_no_cost() -> None:
    """Neither its tokens nor its price are known: that is no `$0.00`."""
    silent = session(2, project="/silent", cost_usd=0.0, tokens=Usage(), usage=[])
    lines = [line.split() for line in shown(session(1), silent).splitlines()]
    (row,) = [line for line in lines if line[:1] == ["/silent"]]
    assert row[1] == "?"
