"""What a run leaves on disk for people: the diff, the log, the agent's last words, the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from loopwright.records.check import Check, Verdict, last_checks
from loopwright.records.environment import around
from loopwright.records.identity import short
from loopwright.records.run import Artifacts, Attempt, Reason, Result, Run, Status, because, of_worker
from loopwright.text.excerpt import plain
from loopwright.text.json_text import json_text

_SHOWN = 20_000


def result_of(run: Run, attempts: Sequence[Attempt], checks: Sequence[Check]) -> Result:
    """Sum a run up. Its checks are those of the last iteration that was judged."""
    folder = Path(run.artifacts)
    return Result(
        run_id=run.id,
        status=run.status,
        reason=run.reason or Reason.CRITERIA_UNMET,
        detail=run.detail,
        iterations=sum(attempt.counts for attempt in attempts),
        cost_usd=round(run.spent.cost_usd, 6),
        tokens=run.spent.tokens,
        duration_s=round(run.spent.seconds, 3),
        checks=tuple(last_checks(checks)),
        branch=run.branch,
        commit=run.commit or run.base,
        artifacts=Artifacts(
            dir=str(folder),
            diff=str(folder / "changes.diff"),
            tampering=str(folder / "tampering.diff"),
            log=str(folder / "completion.md"),
            output=str(folder / "output.txt"),
            result=str(folder / "result.json"),
        ),
    )


def write_artifacts(
    run: Run, attempts: Sequence[Attempt], checks: Sequence[Check], diff: bytes, tampering: str = ""
) -> Result:
    """Write all of them and give the result; `tampering` is what was done to protected files, as a diff."""
    result = result_of(run, attempts, checks)
    Path(result.artifacts.dir).mkdir(parents=True, exist_ok=True)
    Path(result.artifacts.diff).write_bytes(diff)
    _write(result.artifacts.tampering, tampering)
    _write(result.artifacts.output, attempts[-1].output if attempts else "")
    _write(result.artifacts.log, completion_log(run, result, attempts, checks, tampering))
    _write(result.artifacts.result, json_text(result.to_dict()) + "\n")
    return result


def completion_log(
    run: Run, result: Result, attempts: Sequence[Attempt], checks: Sequence[Check], tampering: str = ""
) -> str:
    """Tell a run's story in Markdown."""
    tries = f"{result.iterations} iteration{'s' if result.iterations != 1 else ''}"
    lines = [
        f"# Run {short(run.id)}: {result.status}{because(result.status, result.reason)}",
        "",
        *[f"> {line}" for line in plain(run.task.goal).strip().splitlines()],
        "",
        *([plain(result.detail), ""] if result.detail else []),
        f"- Started {run.started_at}, ended {run.ended_at}, {result.duration_s:.1f} s at work",
        f"- {tries}, ${result.cost_usd:.4f}, {result.tokens.total:,} tokens",
        f"- {_agent(run, attempts)}",
        f"- Base `{run.base}`, branch `{run.branch}`, commit `{result.commit}`",
        "",
        "## Checks",
        "",
    ]
    for number in sorted({check.iteration for check in checks} | {attempt.number for attempt in attempts}):
        lines += [f"### {'Before the start' if number == 0 else f'After iteration {number}'}", ""]
        lines += [_attempt_line(attempt) for attempt in attempts if attempt.number == number]
        lines += [_check_line(check) for check in checks if check.iteration == number]
        lines.append("")
    if tampering:
        shown = [f"    {line}" for line in plain(tampering[:_SHOWN]).splitlines()]
        lines += ["## What was done to protected files", "", *shown, ""]
    return "\n".join([*lines, "## What next", "", *_next_steps(run), ""])


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8", errors="replace")


def _agent(run: Run, attempts: Sequence[Attempt]) -> str:
    model = f"model `{run.profile.model}`" if run.profile.model else ""
    works = of_worker(attempts)
    where = around(works[-1].environment.confined) if works else ""
    return ", ".join(filter(None, (f"Agent `{run.profile.agent}`", model, where)))


def _attempt_line(attempt: Attempt) -> str:
    changed = attempt.files_changed or "no file changed"
    return f"The agent worked {attempt.duration_s:.1f} s: {changed} ({plain(attempt.detail) or attempt.ending}).\n"


def _check_line(check: Check) -> str:
    line = f"- {check.verdict.mark} {check.criterion}{check.remarks}, {check.duration_s:.2f} s"
    if check.verdict is Verdict.PASS:
        return line
    return "\n".join([line, "", *[f"      {text}" for text in check.evidence.splitlines()], ""])


def _next_steps(run: Run) -> list[str]:
    name = short(run.id)
    if run.reason is Reason.ALREADY_MET:
        return ["- Nothing: all criteria held already."]
    look = f"- Look at the work: `git diff {run.base[:12]} {run.branch}`"
    if run.status is Status.DONE:
        return [f"{look}; take it: `loopwright land {name}` or `git merge {run.branch}`"]
    accept = f'- Or take the changes as they are: `loopwright resume {name} --accept-taint --by NAME --reason "why"`'
    return [
        *([look] if run.commit not in (None, "", run.base) else []),
        *([accept] if run.reason is Reason.TAINTED else []),
        f'- Go on: `loopwright resume {name} --comment "what to do differently"`',
        f'- Or close it: `loopwright close {name} --reason "why"`',
    ]
