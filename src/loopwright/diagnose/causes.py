"""One criterion that failed -> what may be the cause, by rules that read the record alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from loopwright.diagnose.dossier import Dossier, Trail
from loopwright.diagnose.habit import habit
from loopwright.diagnose.imports import imported_by
from loopwright.records.check import Check, Verdict
from loopwright.records.qa_failure import Hypothesis
from loopwright.records.run import LATER, Ending
from loopwright.records.tally import Counts
from loopwright.text.fingerprint import fingerprint
from loopwright.text.test_outcome import outcome_of

Rule = Callable[[Dossier, Trail], Hypothesis | None]
_SAME = 3
"""So often the same failure comes before the approach is doubted."""
_SYNTAX = re.compile(r"\b(?:SyntaxError|IndentationError|TabError|error TS1\d{3}|syntax error)\b")
_NO_MODULE = re.compile(r"No module named '([\w.]{1,100})'|Cannot find module '([^'\n]{1,200})'")
_NO_NAME = re.compile(
    r"has no attribute '(\w{1,100})'|cannot import name '(\w{1,100})'|name '(\w{1,100})' is not defined"
    r"|(?:\.|\b)(\w{1,100}) is not a function|undefined: (?:\w+\.)?(\w{1,100})"
)
_TOO_SLOW = re.compile(r"\Adid not end within ")
_AWAY = (*LATER, Ending.DENIED, Ending.REFUSED, Ending.MAX_TURNS, Ending.IDLE, Ending.ERROR, Ending.LOST)
_MOST_NAMED = 3


def causes(dossier: Dossier, trail: Trail) -> list[Hypothesis]:
    """Give what each rule thinks, the likely one first; `novel`, at no certainty, where none recognises it."""
    found = [one for rule in RULES if (one := rule(dossier, trail))]
    return sorted(found, key=lambda one: -one.certainty) or [unknown(where(trail.last))]


def unknown(place: str) -> Hypothesis:
    """Say that no rule knows the cause."""
    return Hypothesis("novel", "", 0.0, f"{place}: no rule recognises it", "none")


def where(check: Check) -> str:
    """Name a check as evidence does."""
    return f"check of iteration {check.iteration}"


def tampered(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """What it was to be judged by was changed."""
    for check in reversed(trail.failed):
        if check.proof.tampering:
            told = "; ".join(item.told for item in check.proof.tampering[:_MOST_NAMED])
            return Hypothesis("anti_pattern", "tamper", 0.9, f"{where(check)}: {told}", "tampered")
    tainted = trail.last.verdict is Verdict.TAINTED
    return Hypothesis("anti_pattern", "tamper", 0.8, f"{where(trail.last)}: tainted", "tampered") if tainted else None


def broken_syntax(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """The code can't be read, and could at the base."""
    seen = _SYNTAX.search(trail.last.evidence)
    if not seen or (trail.base and _SYNTAX.search(trail.base.evidence)):
        return None
    return Hypothesis("code_bug", "syntax", 0.8, f"{where(trail.last)}: `{seen[0]}`", "broken_syntax")


