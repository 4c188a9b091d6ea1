"""What runs came to -> Prometheus' text format. Names and labels are ours; values of labels are escaped, and few."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from threading import Lock

from loopwright.records.outcome import By, Sums

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST = 50
"""So many groups of a kind, the largest; the rest is one called `(others)`."""
KINDS: tuple[By, ...] = ("agent", "model", "task_type", "project", "profile", "prompt_version")
OTHERS = "(others)"
_FRESH_S = 10.0
_LONGEST = 200
_NUMBERS = {
    "runs": "Runs that have ended.",
    "judged": "Runs of which it is known whether they passed.",
    "passed": "Runs that passed.",
    "first_pass": "Runs that passed in the first iteration.",
    "rejected": "Runs in which work was rejected.",
    "human": "Runs in which a human stepped in.",
    "tokens": "Tokens used.",
    "cost_usd": "US dollars spent, at list prices.",
    "seconds": "Seconds that runs took.",
    "lines_added": "Lines added.",
}
_COVERAGE = "loopwright_coverage_percent"
Groups = Mapping[str, Sums]
Read = Callable[[Sequence[By]], Iterable[tuple[Sequence[str], Sums]]]
"""What all kinds of groups say of some runs together, and what these come to."""


class Exposition:
    """The text, made anew when it is asked for and older than ten seconds: many may ask, and often."""

    def __init__(
        self, read: Read, signals: Callable[[], Mapping[str, int]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read, self._signals, self._clock = read, signals, clock
        self._lock = Lock()
        self._made, self._text = -_FRESH_S, ""

    def text(self) -> str:
        """Give all of it."""
        with self._lock:
            if not self._text or self._clock() - self._made >= _FRESH_S:
                self._text = "".join(f"{line}\n" for line in self._lines())
                self._made = self._clock()
            return self._text

    def _lines(self) -> Iterator[str]:
        groups = _by_kind(self._read(KINDS))
        for number, words in _NUMBERS.items():
            yield from _head(f"loopwright_{number}", words)
            yield from _values(f"loopwright_{number}", groups, attrgetter(number))
        yield from _head(_COVERAGE, "Coverage of the runs that told one, on average.")
        yield from _values(_COVERAGE, groups, lambda sums: sums.coverage / sums.covered if sums.covered else None)
        yield from _head("loopwright_signals", "Signals found, without those that a human called wrong.")
        for name, count in sorted(self._signals().items())[:MOST]:
            yield _line("loopwright_signals", count, type=name)


def _by_kind(read: Iterable[tuple[Sequence[str], Sums]]) -> dict[By, Groups]:
    found: dict[By, dict[str, list[Sums]]] = {kind: defaultdict(list) for kind in KINDS}
    for names, sums in read:
        for kind, name in zip(KINDS, names, strict=True):
            found[kind][name].append(sums)
    return {kind: _largest({name: _added(some) for name, some in groups.items()}) for kind, groups in found.items()}


def _largest(groups: Groups) -> Groups:
    ordered = sorted(groups.items(), key=lambda item: (-item[1].runs, item[0]))
    kept = dict(sorted(ordered[:MOST]))
    rest = [sums for _, sums in ordered[MOST:]]
    return kept | ({OTHERS: _added([*rest, *filter(None, [kept.get(OTHERS)])])} if rest else {})


def _added(some: Sequence[Sums]) -> Sums:
    return Sums._make(map(sum, zip(*some, strict=True)))


def _values(metric: str, groups: Mapping[By, Groups], value: Callable[[Sums], float | None]) -> Iterator[str]:
    for kind, named in groups.items():
        for name, sums in named.items():
            if (found := value(sums)) is not None:
                yield _line(metric, found, by=kind, name=name)


def _head(name: str, words: str) -> Iterator[str]:
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} gauge"


def _line(metric: str, value: float, **labels: str) -> str:
    told = ",".join(f'{label}="{escaped(words)}"' for label, words in labels.items())
    return f"{metric}{{{told}}} {value:.10g}"


def escaped(words: str) -> str:
    """Write the value of a label, whatever is in it, on one line."""
    return words[:_LONGEST].replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n").replace("\r", " ")
