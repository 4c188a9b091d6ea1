"""The signals of many sessions -> patterns, ranked by how often, how costly, how sure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from loopwright.records.pattern import Case, Pattern
from loopwright.records.signal import Precision, Signal, counted

_BELIEVED, _DOUBTED = 4, 1
"""What a rule is taken for before a human has said anything: right 4 times in 5."""
_WEIGHT = {"low": 0, "medium": 1, "high": 2}


def patterns(
    signals: Iterable[Signal], cases: Sequence[Case], precision: Iterable[Precision] = (), fewest: int = 2
) -> list[Pattern]:
    """Put like signals of the cases together that came in so many sessions or more, what matters most first."""
    known, judged = {case.run_id: case for case in cases}, {one.type: one for one in precision}
    groups: dict[tuple[str, str], list[Signal]] = defaultdict(list)
    for signal in counted(signals):
        if signal.run_id in known:
            groups[signal.type, signal.category].append(signal)
    whole = sum(signal.cost_usd for some in groups.values() for signal in some)
    found = [_pattern(some, known, judged.get(some[0].type), whole) for some in groups.values()]
    often = [one for one in found if one.sessions >= fewest]
    return sorted(often, key=lambda one: (-one.score, -one.signals, one.key))


def _pattern(signals: Sequence[Signal], cases: Mapping[str, Case], judged: Precision | None, whole: float) -> Pattern:
    cost: dict[str, float] = defaultdict(float)
    for signal in signals:
        cost[signal.run_id] += signal.cost_usd
    first, wasted, certainty = signals[0], sum(cost.values()), _certainty(signals, judged)
    share = wasted / whole if whole else 0.0
    sessions = [cases[run_id] for run_id in cost]
    return Pattern(
        key=f"{first.type}/{first.category}" if first.category else first.type,
        type=first.type,
        category=first.category,
        signals=len(signals),
        sessions=len(sessions),
        of=len(cases),
        seconds=round(sum(signal.seconds for signal in signals), 3),
        tokens=sum(signal.tokens for signal in signals),
        cost_usd=round(wasted, 6),
        certainty=round(certainty, 4),
        score=round(certainty * (len(sessions) / len(cases) + share) / 2, 6),
        task_types=_ordered(Counter(case.task_type for case in sessions)),
        agents=_ordered(Counter(case.agent for case in sessions)),
        runs=sorted(cost, key=lambda run_id: (-cost[run_id], run_id)),
        example=max(signals, key=lambda one: (_WEIGHT[one.severity], one.cost_usd, one.seconds, one.id)),
    )


def _certainty(signals: Sequence[Signal], judged: Precision | None) -> float:
    """Give how likely one is right: what humans said of its type, and how sure a judge was."""
    right, wrong = (judged.right, judged.wrong) if judged else (0, 0)
    believed = (right + _BELIEVED) / (right + wrong + _BELIEVED + _DOUBTED)
    sure = [1.0 if signal.confidence is None else signal.confidence for signal in signals]
    return believed * sum(sure) / len(sure)


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
