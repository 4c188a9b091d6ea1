"""A run, summed up -> a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.export.analysis import Analysis
from loopwright.export.words import figures, judged
from loopwright.records.identity import short
from loopwright.text.excerpt import plain
from loopwright.text.fences import fenced

_ERRORS = 50
_MESSAGE = 1000
_WORDS = 4000
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]<>#|&~"})


def report(analysis: Analysis) -> str:
    """Tell in Markdown what a run came to; the words of others are quoted."""
    return "\n".join(_lines(analysis)) + "\n"


def _lines(analysis: Analysis) -> Iterable[str]:
    bundle = analysis.bundle
    run = bundle.run
    yield f"# Run {short(run.id)}: {run.status}{f' ({run.reason})' if run.reason else ''}"
    yield from ("", *[f"> {escaped(line)}" for line in _readable(run.task.goal).strip().splitlines()], "")
    if run.detail:
        yield from (escaped(_readable(run.detail)), "")
    yield f"- id: `{run.id}`"
    yield from (f"- {name}: {escaped(value)}" for name, value in figures(analysis))
    yield from _table("Tools", ("tool", "calls", "errors", "time"), _tools(analysis))
    yield from _table("Checks", ("criterion", "verdict", "iteration"), _checks(analysis))
    judgements = [(judged(one), one.by, one.reason[:_MESSAGE]) for one in bundle.evaluations]
    yield from _table("Evaluations", ("judged", "by", "why"), judgements)
    yield from _errors(analysis)
    if bundle.session and bundle.session.reread:
        rows = [(path, f"{often:,}") for path, often in bundle.session.reread.items()]
        yield from _table("Files read again and again", ("file", "times"), rows)
    words = bundle.attempts[-1].output if bundle.attempts else ""
    if words:
        yield from ("", "## The agent's last words", "", fenced(_readable(words)[-_WORDS:]))


def _tools(analysis: Analysis) -> list[tuple[str, ...]]:
    return [
        (used.tool, f"{used.calls:,}", f"{used.failed:,}", f"{used.duration_s:.1f} s" if used.timed else "")
        for used in analysis.tools
    ]


def _checks(analysis: Analysis) -> list[tuple[str, ...]]:
    return [
        (f"{check.criterion}{check.remarks}", f"{check.verdict.mark} {check.verdict}", str(check.iteration))
        for check in analysis.checks
    ]


def _errors(analysis: Analysis) -> Iterable[str]:
    if not analysis.errors:
        return
    yield from ("", "## Errors", "", "Like errors are counted together; paths, numbers and hashes do not count.")
    for group in analysis.errors[:_ERRORS]:
        tool = f" · {escaped(group.tool)}" if group.tool else ""
        yield from ("", f"### {group.count:,} × `{group.fingerprint or 'none'}`{tool}", "")
        yield fenced(_readable(group.message)[:_MESSAGE])
    if len(analysis.errors) > _ERRORS:
        left = len(analysis.errors) - _ERRORS
        yield from (
            "",
            f"{left:,} more {'kind' if left == 1 else 'kinds'} of error {'is' if left == 1 else 'are'} left out.",
        )


def _table(title: str, names: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterable[str]:
    if not rows:
        return
    yield from ("", f"## {title}", "", f"| {' | '.join(names)} |", f"| {' | '.join('---' for _ in names)} |")
    yield from (f"| {' | '.join(escaped(' '.join(cell.split())) for cell in row)} |" for row in rows)


def escaped(words: str) -> str:
    """Write words so that Markdown takes them as they are."""
    return _readable(words).translate(_SIGNS)


def _readable(words: str) -> str:
    return "".join(sign if sign.isprintable() or sign in "\n\t" else f"<U+{ord(sign):04X}>" for sign in plain(words))
