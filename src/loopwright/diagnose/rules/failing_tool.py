"""Tools that mostly fail; and those other than a shell that fail often, for a shell's commands may fail by design."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from loopwright.diagnose.grouping import MOST_RUNS, plain
from loopwright.records.finding import Finding
from loopwright.records.window import Erred, Looked, Used, Window
from loopwright.statistics.intervals import lower_bound
from loopwright.text.tool_names import is_shell

NAME = "failing_tool"
MOSTLY, OFTEN = 0.5, 0.2
"""What share of its calls fails at the least, with 90% certainty."""
_A_SESSION = 5
"""So many calls of one session count: one that is stuck says little of the tool."""
_SESSIONS, _SHELLS = 2, 5
"""In so many sessions it fails; a shell in more, and of it each session counts once: commands fail in loops."""
_MESSAGE = 200


def failing_tool(window: Window) -> Iterator[Looked]:
    """Look at each tool that was called."""
    groups: dict[str, list[Used]] = defaultdict(list)
    for use in window.used:
        if use.tool and use.calls:
            groups[plain(use.tool)].append(use)
    for tool, uses in sorted(groups.items()):
        yield _looked(tool, uses, window.errors)


def _looked(tool: str, uses: Sequence[Used], errors: Sequence[Erred]) -> Looked:
    calls, failed = sum(use.calls for use in uses), sum(min(use.failed, use.calls) for use in uses)
    most, fewest, share = (1, _SHELLS, MOSTLY) if is_shell(tool) else (_A_SESSION, _SESSIONS, OFTEN)
    counted = sum(min(use.calls, most) for use in uses)
    against = sum(round(min(use.calls, most) * min(1.0, use.failed / use.calls)) for use in uses)
    least = lower_bound(against, counted)
    bad = sorted((use for use in uses if use.failed), key=lambda use: (-use.failed, use.run_id))
    mostly = least >= MOSTLY
    finding = Finding(
        key=f"{NAME}/{tool}",
        goal="capabilities" if mostly else "accuracy",
        rule=NAME,
        title=f"The tool `{tool}` {'mostly' if mostly else 'often'} fails",
        detail=f"{failed:,} of {calls:,} calls failed, in {len(bad):,} of {len(uses):,} sessions{_why(tool, errors)}",
        sessions=len(bad),
        of=len(uses),
        certainty=round(min(0.95, 0.5 + least / 2), 4),
        target=f"tool {tool}",
        waste_seconds=round(sum(use.seconds * use.failed / use.calls for use in bad), 3),
        runs=[use.run_id for use in bad[:MOST_RUNS]],
    )
    return Looked(finding, len(bad) >= fewest and least >= share)


def _why(tool: str, errors: Sequence[Erred]) -> str:
    """Quote the error that is most frequent."""
    counts: dict[str, int] = defaultdict(int)
    for error in errors:
        if plain(error.tool) == tool:
            counts[" ".join(error.message.split())[:_MESSAGE]] += error.times
    return f"; most often: {max(sorted(counts), key=lambda text: counts[text])}" if counts else ""
