"""The signals of many sessions -> what the friction was, type by type, with an example; and the delight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from loopwright.records.signal import Signal, counted

_WEIGHT = {"low": 0, "medium": 1, "high": 2}


@dataclass(frozen=True)
class Friction:
    """What all signals of one type come to."""

    type: str
    signals: int
    sessions: int
    seconds: float
    tokens: int
    cost_usd: float
    example: Signal
    """The one that tells the most: the most severe, then the dearest."""


@dataclass(frozen=True)
class Felt:
    """What was found in many sessions: what went wrong, and what went well."""

    friction: Sequence[Friction] = ()
    delight: Sequence[Friction] = ()
    by_run: Mapping[str, Sequence[Signal]] = field(default_factory=dict)


def felt(signals: Sequence[Signal], delights: Collection[str]) -> Felt:
    """Part signals into friction and delight, which has the types that are named."""
    by_run: dict[str, list[Signal]] = defaultdict(list)
    for signal in signals:
        by_run[signal.run_id].append(signal)
    summed = friction(signals)
    good = [one for one in summed if one.type in delights]
    return Felt([one for one in summed if one.type not in delights], good, by_run)


def friction(signals: Iterable[Signal]) -> Sequence[Friction]:
    """Sum up signals by type, the dearest first; those that were called wrong, and copies in forks, do not count."""
    groups: dict[str, list[Signal]] = defaultdict(list)
    for signal in counted(signals):
        groups[signal.type].append(signal)
    found = [_summed(name, some) for name, some in groups.items()]
    return sorted(found, key=lambda one: (-one.cost_usd, -one.seconds, -one.signals, one.type))


def _summed(name: str, signals: Sequence[Signal]) -> Friction:
    return Friction(
        name,
        len(signals),
        len({signal.run_id for signal in signals}),
        round(sum(signal.seconds for signal in signals), 3),
        sum(signal.tokens for signal in signals),
        round(sum(signal.cost_usd for signal in signals), 6),
        max(signals, key=lambda signal: (_WEIGHT[signal.severity], signal.cost_usd, signal.seconds, signal.id)),
    )
