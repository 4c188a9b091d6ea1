"""One run's record -> what happened, in order, in lines that a person can check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.diagnose.dossier import Dossier
from loopwright.records.check import Check, Verdict
from loopwright.records.postmortem import Happening
from loopwright.records.run import Attempt, because
from loopwright.records.signal import counted

_MOST, _FIRST = 40, 15
_LONGEST = 200
_NAMED = 3


def timeline(dossier: Dossier) -> Sequence[Happening]:
    """Tell a run; of a long one the beginning and the end, with a word on what is between."""
    found = sorted(_happenings(dossier), key=lambda one: one.at)
    if len(found) <= _MOST:
        return found
    left_out = len(found) - _MOST + 1
    between = Happening(found[_FIRST].at, f"{left_out} more are left out", "see: loopwright show --timeline")
    return [*found[:_FIRST], between, *found[_FIRST + left_out :]]


def _happenings(dossier: Dossier) -> Iterable[Happening]:
    bundle, run = dossier.bundle, dossier.bundle.run
    yield Happening(run.started_at, f"the run begins: {_cut(run.task.goal)}", "the run")
    for attempt in bundle.attempts:
        yield from _attempt(attempt, [check for check in bundle.checks if check.attempt_id == attempt.id])
    for signal in counted(bundle.signals):
        if signal.at and signal.events:
            yield Happening(signal.at, f"{signal.type}: {_cut(signal.description)}", f"event {signal.events[0]}")
    for comment in bundle.comments:
        yield Happening(comment.at, f"a human says: {_cut(comment.text)}", "a comment")
    for word in bundle.acceptances:
        yield Happening(word.at, f"{_cut(word.by)} accepts what tainted it: {_cut(word.reason)}", "an acceptance")
    if run.ended_at:
        detail = f": {_cut(run.detail)}" if run.detail else ""
        yield Happening(run.ended_at, f"the run ends: {run.status}{because(run.status, run.reason)}{detail}", "the run")


def _attempt(attempt: Attempt, checks: Sequence[Check]) -> Iterable[Happening]:
    where = f"attempt {attempt.number}"
    yield Happening(attempt.started_at, f"{attempt.role} begins", where)
    if not attempt.ended_at:
        return
    told = [attempt.files_changed or "no file changed", f"${attempt.cost_usd:.2f}"]
    detail = f" ({_cut(attempt.detail)})" if attempt.detail else ""
    yield Happening(attempt.ended_at, f"{attempt.role} ends: {attempt.ending}{detail}, {', '.join(told)}", where)
    if checks:
        yield Happening(attempt.ended_at, _checked(checks), f"checks of iteration {checks[0].iteration}")


def _checked(checks: Sequence[Check]) -> str:
    bad = [check for check in checks if check.verdict is not Verdict.PASS]
    named = "; ".join(f"{check.verdict}: {_cut(check.criterion)}" for check in bad[:_NAMED])
    more = f" and {len(bad) - _NAMED} more" if len(bad) > _NAMED else ""
    return f"{len(checks) - len(bad)} of {len(checks)} criteria hold{f'; {named}{more}' if bad else ''}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
