"""A diff -> HTML: one box for each file."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.export.markup import text

_LONGEST = 2_000_000
_MOST_LINES = 5000
"""Of one file."""


def shown(diff: str) -> str:
    """Show a diff, file by file; nothing where there is none."""
    if not diff.strip():
        return ""
    cut = '<p class="warn">the rest is left out: it is too long for a page</p>' if len(diff) > _LONGEST else ""
    files = _files(diff[:_LONGEST].splitlines())
    boxes = [_box(lines, is_open=len(files) <= 5 and len(lines) <= 300) for lines in files]
    return f'<div class="diff">{"".join(boxes)}</div>{cut}'


def _files(lines: Sequence[str]) -> list[list[str]]:
    files: list[list[str]] = []
    for line in lines:
        if line.startswith("diff --git ") or not files:
            files.append([])
        files[-1].append(line)
    return files


def _box(lines: Sequence[str], *, is_open: bool) -> str:
    added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("---") for line in lines)
    name = lines[0].rpartition(" b/")[2] if lines[0].startswith("diff --git ") else lines[0]
    body = "\n".join(_line(line) for line in lines[:_MOST_LINES])
    more = f"\n… {len(lines) - _MOST_LINES:,} more lines" if len(lines) > _MOST_LINES else ""
    counts = f'<span class="added">+{added:,}</span> <span class="removed">−{removed:,}</span>'
    summary = f'<summary><span class="mono">{text(name)}</span> {counts}</summary>'
    return f'<details class="box"{" open" if is_open else ""}>{summary}<pre>{body}{more}</pre></details>\n'


def _line(line: str) -> str:
    kind = {"+": "added", "-": "removed", "@": "place"}.get(line[:1])
    return f'<span class="{kind}">{text(line)}</span>' if kind else text(line)
