"""A human's prompt -> without what they pasted: logs, stack traces, outputs of commands, blocks between tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LONGEST = 200
"""So much of a line shows what it is."""
_PASTED = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d\b"  # a time
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|FAIL(?:ED|URE|URES)?|PASS(?:ED)?)\b(?:\]|:| |$)"
    r"|(?:error|warning|fatal|panic)(?:\[\w+\]| \w+\d)?: "
    r"|(?:Error|Uncaught|Caused by|Unhandled|Exception)\b[^:]{0,40}: "
    r"|[\w.$]{0,100}(?:Error|Exception|Warning|Failure)(?::|$)|Traceback \(|File \"[^\"]*\", line \d"
    r"|at \S+ ?\(|at \S*[/.]\S*:\d|\.\.\. \d+ more"  # a frame of a stack
    r"|[\w./\\@-]+\.\w+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?::|$)"  # a place in a file
    r"|(?:npm|pnpm|yarn|make|ninja|cargo|gradle|bash|sh|zsh|git|docker|curl|pip)(?:\[\d+\])?: "
    r"|npm (?:ERR!|error|WARN|warn) |##\[|::(?:error|warning|group)|--- |\+\+\+ |@@ |diff --git |E {3,}|[=_*~-]{4,}"
    r"|[✓✗✘✔✖×●❌✕⨯]|(?:not )?ok \d+\b|[$%] \S|❯|\d+ \| |\[[\w:./-]+\] "
    r"|(?:Expected|Received|Actual|expected|received|actual|left|right|Got|got|Want|want) ?(?:value)?: "
    r"|(?:Process|Command|Job|Step|Task)\b.{0,40}\b(?:exit(?:ed)?|failed|completed)\b.{0,20}\bcode \d"
    r"|[\w.-]{1,40} +[|│] "  # a container's name
    r"|(?:thread|test|running) .{1,80}(?:panicked at|\.\.\. (?:ok|FAILED|failed)|\d+ tests?$)|Tests?(?: Suites)?: +\d"
    r"|={1,3} .{1,80} ={1,3}$"
)
_OPENED = re.compile(r"<([A-Za-z][\w-]{0,60})(?: [^<>]{0,200})?>")
_CLOSED = re.compile(r"</([A-Za-z][\w-]{0,60})>")


def unpasted(text: str) -> str:
    """Give what the human wrote: from the first line that shows itself pasted, its paragraph is left out."""
    lines = text.splitlines()
    closed = {match[1]: place for place, line in enumerate(lines) for match in _CLOSED.finditer(line)}
    return "\n".join(_kept(lines, closed))


def _kept(lines: Sequence[str], closed: dict[str, int]) -> Iterator[str]:
    until, within = -1, False
    for place, line in enumerate(lines):
        start = line.strip()[:_LONGEST]
        if place > until and (tag := _OPENED.match(start)):
            until = max(until, closed.get(tag[1], -1))
        within = bool(start) and (within or bool(_PASTED.match(start)))
        if place > until and not within:
            yield line
