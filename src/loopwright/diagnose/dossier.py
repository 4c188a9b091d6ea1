"""All that is known of one run whose failures are analysed, and what can be read from it in a line or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from loopwright.records.bundle import Bundle
from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.feedback import Feedback
from loopwright.records.run import Attempt
from loopwright.records.signal import Signal, counted
from loopwright.text.test_outcome import tests
from loopwright.text.touching import changed_by, edited_by, is_edit, spans_of

_CHANGED = re.compile(r'^\+\+\+ "?b/(.+?)"?$|^rename to (.+)$', re.MULTILINE)
_MOST_DIFF = 1_000_000


@dataclass(frozen=True)
class Trail:
    """One criterion through the iterations of a run."""

    base: Check | None
    """What it came to before anybody worked."""
    checks: Sequence[Check]
    """After each iteration, in order; at least one of them failed."""

    @property
    def failed(self) -> Sequence[Check]:
        return [check for check in self.checks if is_failed(check)]

    @property
    def last(self) -> Check:
        """The newest one that failed."""
        return self.failed[-1]

    @property
    def recovered(self) -> bool:
        return self.checks[-1].verdict is Verdict.PASS


def is_failed(check: Check) -> bool:
    """Say whether a check decides something and did not hold; what nobody could verify is no failure of who worked."""
    return check.iteration > 0 and not check.advisory and check.verdict in (Verdict.FAIL, Verdict.TAINTED)


@dataclass(frozen=True)
class Dossier:
    """One run; what is not known is left empty, and no rule takes that for a no."""

    bundle: Bundle
    """With its events, signals and evaluations."""
    feedback: Sequence[Feedback] = ()
    told: str = ""
    """What the agent was told: its prompts."""
    diff_of: Callable[[str], str] = lambda commit: ""
    """A commit -> what it changes of the base."""
    source: Callable[[str], str | None] = lambda path: None
    """The path of a file -> what it held at the base; None where it was not there."""
    known: Mapping[str, str] | None = None
    """Type of signal, with a category or without -> the library's anti-pattern that it shows."""

    @cached_property
    def trails(self) -> Sequence[Trail]:
        """The criteria that failed after an iteration, in the order of the task."""
        by_criterion: dict[str, list[Check]] = {}
        for check in self.bundle.checks:
            by_criterion.setdefault(check.criterion_hash, []).append(check)
        found = []
        for checks in by_criterion.values():
            judged = [check for check in checks if check.iteration > 0]
            if any(map(is_failed, judged)):
                found.append(Trail(next((check for check in checks if check.iteration == 0), None), judged))
        return found

    @cached_property
    def _attempts(self) -> Mapping[str, Attempt]:
        return {attempt.id: attempt for attempt in self.bundle.attempts}

    def attempt(self, check: Check) -> Attempt | None:
        return self._attempts.get(check.attempt_id or "")

    def diff(self, check: Check) -> str:
        """Give what the code had become when it was checked."""
        attempt = self.attempt(check)
        found = self.diff_of(attempt.commit) if attempt and attempt.commit else ""
        return found or self.bundle.diff

    def changed(self, check: Check) -> frozenset[str]:
        """Name the files that were changed when it was checked."""
        found = _CHANGED.findall(self.diff(check)[:_MOST_DIFF])
        return frozenset(one or other for one, other in found) - {"/dev/null"}

    @cached_property
    def _calls(self) -> Sequence[Event]:
        return [event for event in self.bundle.events if event.kind is EventKind.TOOL_CALL]

    @cached_property
    def seen_files(self) -> frozenset[str]:
        """Name the files that the agent read or wrote, as it called them."""
        return frozenset(path for call in self._calls for path in _touched(call))

    def saw(self, path: str) -> bool:
        """Say whether the agent read or wrote a file, or was told of it."""
        return path in self.told or any(seen == path or seen.endswith(f"/{path}") for seen in self.seen_files)

    @cached_property
    def _at_work(self) -> frozenset[str | None]:
        return frozenset(call.attempt_id for call in self._calls)

    @cached_property
    def _testing(self) -> frozenset[str | None]:
        return frozenset(call.attempt_id for call in self._calls if call.command and tests(call.command))

    def never_tested(self, attempt_ids: Iterable[str | None]) -> bool:
        """Say whether the agent's calls are known in each of some attempts, and none of them ran tests."""
        wanted = set(attempt_ids)
        return wanted <= self._at_work and not wanted & self._testing

    def signals(self, attempt_ids: Iterable[str | None]) -> list[Signal]:
        """Give the signals that begin in one of some attempts, without those that a human called wrong."""
        wanted = set(attempt_ids)
        place = {event.seq: event.attempt_id for event in self.bundle.events}
        found = counted(self.bundle.signals)
        return [signal for signal in found if signal.events and place.get(signal.events[0]) in wanted]


def _touched(call: Event) -> list[str]:
    paths = [span.path for span in spans_of(call)]
    if is_edit(call):
        paths += edited_by(call)
    return paths + (changed_by(call.command) if call.command else [])
