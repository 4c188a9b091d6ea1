"""A model answers a question with anchored answers about files of the tree, or about what was changed.

Advisory, unless the task says `required = true`: it is told, and decides nothing. What the agent wrote is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from loopwright.errors import LoopwrightError
from loopwright.ports import Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion, inside
from loopwright.records.evaluation import scored
from loopwright.text.anchors import HALF, check_least, check_question
from loopwright.text.marking import Asked, Quotation, marking, marks_of

_MOST_FILES = 20
_LONGEST = 60_000
"""Characters of all quotations together."""
_NOBODY = "no model is set to answer it: [models] judge"


@dataclass(frozen=True)
class JudgeCriteria(Criterion):
    """A question to a model, whose answer must be at least `least`."""

    kind: ClassVar[str] = "judge"
    primary: ClassVar[str] = "question"

    question: str
    anchors: Mapping[str, str] = field(default_factory=dict)
    """What each answer, a number from 0 to 10, means to one who looks."""
    files: tuple[str, ...] = ()
    """What is looked at: paths or globs; empty: what was changed, as a diff."""
    _: KW_ONLY
    least: float = HALF
    required: bool = False
    """Whether it decides."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "anchors", {str(value): words for value, words in self.anchors.items()})
        object.__setattr__(self, "files", tuple(inside(name) for name in self.files))
        check_question(self.question, self.question, self.anchors)
        check_least(self.question, self.anchors, self.least)

    @property
    def advisory(self) -> bool:
        return not self.required

    def describe(self) -> str:
        where = ", ".join(self.files) or "the change"
        return f"judge {where}: {self.question} (at least {self.least:g} of 10)"

    def looked_at(self) -> tuple[str, ...]:
        return self.files

    def evaluate(self, room: Room) -> Evidence:
        if room.model is None:
            return Evidence(Verdict.UNVERIFIABLE, _NOBODY)
        quotations = list(self._files(room) if self.files else self._changes(room))
        if not quotations:
            missing = f"there is no file `{', '.join(self.files)}`" if self.files else "nothing was changed"
            return Evidence(Verdict.FAIL, missing)
        asked = [Asked("", self.question, self.anchors)]
        try:
            reply = room.model.ask(marking(asked, quotations))
        except LoopwrightError as error:
            return Evidence(Verdict.UNVERIFIABLE, error.message)
        mark = marks_of(reply, asked)[0]
        verdict = Verdict.PASS if mark.value >= self.least else Verdict.FAIL
        left_out = sum(one.left_out for one in quotations)
        unseen = f" ({left_out:,} characters of the change were left out of the question)" if left_out else ""
        return Evidence(verdict, f"{scored(mark.value)}, by {room.model.name}: {mark.reason}{unseen}")

    def _files(self, room: Room) -> Iterator[Quotation]:
        found = list(dict.fromkeys(file for name in self.files for file in room.files(name)))[:_MOST_FILES]
        root = room.path(".")
        for number, file in enumerate(found, 1):
            with file.open("rb") as opened:
                text = opened.read(_LONGEST).decode("utf-8", errors="replace")
            # Its name is somebody's words as well.
            told = f"{file.relative_to(root).as_posix()}\n\n{text}"
            yield Quotation(f"file {number} of {len(found)}, its path first", told, _LONGEST // len(found))

    def _changes(self, room: Room) -> Iterator[Quotation]:
        if diff := room.changes():
            yield Quotation.of_change("the change, as a diff", diff, _LONGEST)
