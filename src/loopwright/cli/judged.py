"""What was thought of a run, for people: evaluations of critics, feedback of humans."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from loopwright.cli.output import console, first_line
from loopwright.records.evaluation import Evaluation, scored
from loopwright.records.feedback import Feedback
from loopwright.records.identity import short
from loopwright.records.run import Attempt
from loopwright.text.readable import readable

_LINE = 200
_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]", None: "?"}


def print_evaluation(evaluation: Evaluation) -> None:
    """Print one with each of its items."""
    out = console()
    out.print(f"run {short(evaluation.run_id)}: {escape(readable(evaluation.told))}")
    for item in evaluation.items:
        about = f"×{item.weight:g}{', must' if item.must else ''}"
        mark, name = f"{_MARKS[item.holds]} {scored(item.score):>11}", escape(readable(item.name))
        out.print(f"  {mark}  {name} [dim]({about})[/dim]")
        out.print(f"                 {first_line(item.reason, _LINE)}", markup=False)
    if evaluation.model:
        out.print(f"  questions answered by {readable(evaluation.model)} · ${evaluation.cost_usd:.4f}", markup=False)


def print_judged(evaluations: Sequence[Evaluation], attempts: Sequence[Attempt], feedback: Sequence[Feedback]) -> None:
    """Print in a line each what was thought of a run: of every attempt that a critic looked at, and by humans."""
    out = console()
    for line in _critic_lines([one for one in evaluations if one.rubric], attempts):
        out.print(f"  {line}", markup=False)
    for word in feedback:
        said = f": {' '.join(readable(word.comment).split())}" if word.comment else ""
        by = f" by {readable(word.by)}" if word.by else ""
        out.print(f"  {'👍' if word.is_up else '👎'} {'up' if word.is_up else 'down'}{by}{said}", markup=False)


def critic_line(line: str, iteration: int | None = None) -> str:
    """Write what a critic thinks (`Evaluation.line`) as it is written on every screen."""
    about = f"iteration {iteration}, " if iteration else ""
    return first_line(f"{about}{line}", _LINE)


def _critic_lines(evaluations: Sequence[Evaluation], attempts: Sequence[Attempt]) -> list[str]:
    """Give the newest of each attempt and rubric, in their order."""
    newest: dict[tuple[int, str], Evaluation] = {}
    for one in evaluations:
        number = max((attempt.number for attempt in attempts if attempt.started_at <= one.created_at), default=0)
        newest[number, one.rubric_hash] = one
    several = len({number for number, _ in newest}) > 1
    return [critic_line(one.line, number if several else None) for (number, _), one in newest.items()]
