"""A test that passed now fails, after something was changed, and is not merely flaky."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.bounded import forget_oldest, mapping
from loopwright.text.commands import like, parts_of, place_of
from loopwright.text.repeated import is_mixed
from loopwright.text.test_outcome import UNKNOWN, Outcome, is_test, outcome_of
from loopwright.text.touching import changed_by, edited_by, is_edit, may_change

_MOST = 5_000
_MOST_NAMED = 5
_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures)/|(?:^|/)(?:test_|conftest)|[._-](?:test|spec)s?\.\w+$"
)
_PROSE = re.compile(
    r"(?:^|/)(?!(?:requirements|constraints|CMakeLists)[^/]*$)[^/]*\.(?:md|mdx|rst|txt|adoc)$"
    r"|(?:^|/)(?:LICEN[CS]E|CHANGELOG|CHANGES|README|NOTICE|AUTHORS|CONTRIBUTORS|COPYING|HISTORY)$"
)
"""Text that no test reads, as long as none says so."""
_MOST_TEXTS = 50
_APART = re.compile(r"::| > | › |\s")
_LEFT_OUT = re.compile(r"deselect|ignore|exclude|skip|\bnot\b", re.IGNORECASE)
_ELSEWHERE = frozenset({"checkout", "switch", "bisect", "worktree"})


@dataclass(slots=True)
class _State:
    """How a test stood when it was last seen."""

    passed: bool
    seq: int
    changes: int
    """How many changes there had been by then."""
    count: int | None = None
    """How many tests passed, where it stands for a command."""
    failed_names: frozenset[str] = frozenset()
    """Those that failed, where it stands for a command."""
    failed: int | None = None
    flaky: bool = False
    flaky_names: frozenset[str] = frozenset()
    """Where it stands for a command: the tests that failed and passed with no change between, as far as named."""
    flaky_count: int = 0
    """And how many at most."""

    def doubt(self, names: frozenset[str], count: int | None) -> None:
        """Take note that it failed and passed with no change between."""
        self.flaky = True
        self.flaky_names |= names
        self.flaky_count = max(self.flaky_count, count or len(names) or 1)

    def is_doubted(self, outcome: Outcome | None) -> bool:
        """Say whether a failure may be what was flaky before: of a command, where no others fail, and no more."""
        if not self.flaky or outcome is None:
            return self.flaky
        if outcome.failed_names and self.flaky_names:
            return outcome.failed_names <= self.flaky_names
        return (outcome.failed or len(outcome.failed_names)) <= self.flaky_count


@dataclass(slots=True)
class _Fall:
    """A test that fell, and may still turn out to be flaky."""

    name: str
    passed_at: int
    seq: int
    failed: frozenset[str]
    """The tests that are named as failed."""
    ran: str
    """The command that showed it, without its options."""
    count: int | None = None
    """How many failed, where that is said."""

    def is_refuted(self, command: str) -> bool:
        """Say whether a command that passes has run the same tests, or those that failed."""
        if _LEFT_OUT.search(command):
            return False
        named = {_APART.split(name)[-1] for name in self.failed}
        return (bool(named) and all(name in command for name in named)) or self.ran == _without_options(command)


@dataclass
class Regression(Detector):
    """Finds `regression`."""

    only_named: bool = False
    """Whether a command alone, whose output names no test, is left out."""
    kinds = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.VERDICT)
    _tests: dict[str, _State] = field(default_factory=dict, init=False, repr=False)
    _criteria: dict[str, tuple[bool, str, int, bool]] = field(default_factory=dict, init=False, repr=False)
    """By criterion: whether it held, in which tree, where that was said, and whether it has been both in one tree."""
    _given: dict[int, tuple[list[int], list[str]]] = field(default_factory=dict, init=False, repr=False)
    """By where it passed last: what is told of it so far."""
    _changes: int = field(default=0, init=False, repr=False)
    _of_product: int = field(default=0, init=False, repr=False)
    """The number of the last change that was not one of a test."""
    _texts: dict[str, None] = field(default_factory=dict, init=False, repr=False)
    """The names of texts that were changed: no test reads them, unless it says so."""
    _put_away: bool = field(default=False, init=False, repr=False)
    _held: dict[str, _Fall] = field(default_factory=dict, init=False, repr=False)
    """What fell since the last change: if it passes before the next one, it is flaky."""
    _doubted: dict[str, Moment] = field(default_factory=dict, init=False, repr=False)
    """By criterion: the same, as long as its tree is looked at."""
    _sure: list[Moment] = field(default_factory=list, init=False, repr=False)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.kind is EventKind.VERDICT:
            self._judged(event)
        elif event.kind is EventKind.TOOL_RESULT and call:
            changes = self._changes
            self._note_change(event, call)
            if self._changes > changes:
                self._believe()
            if event.command and not self._is_put_away(event.command):
                self._ran(event, call)
        return self._sure.pop(0) if self._sure else None

    def end(self) -> list[Moment]:
        self._believe()
        return [*self._sure, *self._doubted.values()]

    def _believe(self) -> None:
        """Take what fell for a regression: nothing can show any more that it was flaky."""
        falls = sorted(self._held.values(), key=lambda fall: fall.seq)
        self._sure += [self._moment(list(fell), seq) for seq, fell in groupby(falls, key=lambda fall: fall.seq)]
        self._held.clear()

    def _is_put_away(self, command: str) -> bool:
        """Say whether a command tries something with the work put away; forget what held on another branch."""
        put_away = self._put_away
        for part in parts_of(command):
            if part.program != "git":
                continue
            if part.verb == "stash" and not {"list", "show", "drop"} & set(part.words):
                self._put_away = not {"pop", "apply"} & set(part.words)
                put_away = put_away or self._put_away
            elif part.verb in _ELSEWHERE:
                self._tests.clear()
        return put_away

    def _note_change(self, event: Event, call: Event) -> None:
        if is_edit(call) and not event.is_error:
            paths = edited_by(call)
            of_tests = bool(paths) and all(map(_TEST_FILE.search, paths))
        elif event.command and may_change(event.command, formatting=False):
            paths, of_tests = changed_by(event.command), False
        else:
            return
        if not self._is_prose(paths):
            self._changes += 1
            self._of_product = self._of_product if of_tests else self._changes

    def _is_prose(self, paths: Sequence[str]) -> bool:
        """Say whether a change is one of texts alone, and keep their names."""
        if not paths or not all(_PROSE.search(path) and not _TEST_FILE.search(path) for path in paths):
            return False
        self._texts |= dict.fromkeys(path.rpartition("/")[2] for path in paths)
        forget_oldest(self._texts, _MOST_TEXTS)
        return True

    def _ran(self, event: Event, call: Event) -> None:
        outcome, command = _outcome(event), event.command or ""
        if outcome is None:
            return
        if any(name in event.text for name in self._texts):
            self._changes += 1  # a test that reads one of them
            self._of_product = self._changes
            self._texts.clear()
        place = f"{place_of(command)}\x1f{mapping(call.data.get('input')).get('workdir', '')}"
        ran = _without_options(command)
        fell = self._names(outcome, place, event.seq, ran)
        action = f"{place}\x1f{like(command)}"
        before = self._tests.get(action)
        self._set(action, outcome.state == "passed", event.seq, outcome)
        if outcome.state == "failed" and is_mixed(command, event.text):
            self._doubt(action, place, outcome)
            return
        if not fell and before and self._has_fallen(before, outcome) and not self.only_named and _lost(before, outcome):
            self._held[action] = _Fall(
                f"`{command[:200]}`", before.seq, event.seq, outcome.failed_names, ran, outcome.failed
            )
        if outcome.state == "passed":
            self._refute(place, command)

    def _refute(self, place: str, command: str) -> None:
        for key in [key for key, fall in self._held.items() if key.startswith(place) and fall.is_refuted(command)]:
            fall = self._held.pop(key)
            if key in self._tests:
                self._tests[key].doubt(fall.failed, fall.count)

    def _doubt(self, action: str, place: str, outcome: Outcome) -> None:
        """Take what a command that runs the same tests several times has shown both ways for flaky."""
        for key in (action, *(_key(place, outcome, name) for name in outcome.failed_names)):
            self._held.pop(key, None)
            if state := self._tests.get(key):
                state.passed = True
                state.doubt(outcome.failed_names, outcome.failed)

    def _names(self, outcome: Outcome, place: str, seq: int, ran: str) -> bool:
        """Take note of each test that is named; say whether one fell."""
        fell = False
        for name in sorted(outcome.failed_names):
            key = _key(place, outcome, name)
            before = self._tests.get(key)
            self._set(key, False, seq)
            if before and self._has_fallen(before):
                self._held[key] = _Fall(name, before.seq, seq, frozenset({name}), ran)
                fell = True
            if name in outcome.passed_names:  # it ran more than once
                self._held.pop(key, None)
                self._tests[key].doubt(frozenset(), 1)
        for name in outcome.passed_names - outcome.failed_names:
            self._set(_key(place, outcome, name), True, seq)
        return fell

    def _has_fallen(self, before: _State, outcome: Outcome | None = None) -> bool:
        return before.passed and not before.is_doubted(outcome) and self._of_product > before.changes

    def _set(self, key: str, passed: bool, seq: int, outcome: Outcome = UNKNOWN) -> None:
        before = self._tests.pop(key, None)
        now = _State(passed, seq, self._changes, outcome.passed, outcome.failed_names, outcome.failed)
        self._tests[key] = now
        if passed:
            self._held.pop(key, None)
        if before:
            now.flaky, now.flaky_names, now.flaky_count = before.flaky, before.flaky_names, before.flaky_count
            if before.passed != passed and before.changes == self._changes:
                failed = before if passed else now
                now.doubt(failed.failed_names, failed.failed)
        forget_oldest(self._tests, _MOST)

    def _moment(self, fell: Sequence[_Fall], seq: int) -> Moment:
        names, passed_at = [fall.name for fall in fell], max(fall.passed_at for fall in fell)
        events, told = self._given.pop(passed_at, ([passed_at], []))
        events, told = [*events[: MOST_EVENTS - 1], seq], [*told, *names][:_MOST]
        self._given[passed_at] = (events, told)
        forget_oldest(self._given, 100)
        shown, more = ", ".join(name[:200] for name in told[:_MOST_NAMED]), len(told) - _MOST_NAMED
        return Moment(
            list(events),
            f"passed at event {passed_at} and failed after a change: {shown}{f' and {more} more' if more > 0 else ''}",
            "have the agent run the tests that a change can break before it goes on",
        )

    def _judged(self, event: Event) -> None:
        """Look at a criterion of our own: it held, and does not any more."""
        verdict, name = str(event.data.get("verdict", "")), str(event.data.get("criterion_hash", ""))
        if verdict not in ("pass", "fail") or not name:
            return
        tree = str(event.data.get("tree", ""))
        held, last_tree, seq, flaky = self._criteria.get(name, (False, "", 0, False))
        holds, same_tree = verdict == "pass", bool(tree) and tree == last_tree
        flaky = flaky or (bool(seq) and same_tree and held != holds)
        self._criteria[name] = (holds, tree, event.seq, flaky)
        forget_oldest(self._criteria, _MOST)
        if not same_tree or flaky:
            doubted = self._doubted.pop(name, None)
            self._sure += [doubted] if doubted and not same_tree else []
        if holds or not held or flaky:
            return
        words = f"a criterion held at event {seq} and does not any more: {event.text[:300]}"
        self._doubted[name] = Moment([seq, event.seq], words, "see what the attempt between them changed", "high")
        forget_oldest(self._doubted, _MOST)


def _key(place: str, outcome: Outcome, name: str) -> str:
    return f"{place}\x1f{outcome.runner}\x1f{name}"


def _without_options(command: str) -> str:
    return " ".join(word for word in like(command).split() if not word.startswith("-"))


def _lost(before: _State, outcome: Outcome) -> bool:
    """Say whether something that passed now fails: as long as no fewer pass than before, it may be a new test."""
    known = before.count is not None and outcome.passed is not None
    return outcome.state == "failed" and (not known or (outcome.passed or 0) < (before.count or 0))


def _outcome(event: Event) -> Outcome | None:
    """Give what tests came to; None where none ran, or they could not be run at all."""
    outcome = outcome_of(event.command, event.text)
    parts = parts_of(event.command or "")
    if outcome.state == "unknown" and event.exit_code in (0, 1) and parts and is_test(parts[-1]):
        return Outcome("failed" if event.exit_code else "passed", is_test=True)  # nothing hides its exit code
    return outcome if outcome.is_test and not outcome.is_broken else None
