"""Figures of a run, in words that people read."""

from __future__ import annotations

from collections.abc import Iterable

from loopwright.export.analysis import Analysis
from loopwright.records.evaluation import Evaluation, scored
from loopwright.text.agent_habits import Habits

_JUDGEMENTS = 3


def figures(analysis: Analysis) -> list[tuple[str, str]]:
    """Give what is worth knowing at first sight, each with its name; what is not known is left out."""
    return [(name, value) for name, value in _figures(analysis) if value]


def _figures(analysis: Analysis) -> Iterable[tuple[str, str]]:
    bundle, told = analysis.bundle, analysis.to_dict()
    run, session = bundle.run, bundle.session
    yield "judged", ", ".join(judged(one) for one in bundle.evaluations[-_JUDGEMENTS:])
    yield "agent", run.profile.agent
    yield "model", analysis.model
    yield "profile", run.profile.name if not run.source else ""
    yield "started", run.started_at[:16].replace("T", " ")
    yield "time", duration(run.spent.seconds)
    yield "at work", duration(session.active_s) if session else ""
    yield "iterations", str(run.spent.iterations) if not session else ""
    yield "cost", f"${run.spent.cost_usd:,.4f}"
    yield "tokens in", f"{run.spent.tokens.total - run.spent.tokens.output:,}"
    yield "tokens out", f"{run.spent.tokens.output:,}"
    yield "tool calls", f"{told['tool_calls']:,}"
    yield "tool errors", f"{told['tool_errors']:,}"
    if session:
        yield "prompts", f"{session.prompts:,}"
        yield "interrupts", _some(session.interrupts)
        yield "rejections", _some(session.rejections)
    if analysis.habits and analysis.habits.edits:
        yield from [(name, value) for name, value in habit_figures(analysis.habits) if value != "0"]


def _some(count: int) -> str:
    return f"{count:,}" if count else ""


def habit_figures(habits: Habits) -> Iterable[tuple[str, str]]:
    """Give how an agent went about it, each figure with its name."""
    yield "reads before the first edit", f"{habits.reads_before_edit:,}"
    yield "edits of files read before", f"{habits.edits_of_read:,} of {habits.edits_of_known:,}"
    yield "calls again after failing", f"{habits.retries:,}"
    yield "requests made again", f"{habits.model_retries:,}"


def judged(evaluation: Evaluation) -> str:
    """Say in few words what was thought of a run: whether it passed, and its score."""
    passed = {True: "passed", False: "failed", None: ""}[evaluation.passed]
    score = "" if evaluation.score is None else scored(evaluation.score)
    return " · ".join(part for part in (passed, score) if part)


def duration(seconds: float) -> str:
    """Write a duration as people say it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
