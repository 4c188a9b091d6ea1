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
    "of a deed": "Great job removing the dead code.",
    "of a deed that is of use": "Nice work deleting the old files!",
    "and a plain question": "Perfect. Where is the config stored?",
    "of what was mended": "Nice work fixing the crash",
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
    "trouble that is over": "thanks, that fixed the failing test",
    "no more trouble": "great, no more errors!",
    "then an order on something broken": "Perfect, and can you remove the broken link?",
    "then a fault to look at": "Great. Now look at the crash in the log.",
    "a catch": "thanks, good catch on the missing index",
    "thanks again": "nice, thanks again",
    "then a question": "thanks! another question: which port?",
    "then an order to delete": "great work, merge it and delete the branch",
}
NONE = {
    "of a harmful deed": "Great job breaking the build.",
    "of a deletion": "Nice work deleting prod",
    "with an outage": "Well done, the site is offline",
    "with hate": "Thanks, I hate it",
    "of what was made up": "Perfect, that's hallucinated",
    "with what is missing": "Perfect. So where is the feature I asked for?",
    "with what came of it": "Great. It freezes now.",
    "with a doubt": "Excellent. Did you even run it?",
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
    "Chinese sarcasm": "太好了，又报错",
    "sarcasm on everything": "great, now everything is broken",
    "sarcasm on a loss": "wow, amazing, it deleted my file",
    "sarcasm on one more": "perfect, yet another failure",
    "sarcasm in a fact": "Great. The login page is blank now.",
    "sarcasm on what was done": "Nice, you removed the whole parser.",
    "sarcasm on the time": "Fantastic, three hours wasted.",
    "sarcasm on the beginning": "Brilliant. Back to square one.",
    "sarcasm on more work": "awesome, more conflicts",
    "sarcasm with a sigh": "oh great",
    "sarcasm that trails off": "great...",
    "sarcasm in a question": "awesome, and where did my tests go?",
    "sarcasm on the agent": "well done genius",
    "sarcasm on repetition": "great, you did it again",
    "thanks for a fault": "thanks for breaking the build",
    "sarcasm with a face": "perfect 🙃",
    "German, once more": "super, wieder kaputt",
    "Spanish sarcasm": "genial, ahora no funciona",
    "in a pasted log": "2026-05-01 10:00:00 INFO\nperfect",
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
