"""A review -> the message that a human gets: plain text that reads well on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopwright.records.finding import GOALS
from loopwright.records.review import Compared, Item, Review
from loopwright.text.lookalikes import undisguised

_LONGEST = 200
_PROOF = {
    "proven": "proven",
    "promising": "promising so far",
    "untested": "untested: deploying it begins its experiment",
    "none": "",
}
_CHANGE = {"worse": "worse than before", "better": "better than before", "same": "as before", "new": "", "gone": ""}
_DEPLOYING = '"deploy all", "deploy 1, 3", "remove 3, deploy"'
_LOOKING = '"show me item 3", "tell me more about item 2", "skip"'


def message(review: Review) -> str:
    """Write all of it."""
    parts = [_head(review), *_compared(review.compared)]
    if not review.items:
        return "\n\n".join([*parts, "Nothing found that is worth a change."])
    for goal in GOALS:
        if items := [item for item in review.items if item.goal == goal]:
            parts.append("\n".join([goal.upper(), *(_item(item) for item in items)]))
    deploying = [_DEPLOYING] if any(item.is_deployable for item in review.items) else []
    return "\n\n".join([*parts, *_hands(review), f"Answer: {', '.join([*deploying, _LOOKING])}"])


def _head(review: Review) -> str:
    each = f", ${review.cost_usd / review.sessions:.2f} each" if review.sessions else ""
    window = f"{review.window_hours:g} h"
    sessions = "1 session" if review.sessions == 1 else f"{review.sessions:,} sessions"
    spent = f"\nThis analysis cost ${review.spent_usd:.2f}." if review.spent_usd else ""
    return f"Loopwright, review {review.number}, {review.created_at[:10]}\nThe last {window}: {sessions}{each}{spent}"


def _compared(found: Sequence[Compared]) -> Iterator[str]:
    if found:
        yield "\n".join(["BEFORE AND AFTER", *(_line(one) for one in found)])


def _line(one: Compared) -> str:
    before, after = _rate(one.passed_before, one.runs_before), _rate(one.passed_after, one.runs_after)
    cost = f"${one.cost_before:.2f} → ${one.cost_after:.2f} a run"
    verdict = one.verdict if one.verdict != "not more than chance" else "no more than chance"
    return f"{undisguised(one.name)} {one.before} → {one.after}: passed {before} → {after}, {cost}: {verdict}"


def _rate(passed: int, runs: int) -> str:
    return f"{passed / runs:.0%} of {runs:,}" if runs else "none yet"


def _item(item: Item) -> str:
    waste = f"${item.waste_usd:.2f} wasted" if item.waste_usd >= 0.005 else ""
    notes = [note for note in (_short(item.detail), waste, _CHANGE[item.change], _PROOF[item.proof]) if note]
    return "\n".join([f"{item.number}. {_short(item.title)}", *(f"   {note}" for note in notes)])


def _hands(review: Review) -> Iterator[str]:
    numbers = [str(item.number) for item in review.items if item.patch and not item.is_deployable]
    if numbers:
        yield f"Needs your own hand: {', '.join(numbers)}"


def _short(text: str) -> str:
    line = undisguised(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
