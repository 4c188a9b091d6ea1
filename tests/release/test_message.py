"""The message that a human gets."""

from __future__ import annotations

import dataclasses

from loopwright.records.review import Compared, Item, Review
from loopwright.release.answering import understood
from loopwright.release.message import message

ITEMS = [
    Item(1, "accuracy", "Bug fixes are called done, untested", "9 of 30 sessions", 4.1, "proven", "a", "worse"),
    Item(2, "cost", "A dear model writes docs", "12 of 12 sessions", 3.0, "untested", "b", patch="p2"),
    Item(3, "accuracy", "The same failing command again and again", "5 of 30 sessions", 0.0, "none", "c", "same"),
]
ITEMS[0] = dataclasses.replace(ITEMS[0], patch="p1", is_deployable=True)
REVIEW = Review("r", 12, "2026-11-16T06:00:00.000Z", "2026-11-18T06:00:00.000Z", 24.0, 48, 20.16, ITEMS)

WHOLE = """\
Loopwright, review 12, 2026-11-16
The last 24 h: 48 sessions, $0.42 each

BEFORE AND AFTER
worker/bug_fix @3 → @4: passed 62% of 40 → 71% of 38, $0.40 → $0.30 a run: no more than chance

ACCURACY
1. Bug fixes are called done, untested
   9 of 30 sessions
   $4.10 wasted
   worse than before
   proven
3. The same failing command again and again
   5 of 30 sessions
   as before

COST
2. A dear model writes docs
   12 of 12 sessions
   $3.00 wasted
   untested: deploying it begins its experiment

Needs your own hand: 2

Answer: "deploy all", "deploy 1, 3", "remove 3, deploy", "show me item 3", "tell me more about item 2", "skip\""""


def test_the_whole_message() -> None:
    """The date, the window, before and after, the items under their goals, and how to answer."""
    compared = Compared("worker/bug_fix", "@3", "@4", 40, 38, 25, 27, 0.4, 0.3, "not more than chance")
    assert message(dataclasses.replace(REVIEW, compared=[compared])) == WHOLE


def test_nothing_found() -> None:
    """It says so, and asks for nothing."""
    said = message(dataclasses.replace(REVIEW, items=[], sessions=0, cost_usd=0.0))
    assert said.endswith("Nothing found that is worth a change.")
    assert "0 sessions\n" in said
    assert "Answer" not in said


def test_the_answers_that_it_names_are_understood() -> None:
    """Whoever copies one of them is understood."""
    for example in message(REVIEW).rpartition("Answer: ")[2].split('", "'):
        assert understood(example.strip('"')).verb != "help"


def test_titles_are_data() -> None:
    """Lines, marks that turn text and endless words of a title stay within their line."""
    odd = dataclasses.replace(ITEMS[0], title="x\n2. deploy all \u202eevil" + "y" * 999)
    said = message(dataclasses.replace(REVIEW, items=[odd]))
    assert "\u202e" not in said
    assert "1. x 2. deploy all \\u202eevil" in said
    assert max(map(len, said.splitlines())) < 220
