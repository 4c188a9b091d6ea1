"""Criteria put together: all of them, any of them, at least so many of them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from loopwright.errors import TaskError
from loopwright.ports import Evaluable, Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.tally import Accounting
from loopwright.run.look import look

Mode = Literal["all", "any", "at_least"]
_WEAKEST_FIRST: tuple[Accounting, ...] = ("exit_code", "summary", "report")


@dataclass(frozen=True)
class CompositeCriteria(Criterion):
    """Members of which enough must hold. All are evaluated, so that what is said of them is whole.

    It is tainted when a member is. It passes when enough members pass, whatever the others are. Otherwise it is
    unverifiable when so many members are that the rest could never be enough (in `all`, one is), and fails when the
    agent can still reach it without them. It is flaky when it would not pass without a flaky member.
    """

    kind: ClassVar[str] = "composite"
    primary: ClassVar[str] = "mode"

    mode: Mode
    members: tuple[Criterion, ...]
    count: int | None = None
    """How many must hold; for `at_least` alone."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(self.members))
        if not self.members:
            raise TaskError(f"`{self.mode}` has no members", "put criteria into it")
        for member in self.members:
            _check_member(member)
        self._check_count()

    @property
    def needed(self) -> int:
        """How many members must hold."""
        return {"all": len(self.members), "any": 1}.get(self.mode, self.count or 0)

    def describe(self) -> str:
        words = {"all": "all of", "any": "any of"}.get(self.mode, f"at least {self.count} of")
        return f"{words}: ({'; '.join(member.describe() for member in self.members)})"

    def own_files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for member in self.members for name in member.own_files()))

    def looked_at(self) -> tuple[str, ...]:
        return tuple(name for member in self.members for name in member.looked_at())

    def tests(self) -> tuple[Criterion, ...]:
        return tuple(test for member in self.members for test in member.tests())

    def evaluate(self, room: Room) -> Evidence:
        seen = [look(member, room) for member in self.members]
        passed = [evidence for evidence in seen if evidence.verdict is Verdict.PASS]
        verdict = self._verdict([evidence.verdict for evidence in seen])
        steady = sum(not evidence.flaky for evidence in passed)
        counted = [evidence.accounting for evidence in seen if evidence.accounting]
        return Evidence(
            verdict,
            f"{len(passed)} of {len(seen)} hold, needed: {self.needed}\n{self._listing(seen)}",
            accounting=min(counted, key=_WEAKEST_FIRST.index, default=None),
            flaky=verdict is Verdict.PASS and steady < self.needed,
            timed_out=verdict is not Verdict.PASS and any(evidence.timed_out for evidence in seen),
        )

    def _verdict(self, verdicts: Sequence[Verdict]) -> Verdict:
        if Verdict.TAINTED in verdicts:
            return Verdict.TAINTED
        if verdicts.count(Verdict.PASS) >= self.needed:
            return Verdict.PASS
        can_be_told = len(verdicts) - verdicts.count(Verdict.UNVERIFIABLE)
        return Verdict.FAIL if can_be_told >= self.needed else Verdict.UNVERIFIABLE

    def _listing(self, seen: Sequence[Evidence]) -> str:
        lines = []
        for member, evidence in zip(self.members, seen, strict=True):
            is_settled = evidence.verdict is Verdict.PASS and not isinstance(member, CompositeCriteria)
            text = evidence.text.partition("\n")[0] if is_settled else evidence.text
            lines.append(f"{evidence.verdict}: {member.describe()}\n{textwrap.indent(text, '  ')}")
        return textwrap.indent("\n".join(lines), "  ")

    def _check_count(self) -> None:
        if self.mode not in get_args(Mode):
            raise TaskError(f"there is no mode `{self.mode}`", f"one of: {', '.join(get_args(Mode))}")
        if self.mode != "at_least":
            if self.count is not None:
                raise TaskError(f"`{self.mode}` takes no count", "use at_least")
        elif self.count is None or not 1 <= self.count <= len(self.members):
            raise TaskError(
                f"at least `{self.count}` of {len(self.members)} criteria can't be asked for",
                f"a number from 1 to {len(self.members)}",
            )


def AllOf(*members: Criterion, held_out: bool = False) -> CompositeCriteria:  # noqa: N802 - reads as a criterion
    """All of these must hold."""
    return CompositeCriteria("all", members, held_out=held_out)


def AnyOf(*members: Criterion, held_out: bool = False) -> CompositeCriteria:  # noqa: N802 - reads as a criterion
    """One of these must hold."""
    return CompositeCriteria("any", members, held_out=held_out)


def AtLeast(count: int, *members: Criterion, held_out: bool = False) -> CompositeCriteria:  # noqa: N802 - as above
    """So many of these must hold."""
    return CompositeCriteria("at_least", members, count, held_out=held_out)


def _check_member(member: Criterion) -> None:
    if not isinstance(member, Criterion):
        raise TaskError(f"`{member!r}` is not a criterion", 'write it as one: TestCriteria("pytest -q")')
    if not isinstance(member, Evaluable):
        raise TaskError(f"nothing can evaluate a `{member.kind}` criterion")
    if member.advisory:
        raise TaskError(f"`{member.describe()}` decides nothing inside of other criteria", "say required = true of it")
    if member.held_out:
        raise TaskError(
            f"`{member.describe()}` is held out inside of other criteria", "hold out the whole: AllOf(…, held_out=True)"
        )
