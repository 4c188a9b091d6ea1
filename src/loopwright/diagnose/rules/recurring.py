"""Signals of one kind in many sessions of one task type; where no type has enough of them, in all together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from loopwright.diagnose.grouping import FEWEST, MOST_RUNS, by_type, plain
from loopwright.diagnose.patterns import patterns
from loopwright.records.finding import Finding, Goal
from loopwright.records.pattern import Case, Pattern
from loopwright.records.window import Looked, Window

NAME = "recurring"
_COSTLY = frozenset({"cost_spike", "context_thrashing", "timeout"})
_WORDS = {
    "error_loop": "the same action fails again and again",
    "context_thrashing": "the same parts of files are read again and again",
    "escalation": "the agent asks for help, or says that it can't go on",
    "timeout": "sessions take far longer than is usual",
    "regression": "tests that passed are broken",
    "quality_rejection": "the work is rejected",
    "cost_spike": "sessions cost far more than is usual",
    "false_done": "success is claimed where there is none",
    "tamper": "what the work is judged by is changed",
}


def recurring(window: Window) -> Iterator[Looked]:
    """Look for patterns by task type, and for those that are known."""
    groups, given = by_type(window.cases), list[str]()
    whole = [_looked(one, "") for one in _patterns(window, window.cases)]
    for task_type, cases in groups.items():
        for one in _patterns(window, cases):
            yield (looked := _looked(one, task_type))
            given.append(looked.finding.key)
            if looked.stands:
                whole = [other for other in whole if looked.finding.key != f"{other.finding.key}/{task_type}"]
    yield from whole
    given += [other.finding.key for other in whole]
    sizes = {f"worker/{task_type}": len(cases) for task_type, cases in groups.items()} | {"": len(window.cases)}
    for known in window.known:
        if known.rule == NAME and not any(f"{key}/".startswith(f"{known.key}/") for key in given):
            yield from _absent(known, sizes.get(known.target, 0))


def _patterns(window: Window, cases: Sequence[Case]) -> list[Pattern]:
    return patterns(window.signals, cases, window.precision, fewest=1)


def _absent(known: Finding, of: int) -> Iterator[Looked]:
    """Say of a known one that it did not come, nor, where it was of any type, came of one."""
    if of:
        yield Looked(replace(known, sessions=0, of=of, runs=(), signals=()), stands=False)


def _looked(one: Pattern, task_type: str) -> Looked:
    goal: Goal = "cost" if one.type in _COSTLY else "accuracy"
    what = _WORDS.get(one.type, plain(one.type))
    kind = f" ({plain(one.category)})" if one.category else ""
    times = "once" if one.signals == 1 else f"{one.signals:,} times"
    finding = Finding(
        key="/".join(filter(None, (NAME, *map(plain, one.key.split("/", 1)), task_type))),
        goal=goal,
        rule=NAME,
        title=f"{what[0].upper()}{what[1:]}{kind}, {f'in {task_type} tasks' if task_type else 'in tasks of any type'}",
        detail=f"{one.key} came {times} in {one.sessions:,} of {one.of:,} sessions; such as: {one.example.description}",
        sessions=one.sessions,
        of=one.of,
        certainty=one.certainty,
        target=f"worker/{task_type}" if task_type else "",
        waste_usd=one.cost_usd,
        waste_tokens=one.tokens,
        waste_seconds=one.seconds,
        runs=one.runs[:MOST_RUNS],
        signals=(one.example.id,),
    )
    return Looked(finding, one.sessions >= FEWEST)
