"""A human's answer to a review -> what is done about it, once, and what they are told."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from loopwright.errors import LoopwrightError, UsageError
from loopwright.records.answer import Answer
from loopwright.records.identity import new_id, timestamp
from loopwright.records.patch import Patch
from loopwright.records.review import Item, Review, ReviewStatus, Said
from loopwright.release.answering import HELP, understood
from loopwright.store.reviews import Reviews
from loopwright.text.lookalikes import undisguised

_LINES = 60
"""So many lines of a change are shown."""


class Deploying(Protocol):
    """What can be done about patches; to do the same again changes nothing."""

    def patch(self, patch_id: str) -> Patch: ...

    def deploy(self, patch: Patch, by: str, *, now: bool) -> str:
        """Release what is proven, begin the experiment of what is not; `now`: release it at once. Say what was done."""

    def texts(self, patch: Patch) -> tuple[str, str]:
        """Give what is there now and what would be, as people read it."""

    def roll_back(self, name: str, by: str, reason: str) -> str:
        """Put back what was in use before; of no name, what the last review released."""

    def more(self, finding: str) -> str:
        """Say all that is known of a finding."""

    def feedback(self, run: str, by: str, *, up: bool) -> str: ...

    def optimize(self) -> str: ...


@dataclass(frozen=True)
class Reviewing:
    """All reviews of a store."""

    reviews: Reviews
    deploying: Deploying
    now: Callable[[], str] = timestamp

    def answer(
        self, number: int, words: str, by: str, channel: str = "console", name: str = "", shown: str = ""
    ) -> str:
        """Do what an answer asks for. `name` is the channel's own for it, `shown` the hash of what they saw."""
        review, asked = self.reviews.get(number), understood(words)
        said = Said(name or new_id(), review.id, self.now(), by, channel, words, shown or review.shown)
        if asked.verb not in ("deploy", "skip"):
            return self._told(said, asked, review)
        self._still_open(review, said)
        _check_items(review, asked)
        ends: ReviewStatus = "deployed" if asked.verb == "deploy" else "rejected"
        written = self.reviews.say(said, ends)
        if written is None:
            raise UsageError(f"review {number} was answered meanwhile", f"see: loopwright reviews show {number}")
        return written.outcome if written.done else self._do(review, written)

    def finish(self) -> Sequence[str]:
        """Do what was answered and not done, since somebody died over it."""
        known = {review.id: review for review in self.reviews.newest(limit=1000)}
        return [self._do(known[said.review_id], said) for said in self.reviews.unfinished() if said.review_id in known]

    def _told(self, said: Said, asked: Answer, review: Review) -> str:
        """Answer what ends no review, and do so once: who dies over it leaves it to the human to ask again."""
        if (written := self.reviews.say(replace(said, done=True))) != replace(said, done=True):
            return written.outcome if written else ""
        outcome = self._words(asked, review, said.by)
        self.reviews.done(said.id, outcome)
        return outcome

    def _words(self, asked: Answer, review: Review, by: str) -> str:
        if asked.verb in ("show", "more"):
            item = _item(review, asked.items[0])
            return self._shown(item) if asked.verb == "show" else f"{_title(item)}\n{self.deploying.more(item.finding)}"
        if asked.verb == "roll_back":
            return self.deploying.roll_back(asked.name, by, f"answer to review {review.number}")
        if asked.verb == "feedback":
            return self.deploying.feedback(asked.name, by, up=asked.up)
        return (
            self.deploying.optimize() if asked.verb == "optimize" else f"That was not understood. You can say:\n{HELP}"
        )

    def _still_open(self, review: Review, said: Said) -> None:
        """Refuse an approval of something else than was shown, or after its time; the same one again is none."""
        if any(one.id == said.id for one in self.reviews.answers(review.id)):
            return
        if said.shown != review.shown:
            raise UsageError(f"review {review.number} is not what was shown", "look at it again and answer that")
        self.reviews.expire(self.now())
        status = self.reviews.get(review.number).status
        if status != "pending":
            raise UsageError(f"review {review.number} is {status}", "a new one: loopwright improve")

    def _do(self, review: Review, said: Said) -> str:
        asked = understood(said.words)
        if asked.verb == "deploy":
            lines = [self._deploy(item, asked, said.by) for item in _chosen(review, asked)]
            outcome = "\n".join(lines) or "There is nothing in it that can be deployed."
        else:
            outcome = "Skipped: nothing was changed."
        self.reviews.done(said.id, outcome)
        return outcome

    def _deploy(self, item: Item, asked: Answer, by: str) -> str:
        """Deploy one item; what can't be says why, and the others go on."""
        if not item.is_deployable:
            return f"{item.number}. not deployed: it needs your own hand"
        try:
            patch = self.deploying.patch(item.patch)
            if patch.hash != item.patch_hash:
                return f"{item.number}. not deployed: it is not what was shown any more"
            return f"{item.number}. {self.deploying.deploy(patch, by, now=asked.now)}"
        except LoopwrightError as error:
            return f"{item.number}. not deployed: {error.message}"

    def _shown(self, item: Item) -> str:
        if not item.patch:
            return f"{_title(item)}\nThere is no change to show: {undisguised(item.detail)}"
        patch = self.deploying.patch(item.patch)
        before, after = (text.splitlines() for text in self.deploying.texts(patch))
        lines = list(difflib.unified_diff(before, after, "now", "then", lineterm="", n=1))
        cut = [f"… {len(lines) - _LINES} more lines"] if len(lines) > _LINES else []
        shown = [undisguised(line) if line.strip() else "" for line in lines[:_LINES]]
        return "\n".join([_title(item), f"{patch.type} of {undisguised(patch.target)}", *shown, *cut])


def _check_items(review: Review, asked: Answer) -> None:
    for number in (*asked.items, *asked.without):
        _item(review, number)


def _item(review: Review, number: int) -> Item:
    found = {item.number: item for item in review.items}
    if number not in found:
        has = f"it has {', '.join(map(str, found))}" if found else "it has none"
        raise UsageError(f"review {review.number} has no item {number}", has)
    return found[number]


def _chosen(review: Review, asked: Answer) -> list[Item]:
    """Give the items that are meant: those that were named, or all that can be deployed."""
    wanted = asked.items or tuple(item.number for item in review.items if item.is_deployable)
    return [_item(review, number) for number in wanted if number not in asked.without]


def _title(item: Item) -> str:
    return f"{item.number}. {undisguised(item.title)}"