def regression(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """Fewer tests pass than at the base, or one fails that did not."""
    now, before = trail.last.proof.tests, trail.last.proof.base_tests
    if not now or not before or not now.collected:
        return None
    told = ""
    if now.passed < before.passed:
        told = f"{now.passed} of {now.collected} tests pass, {before.passed} of {before.collected} did at the base"
    elif fresh := _newly_failing(trail, now, before):
        told = f"`{fresh}` fails and passed at the base"
    return Hypothesis("code_bug", "regression", 0.55, f"{where(trail.last)}: {told}", "regression") if told else None


def too_slow(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """It did not end in time, and did at the base or was not tried."""
    if not _TOO_SLOW.search(trail.last.evidence) or (trail.base and _TOO_SLOW.search(trail.base.evidence)):
        return None
    told = trail.last.evidence.partition("\n")[0]
    return Hypothesis("code_bug", "too_slow", 0.5, f"{where(trail.last)}: {told}", "too_slow")


def incomplete(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """More tests pass than at the base, and not all: the way is right, and not gone to its end."""
    now, before = trail.last.proof.tests, trail.last.proof.base_tests
    if not now or not before or not before.passed < now.passed < now.collected:
        return None
    told = f"{now.passed} of {now.collected} tests pass, {before.passed} did at the base"
    return Hypothesis("code_bug", "incomplete", 0.5, f"{where(trail.last)}: {told}", "incomplete")


def wrong_result(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """What fails is told in a file that the agent has changed, or tests one, and was another failure at the base."""
    check = trail.last
    if not trail.base or _mark(trail.base) == _mark(check):
        return None
    tested = imported_by(check, dossier.source)
    changed = [path for path in sorted(dossier.changed(check)) if path in check.evidence or path in tested]
    told = f"{where(check)}: it tests {_named(changed)}, which was changed, and fails in another way than at the base"
    return Hypothesis("code_bug", "wrong_result", 0.45, told, "wrong_result") if changed else None


def unknown_name(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """The agent's own lines use a module or a name that is not there: it was guessed."""
    check = trail.last
    added = "\n".join(line for line in dossier.diff(check).splitlines() if line.startswith("+"))
    for expression, certainty in ((_NO_MODULE, 0.6), (_NO_NAME, 0.45)):
        for found in expression.finditer(check.evidence):
            name = next(filter(None, found.groups()), "")
            if name and name in added:
                told = f"{where(check)}: `{found[0]}`, and the change uses it"
                return Hypothesis("missing_context", "unknown_name", certainty, told, "unknown_name")
    return None


def unread(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """The failing test imports a file that the agent never looked at; only where its calls are known."""
    if not dossier.seen_files:
        return None
    missed = [path for path in imported_by(trail.last, dossier.source) if not dossier.saw(path)]
    told = f"{where(trail.last)}: its tests import {_named(missed)}, never read"
    return Hypothesis("missing_context", "unread_file", 0.5, told, "unread") if missed else None


def same_failure(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """It fails in the same way after different edits, to the end: perhaps the approach is wrong."""
    if trail.recovered:
        return None
    alike = []
    for check in reversed(trail.checks):
        if _mark(check) != _mark(trail.last):
            break
        alike.append(check)
    trees = {check.tree_hash for check in alike}
    if len(trees) < _SAME:
        return None
    first, last = alike[-1].iteration, alike[0].iteration
    told = f"checks of iterations {first} to {last}: the same failure after {len(trees)} different edits"
    certainty = min(0.8, round(0.65 + 0.05 * (len(trees) - _SAME), 2))
    return Hypothesis("architecture", "same_failure", certainty, told, "same_failure")


def untouched(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """A file that the criterion looks at was never changed, though other files were."""
    check, wanted = trail.last, _looked_at(dossier, trail.last)
    changed = dossier.changed(check)
    if not wanted or not changed or changed.intersection(wanted):
        return None
    return Hypothesis(
        "misunderstood", "untouched_criterion", 0.6, f"{where(check)}: {_named(wanted)} was never changed", "untouched"
    )


def hidden(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """All that was shown holds, and what was held out does not: the goal means more than was done."""
    check = trail.last
    beside = [one for one in dossier.bundle.checks if one.iteration == check.iteration and not one.held_out]
    if not check.held_out or any(one.verdict is not Verdict.PASS for one in beside if not one.advisory):
        return None
    return Hypothesis(
        "misunderstood", "held_out", 0.5, f"{where(check)}: what was shown holds, this was held out", "hidden"
    )


def away(dossier: Dossier, trail: Trail) -> Hypothesis | None:
    """Nobody got to work: the attempt ended before anything was changed."""
    attempt = dossier.attempt(trail.last)
    if not attempt or attempt.ending not in _AWAY or dossier.changed(trail.last):
        return None
    told = f"attempt {attempt.number} ended as `{attempt.ending}`, and nothing was changed"
    return Hypothesis("novel", str(attempt.ending), 0.7, told, "away")


RULES: Sequence[Rule] = (
    *(tampered, broken_syntax, same_failure, untouched, habit, unknown_name, regression),
    *(hidden, unread, incomplete, too_slow, wrong_result, away),
)
"""In the order of ties."""


def _newly_failing(trail: Trail, now: Counts, before: Counts) -> str:
    """Name a test that fails and did not at the base; only where all that failed there is known by name."""
    if not trail.base or now.collected != before.collected:
        return ""
    old, new = (outcome_of(check.command, check.evidence) for check in (trail.base, trail.last))
    if not (old.is_test and new.is_test) or len(old.failed_names) != before.failed:
        return ""
    return min(new.failed_names - old.failed_names, default="")


def _named(paths: Sequence[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths[:_MOST_NAMED])


def _mark(check: Check) -> str:
    """Name the way in which a check failed; numbers and paths do not count."""
    return f"{check.verdict} {fingerprint(check.evidence)}"


def _looked_at(dossier: Dossier, check: Check) -> Sequence[str]:
    for criterion in dossier.bundle.run.task.required:
        if criterion.hash == check.criterion_hash:
            return [path for path in criterion.looked_at() if not set("*?[").intersection(path)]
    return ()
