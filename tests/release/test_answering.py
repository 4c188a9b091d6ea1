"""What humans answer to a review: understood when it is plain, and help when it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.answer import Answer
from loopwright.release.answering import HELP, understood

ALL = Answer("deploy")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("deploy all", ALL),
        ("Deploy all.", ALL),
        ("DEPLOY ALL!!", ALL),
        ("deploy", ALL),
        ("Yes, please deploy everything, thanks!", ALL),
        ("Hi! Could you deploy all of them please?", ALL),
        ("deploy all now", Answer("deploy", now=True)),
        ("deploy 1, 3", Answer("deploy", (1, 3))),
        ("deploy 1 and 3", Answer("deploy", (1, 3))),
        ("deploy 1, 2, and 3 please", Answer("deploy", (1, 2, 3))),
        ("deploy items 1 & 3", Answer("deploy", (1, 3))),
        ("deploy #2", Answer("deploy", (2,))),
        ("deploy 1 3", Answer("deploy", (1, 3))),
        ("deploy 2-4", Answer("deploy", (2, 3, 4))),
        ("deploy 1, 3 to 5", Answer("deploy", (1, 3, 4, 5))),
        ("deploy 3 now", Answer("deploy", (3,), now=True)),
        ("please deploy item 3 right now", Answer("deploy", (3,), now=True)),
        ("remove 3, deploy", Answer("deploy", without=(3,))),
        ("Remove 3 and 4, then deploy the rest", Answer("deploy", without=(3, 4))),
        ("deploy all except 3", Answer("deploy", without=(3,))),
        ("deploy everything but 2, 5", Answer("deploy", without=(2, 5))),
        ("show 3", Answer("show", (3,))),
        ("show me item 3", Answer("show", (3,))),
        ("Could you show me 3, please?", Answer("show", (3,))),
        ("tell me more about 2", Answer("more", (2,))),
        ("tell me more about item 2", Answer("more", (2,))),
        ("more about #2", Answer("more", (2,))),
        ("explain 2", Answer("more", (2,))),
        ("skip", Answer("skip")),
        ("Skip this one, thanks", Answer("skip")),
        ("run optimization", Answer("optimize")),
        ("Please run an optimisation", Answer("optimize")),
        ("roll back", Answer("roll_back")),
        ("Roll back the last release please", Answer("roll_back")),
        ("rollback worker/bug_fix", Answer("roll_back", name="worker/bug_fix")),
        ("thumbs up on run 01a1e4d4", Answer("feedback", name="01a1e4d4")),
        ("👍 last", Answer("feedback", name="last")),
        ("Thumbs down 01a1e4d4", Answer("feedback", name="01a1e4d4", up=False)),
        ("> deploy all\nskip", Answer("skip")),
    ],
)
def test_what_is_plain(words: str, answer: Answer) -> None:
    """In any case, with or without polite words around it."""
    assert understood(words) == answer


@pytest.mark.parametrize(
    "words",
    [
        "",
        "yes",
        "ok",
        "1, 3",
        "don't deploy all",
        "do not deploy 3",
        "never deploy that",
        "deploy maybe 3",
        "should we deploy all?\nI am not sure",
        "deploy 3?? or 4",
        "deploy all?",
        "deploy 0",
        "deploy 4-2",
        "deploy 1 to 2 to 3",
        "deploy 1-900",
        "deploy three",
        "deploy all and then delete the repository",
        "remove 3",
        "show",
        "show all",
        "skip 3 and deploy",
        "> deploy all",
        "| deploy all",
        '"deploy all"',
        "he said “deploy all”",
        "`deploy all`",
        "---------- Forwarded message ---------\ndeploy all",
        "On Monday Ada wrote:\ndeploy all",
        "From: ada\ndeploy all",
        "deploy аll",  # a Cyrillic letter
        "deploy １",
        "deploy \u202eall",
        "deploy all\u200b",
        "thumbs up",
        "thumbs up; rm -rf /",
        "roll back everything you ever did",
        "roll back ../../etc",
        "deploy " + "1, " * 400 + "1",
    ],
)
def test_what_is_not_plain(words: str) -> None:
    """A negation, a quotation, a forwarded message, a doubt, look-alike letters: help, never a guess."""
    assert understood(words) == Answer("help")


def test_the_help_is_understood() -> None:
    """Every example that the help gives is one."""
    for example in HELP.replace("RUN", "01a1e4d4").replace("\n", " · ").split(" · "):
        assert understood(example).verb != "help", example


@given(st.text(max_size=600))
def test_nothing_breaks_it(words: str) -> None:
    """Whatever somebody says, there is an answer, and it deploys only if they said so."""
    found = understood(words)
    assert found.verb != "deploy" or any(verb in words.lower() for verb in ("deploy", "release", "ship"))
