"""What was thought of a run, for people: evaluations of critics, feedback of humans."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from loopwright.cli.output import console, first_line
from loopwright.records.evaluation import Evaluation
from loopwright.records.feedback import Feedback
from loopwright.records.identity import short
from loopwright.text.readable import readable

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]", None: "?"}
_WORDS = {True: "pass", False: "fail", None: "not decided"}


def print_evaluation(evaluation: Evaluation) -> None:
    """Print one with each of its items."""
    out = console()
    out.print(f"run {short(evaluation.run_id)}: {escape(_summed(evaluation))}")
    for item in evaluation.items:
        score = "  – " if item.score is None else f"{item.score:4.1f}"
        about = f"×{item.weight:g}{', must' if item.must else ''}"
        out.print(f"  {_MARKS[item.holds]} {score}  {escape(readable(item.name))} [dim]({about})[/dim]")
        out.print(f"          {first_line(item.reason)}", markup=False)
    if evaluation.model:
        out.print(f"  questions answered by {readable(evaluation.model)} · ${evaluation.cost_usd:.4f}", markup=False)


def print_judged(evaluations: Sequence[Evaluation], feedback: Sequence[Feedback]) -> None:
    """Print in a line each what was thought of a run."""
    out = console()
    if evaluations:
        newest = evaluations[-1]
        out.print(f"  critic  {readable(_summed(newest))} · {first_line(newest.reason)}", markup=False)
    for word in feedback:
        said = f": {' '.join(readable(word.comment).split())}" if word.comment else ""
        by = f" by {readable(word.by)}" if word.by else ""
        out.print(f"  {'👍' if word.is_up else '👎'} {'up' if word.is_up else 'down'}{by}{said}", markup=False)


def _summed(evaluation: Evaluation) -> str:
    score = "no score" if evaluation.score is None else f"{evaluation.score:.2f} of 10"
    by = readable(evaluation.rubric or evaluation.by)
    return f"{_WORDS[evaluation.passed]}, {score}{f' by {by}' if by else ''}"
