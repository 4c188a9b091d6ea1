"""A run -> one page that opens offline: figures, timeline, checks, tools, errors, every event, the diff.

Everything that somebody else wrote goes through markup.py, and the page's policy (elements.py) allows no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.export import events as _events
from loopwright.export import timeline
from loopwright.export.analysis import Analysis
from loopwright.export.diff import shown as shown_diff
from loopwright.export.elements import Markup, document
from loopwright.export.markup import coloured, text
from loopwright.export.style import STYLE
from loopwright.export.words import figures, judged
from loopwright.records.check import Check, Verdict
from loopwright.records.evaluation import Evaluation
from loopwright.records.identity import short
from loopwright.records.run import Attempt, Status

_GOOD = {Status.DONE: "good", Status.FAILED: "bad", Status.ESCALATED: "warn", Status.CANCELLED: "warn"}


def page(analysis: Analysis) -> str:
    """Write a run as a page; the bundle of the analysis has the events."""
    bundle = analysis.bundle
    parts = [
        _head(analysis),
        _section("Timeline", f'<div class="scroll">{drawn}</div>' if (drawn := timeline.drawn(bundle.events)) else ""),
        _section("Checks", _checks(bundle.checks)),
        _section("Evaluations", _evaluations(bundle.evaluations)),
        _section("Attempts", "".join(map(_attempt, bundle.attempts)) if len(bundle.attempts) > 1 else ""),
        _section("Tools", _tools(analysis)),
        _section("Errors", _errors(analysis)),
        _section("Comments", "".join(f"<pre>{coloured(comment.text)}</pre>" for comment in bundle.comments)),
        _section(f"Events ({len(bundle.events):,})", _events.listed(bundle.events)),
        _section("Changes", shown_diff(bundle.diff)),
    ]
    title = f"Run {short(bundle.run.id)}: {bundle.run.status}"
    return document(title, STYLE, Markup("\n".join(parts)))


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>\n" if content else ""


def _head(analysis: Analysis) -> str:
    run = analysis.bundle.run
    state = f'<span class="badge {_GOOD.get(run.status, "dim")}">{run.status}</span>'
    why = f" {text(run.reason)}" if run.reason else ""
    first, _, rest = run.task.goal.strip().partition("\n")
    goal = f'<p class="goal">{coloured(rest)}</p>' if rest.strip() else ""
    detail = f"<p>{coloured(run.detail)}</p>" if run.detail else ""
    tiles = [(value, name.removesuffix("s") if value == "1" else name) for name, value in figures(analysis)]
    shown = "".join(f"<div><b>{text(value)}</b><span>{text(name)}</span></div>" for value, name in tiles)
    about = " · ".join(text(part) for part in _about(analysis) if part)
    heading = f"<h1>{coloured(first) or 'A session without words'}</h1>"
    return (
        f'{heading}<p>{state}{why} <span class="dim">{about}</span></p>{goal}{detail}<div class="figures">{shown}</div>'
    )


def _about(analysis: Analysis) -> Iterable[str]:
    bundle = analysis.bundle
    run, session = bundle.run, bundle.session
    yield f"run {short(run.id)}"
    yield run.task.task_type
    yield f"session {session.session_id}" if session else ""
    yield session.project if session else run.repository
    yield f"base {run.base[:12]}" if run.base else ""
    yield f"branch {run.branch}" if run.branch else ""
    yield f"commit {run.commit[:12]}" if run.commit else ""


def _checks(checks: Sequence[Check]) -> str:
    if not checks:
        return ""
    rows = [
        [
            "before" if check.iteration == 0 else f"iteration {check.iteration}",
            _verdict(check.verdict),
            f"{text(check.criterion + check.remarks)}{_unfolding('evidence', check.evidence)}",
            f"{check.duration_s:.1f} s",
        ]
        for check in checks
    ]
    return _table(["when", "verdict", "criterion", "time"], rows, {3})


def _verdict(verdict: Verdict) -> str:
    return f'<span class="{"good" if verdict is Verdict.PASS else "bad"}">{verdict.mark} {verdict}</span>'


def _unfolding(title: str, words: str) -> str:
    if not words:
        return ""
    return f'<details class="box"><summary class="dim">{title}</summary><pre>{coloured(words)}</pre></details>'


def _evaluations(evaluations: Sequence[Evaluation]) -> str:
    looks = {True: "good", False: "bad", None: "dim"}
    rows = [
        [
            f'<span class="{looks[one.passed]}">{text(judged(one))}</span>',
            text(one.by),
            f"<pre>{coloured(one.reason)}</pre>" if one.reason else "",
            _unfolding("what the agent gave", one.raw_output),
        ]
        for one in evaluations
    ]
    return _table(["judged", "by", "why", ""], rows, set()) if rows else ""


def _attempt(attempt: Attempt) -> str:
    told = f"{attempt.ending or 'cut short'} · {attempt.duration_s:.1f} s · ${attempt.cost_usd:.4f}"
    changed = f" · {attempt.files_changed}" if attempt.files_changed else ""
    words = f"<pre>{coloured(attempt.output)}</pre>" if attempt.output else ""
    summary = f"<summary>{attempt.number}. {text(attempt.role)} · {text(told + changed)}</summary>"
    return f'<details class="box">{summary}{words}</details>'


def _tools(analysis: Analysis) -> str:
    rows = [
        [
            f'<span class="mono">{text(rollup.tool)}</span>',
            f"{rollup.calls:,}",
            f'<span class="{"bad" if rollup.failed else "dim"}">{rollup.failed:,}</span>',
            f"{rollup.duration_s:.1f} s" if rollup.timed else "",
        ]
        for rollup in analysis.tools
    ]
    return _table(["tool", "calls", "errors", "time"], rows, {1, 2, 3}) if rows else ""


def _errors(analysis: Analysis) -> str:
    rows = [
        [
            f"{group.count:,} ×",
            f'<a href="#e{group.first_seq}" class="mono">{text(group.fingerprint or "none")}</a>',
            text(group.tool),
            f"<pre>{coloured(group.message)}</pre>",
        ]
        for group in analysis.errors[:200]
    ]
    return _table(["how often", "fingerprint", "tool", "what the first one said"], rows, {0}) if rows else ""


def _table(names: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> str:
    def cells(row: Sequence[str], kind: str) -> str:
        mark = [' class="number"' if place in numbers else "" for place in range(len(row))]
        return "".join(f"<{kind}{mark[place]}>{cell}</{kind}>" for place, cell in enumerate(row))

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{cells(names, "th")}</tr>{body}</table></div>'
