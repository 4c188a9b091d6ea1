from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError
from loopwright.records import shape
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.run.criteria.composite import AllOf, AnyOf, AtLeast, CompositeCriteria
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.test import TestCriteria


@dataclass(frozen=True)
class Saying(Criterion):
    """A criterion that says what it is told to."""

    kind: ClassVar[str] = "saying"
    primary: ClassVar[str] = "verdict"

    verdict: str
    flaky: bool = False
    timed_out: bool = False

    def evaluate(self, room):
        return Evidence(
            Verdict(self.verdict), f"it is {self.verdict}\nmore", flaky=self.flaky, timed_out=self.timed_out
        )


@dataclass(frozen=True)
class Mute(Criterion):
    """A criterion that nothing can evaluate."""

    kind: ClassVar[str] = "mute"


@dataclass(frozen=True)
class Raising(Criterion):
    """A criterion that is broken."""

    kind: ClassVar[str] = "raising"
    primary: ClassVar[str] = "kind"

    def evaluate(self, room):
        raise OSError("no disk")


PASS, FAIL, TAINTED, UNVERIFIABLE = (Saying(verdict.value) for verdict in Verdict)
FLAKY = Saying("pass", flaky=True)


def verdict(criterion, room):
    return criterion.evaluate(room).verdict.value


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        (AllOf(PASS, PASS), "pass"),
        (AllOf(PASS, FAIL), "fail"),
        (AllOf(PASS, UNVERIFIABLE), "unverifiable"),
        (AllOf(FAIL, UNVERIFIABLE), "unverifiable"),
        (AllOf(PASS, TAINTED, UNVERIFIABLE), "tainted"),
        (AnyOf(FAIL, PASS), "pass"),
        (AnyOf(FAIL, FAIL), "fail"),
        (AnyOf(UNVERIFIABLE, PASS), "pass"),
        (AnyOf(UNVERIFIABLE, FAIL), "fail"),
        (AnyOf(UNVERIFIABLE, UNVERIFIABLE), "unverifiable"),
        (AnyOf(PASS, TAINTED), "tainted"),
        (AtLeast(2, PASS, PASS, FAIL), "pass"),
        (AtLeast(2, PASS, FAIL, FAIL), "fail"),
        (AtLeast(2, PASS, FAIL, UNVERIFIABLE), "fail"),
        (AtLeast(2, PASS, UNVERIFIABLE, UNVERIFIABLE), "unverifiable"),
        (AtLeast(2, PASS, PASS, TAINTED), "tainted"),
        (AnyOf(AllOf(PASS, FAIL), AtLeast(1, AnyOf(PASS))), "pass"),
        (AllOf(AnyOf(FAIL, PASS), AtLeast(2, PASS, FAIL)), "fail"),
    ],
)
def test_verdict(room, criterion, expected):
    """The verdict follows from the members' verdicts by the one rule of the docstring."""
    assert verdict(criterion, room) == expected


@given(st.lists(st.sampled_from([PASS, FAIL]), min_size=1, max_size=6), st.data())
def test_counting(members, data):
    """Where all can be told, it holds when and only when enough members do."""
    count = data.draw(st.integers(1, len(members)))
    passed = members.count(PASS)
    assert verdict(AtLeast(count, *members), None) == ("pass" if passed >= count else "fail")
    assert verdict(AllOf(*members), None) == verdict(AtLeast(len(members), *members), None)
    assert verdict(AnyOf(*members), None) == verdict(AtLeast(1, *members), None)


@pytest.mark.parametrize(
    ("criterion", "flaky"),
    [
        (AllOf(PASS, FLAKY), True),
        (AnyOf(PASS, FLAKY), False),
        (AnyOf(FAIL, FLAKY), True),
        (AtLeast(2, PASS, PASS, FLAKY), False),
        (AtLeast(2, PASS, FAIL, FLAKY), True),
        (AllOf(FAIL, FLAKY), False),
        (AllOf(AnyOf(FLAKY, FAIL), PASS), True),
    ],
)
def test_flaky_when_it_mattered(room, criterion, flaky):
    """It is flaky when it would not pass without its flaky members."""
    assert criterion.evaluate(room).flaky is flaky


