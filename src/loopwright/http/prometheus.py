"""What runs came to -> Prometheus' text format. Names and labels are ours; values of labels are escaped, and few."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import Lock

from loopwright.records.outcome import By, Tally

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
}
Read = Callable[[By], Sequence[Tally]]


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
        groups = {kind: _sums(self._read(kind)) for kind in KINDS}
        for number, words in _NUMBERS.items():
            yield from _head(f"loopwright_{number}", words)
            for kind, sums in groups.items():
                for name, values in sums.items():
                    yield _line(f"loopwright_{number}", values[number], by=kind, name=name)
        yield from _head("loopwright_signals", "Signals found, without those that a human called wrong.")
        for name, count in sorted(self._signals().items())[:MOST]:
            yield _line("loopwright_signals", count, type=name)


def _sums(tallies: Iterable[Tally]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(_NUMBERS, 0.0))
    for tally in tallies:
        _add(found[tally.group], tally._asdict())
    ordered = sorted(found.items(), key=lambda item: (-item[1]["runs"], item[0]))
    kept = dict(sorted(ordered[:MOST]))
    for _, values in ordered[MOST:]:
        _add(kept.setdefault(OTHERS, dict.fromkeys(_NUMBERS, 0.0)), values)
    return kept


def _add(sums: dict[str, float], values: Mapping[str, float]) -> None:
    for number in _NUMBERS:
        sums[number] += values[number]


def _head(name: str, words: str) -> Iterator[str]:
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} gauge"


def _line(metric: str, value: float, **labels: str) -> str:
    told = ",".join(f'{label}="{escaped(words)}"' for label, words in labels.items())
    return f"{metric}{{{told}}} {value:.10g}"


def escaped(words: str) -> str:
    """Write the value of a label, whatever is in it, on one line."""
    return words[:_LONGEST].replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n").replace("\r", " ")
