"""delight: the human is pleased with what the agent did."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.delight import Delight
from loopwright.records.event import EventKind
from measure.stretches import Stretch


def worked(words: str) -> Stretch:
    """Let the agent do something, and the human say something of it."""
    return Stretch().prompt("add a cache").edit("src/cache.py").says("Done.").prompt(words)


PRAISE = {
    "thanks": "thanks!",
    "thank you, and more": "Thank you so much, that was quick.",
    "one word": "perfect",
    "one word with a mark": "Great!",
    "after a yes": "yes, perfect",
    "after a report": "ok, works. great",
    "then the next order": "Awesome! Now commit it please.",
    "then an order to mend something else": "Perfect! Next: fix the failing test in the parser.",
    "of the work": "nice work",
    "of what was found": "good catch, I had not seen that",
    "it is great": "that's great, let's keep it",
    "love": "I love it",
    "works like that": "works perfectly!",
    "impressed": "wow, impressive.",
    "with a smile": "excellent 🎉",
    "well done": "Well done. Push it.",
    "German": "Super, danke!",
    "German, longer": "perfekt, genau so wollte ich es",
    "Spanish": "¡Perfecto, gracias!",
    "French": "merci beaucoup, c'est parfait",
    "Chinese": "太好了，谢谢",
    "Chinese, thanks": "谢谢！",
    "looks": "looks great, merge it",
    "it works now": "works now, thanks!",
    "that was it": "that fixed it, thank you",
    "brilliant": "Brilliant, thanks.",
}
NONE = {
    "praise within an order": "make the layout perfect on small screens",
    "sarcasm": "great, now it is broken",
    "sarcasm in two sentences": "Great! It's still failing.",
    "praise with a but": "nice, but the header is gone",
    "thanks beforehand": "please add tests too, thanks in advance",
    "no thanks": "no thanks",
    "a name": "Great Expectations is what we validate with, use that",
    "a term": "perfect forwarding fails for this type, see the log",
    "an order": "add a thank you page",
    "good as a condition": "if it looks great on mobile, merge it",
    "nice as a program": "nice -n 10 make is what the job runs",
    "a plain yes": "yes",
    "a plain ok": "ok",
    "only acceptance": "looks good",
    "thanks for nothing": "thanks for nothing",
    "thanks, and it fails": "Thanks. The build fails now with another error.",
    "a question": "is that perfect or could it be faster?",
    "an idea of the agent": "great idea to look at that later, do the first one now",
    "quoted": 'the page says "Great!" where it should say nothing',
    "German sarcasm": "toll, jetzt ist alles kaputt",
    "German with a but": "super, aber es fehlt ein Test",
    "Spanish with a but": "perfecto, pero falta la prueba",
    "French with a but": "parfait, mais il manque un test",
    "Chinese with a but": "很好，但是还有一个错误",
    "praise with an only": "good job, only the name is off",
    "in code": "```\nperfect\n```",
    "thanks at the end of an order": "rename the function, thanks",
}


@pytest.mark.parametrize("words", PRAISE.values(), ids=PRAISE.keys())
def test_praise(words: str) -> None:
    """What a human says to praise the work is one small signal, at their words."""
    found = worked(words).found(Delight())
    assert [(signal.events, signal.severity, signal.category) for signal in found] == [((5,), "low", "praise")]


@pytest.mark.parametrize("words", NONE.values(), ids=NONE.keys())
def test_no_praise(words: str) -> None:
    """Orders, conditions, names and sarcasm are no praise."""
    assert worked(words).found(Delight()) == []


def test_before_any_work() -> None:
    """Nobody is praised before they did anything, nor twice for the same."""
    assert Stretch().prompt("perfect, thanks").found(Delight()) == []
    assert len(worked("thanks!").prompt("thanks again!").found(Delight())) == 1


def test_to_a_subagent() -> None:
    """What an agent says to a subagent is not a human's praise."""
    stretch = Stretch().prompt("go").says("Done.").add(EventKind.PROMPT, "great, thanks", parent_call_id="call-1")
    assert stretch.found(Delight()) == []


def test_praise_can_be_left_out() -> None:
    """Who does not want to hear of it says so."""
    assert worked("thanks!").found(Delight(praise=False)) == []