def test_all_members_are_evaluated_and_listed(room):
    """Each member is listed with its verdict, also after the outcome is clear; failures are shown whole."""
    room.write("b")
    evidence = AllOf(FAIL, AnyOf(FileCriteria("b"), UNVERIFIABLE)).evaluate(room)
    assert evidence.text.splitlines() == [
        "1 of 2 hold, needed: 2",
        "  fail: saying fail",
        "    it is fail",
        "    more",
        "  pass: any of: (file b exists; saying unverifiable)",
        "    1 of 2 hold, needed: 1",
        "      pass: file b exists",
        "        it has 0 bytes",
        "      unverifiable: saying unverifiable",
        "        it is unverifiable",
        "        more",
    ]


def test_broken_member_does_not_hide_the_others(room):
    """A member that raises is unverifiable, and the rest is still looked at."""
    evidence = AnyOf(Raising(), PASS).evaluate(room)
    assert evidence.verdict is Verdict.PASS
    assert "it could not be evaluated: no disk" in evidence.text


def test_time_limits_and_accounting_come_through(room):
    """A member's time limit and the way of counting are told of the whole."""
    assert AllOf(Saying("fail", timed_out=True), PASS).evaluate(room).timed_out
    assert not AnyOf(Saying("fail", timed_out=True), PASS).evaluate(room).timed_out
    assert AllOf(TestCriteria("true"), PASS).evaluate(room).accounting == "exit_code"
    assert AllOf(PASS).evaluate(room).accounting is None


@pytest.mark.parametrize(
    "make",
    [
        AllOf,
        AnyOf,
        lambda: AtLeast(0, PASS),
        lambda: AtLeast(3, PASS, PASS),
        lambda: CompositeCriteria("at_least", (PASS,)),
        lambda: CompositeCriteria("all", (PASS,), 1),
        lambda: CompositeCriteria("some", (PASS,)),
        lambda: AllOf(Mute()),
        lambda: AllOf("pytest"),
        lambda: AllOf(Saying("pass", held_out=True)),
        lambda: AllOf(AnyOf(PASS, held_out=True)),
    ],
)
def test_impossible_is_refused(make):
    """A count that can't be reached, no members, and members that can't be judged are refused."""
    with pytest.raises(TaskError):
        make()


def test_held_out_as_a_whole():
    """The whole may be held out."""
    assert AllOf(PASS, held_out=True).held_out
    assert AnyOf(PASS, held_out=True).held_out
    assert AtLeast(1, PASS, held_out=True).held_out


def test_own_files_are_those_of_the_members():
    """What decides a member decides the whole, each file once."""
    inner = AnyOf(TestCriteria("pytest tests/b.py"), TestCriteria("pytest tests/a.py"))
    assert AllOf(TestCriteria("pytest tests/a.py"), inner).own_files() == ("tests/a.py", "tests/b.py")


def test_describe():
    """The words say what must hold, nested as it is."""
    inner = AtLeast(1, FileCriteria("b"), FileCriteria("c"))
    described = AnyOf(TestCriteria("pytest"), inner).describe()
    assert described == "any of: (test pytest; at least 1 of: (file b exists; file c exists))"


leaves = st.builds(FileCriteria, st.sampled_from(["a", "b"]), st.booleans()) | st.just(TestCriteria("x", timeout_s=3))
trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(
        lambda members: st.sampled_from([AllOf(*members), AnyOf(*members), AtLeast(len(members), *members)])
    ),
)
KINDS = {cls.kind: cls for cls in (CompositeCriteria, FileCriteria, TestCriteria)}


@given(trees)
def test_round_trip(criterion):
    """What is written as plain data is read back as the same criterion with the same hash."""
    again = shape.criterion(criterion.to_dict(), KINDS.__getitem__)
    assert again == criterion
    assert again.hash == criterion.hash


def test_deep_nesting(room):
    """Criteria may be nested far deeper than anybody would."""
    criterion = PASS
    for wrap in itertools.islice(itertools.cycle([AllOf, AnyOf]), 60):
        criterion = wrap(criterion)
    assert verdict(criterion, room) == "pass"
    assert shape.criterion(criterion.to_dict(), {**KINDS, "saying": Saying}.__getitem__).hash == criterion.hash
