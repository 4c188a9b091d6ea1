"""quality_rejection: somebody rejects the agent's work."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.quality_rejection import QualityRejection
from loopwright.records.event import EventKind
from measure.stretches import Stretch

REJECTED = "The user doesn't want to proceed with this tool use."


def worked(words: str) -> Stretch:
    """Let the agent do something, and the human say something of it."""
    return Stretch().prompt("add a cache").edit("src/cache.py").says("Done.").prompt(words)


FAULTS = {
    "bare": "nope",
    "crashes, in other words": "it crashes on startup now",
    "since the change": "The page is blank after your change",
    "since a commit": "the build is broken since your last commit",
    "was it run": "did you even run it?",
    "don't, use another": "don't do that, use the helper",
    "wrong": "no, that's wrong",
    "still fails": "it still fails",
    "still the same error": "I still get the same error",
    "not what was asked": "that's not what I asked for",
    "undo": "undo",
    "revert that": "Please revert that.",
    "your changes": "revert your changes to the parser",
    "it does not work": "this doesn't work",
    "did not help": "That did not fix it, the page is blank.",
    "broke": "you broke the login",
    "forgot": "you forgot the tests",
    "misunderstood": "I think you misunderstood, it is about the server",
    "meant": "no, I meant the other file",
    "what was meant": "what I meant: the config in the root",
    "why still": "why is it still failing?",
    "told you": "I told you not to touch the schema",
    "worse": "that made it worse",
    "not true": "this is not quite true, the lock is taken before",
    "not seen": "I'm not seeing the change in the browser",
    "only half of it": "I see the new colour but not the icon",
    "still reads so": "this still reads as if we always start a new one",
    "tried": "I ran the test again, it still fails",
    "when tried": "when I run it, it still crashes",
    "same error": "nope, same error",
    "nothing changed": "Still nothing.",
    "said": "No! I said don't touch main.py",
    "not done": "you didn't run the tests",
    "crashes now": "now it crashes on startup",
    "put back": "put it back please",
    "stop": "stop",
    "not like that": "not like that, use the helper",
    "supposed": "you were supposed to keep the old name",
    "German": "nein, das ist falsch",
    "German, still": "es funktioniert immer noch nicht",
    "German, undo": "mach das rückgängig",
    "Spanish": "eso está mal",
    "Spanish, still": "sigue fallando",
    "French": "ce n'est pas ce que j'ai demandé",
    "French, still": "ça ne marche toujours pas",
    "Chinese": "不对，应该用另一个函数",
    "Chinese, still": "还是报错",
    "Chinese, undo": "撤销",
    "Chinese, the wrong file": "你改错文件了",
    "German, did not work": "das hat nicht funktioniert",
    "again": "Nope. Try again.",
    "redo": "no, redo it",
    "not meant": "this isn't what I meant",
    "not at all": "this is not at all what I wanted",
    "not how": "That isn't how the API works.",
    "praise and a but": "perfect, but the tests fail now",
    "it works, with a but": "works, but the button is missing",
    "nearly": "almost, but the footer is broken",
    "German, with a but": "super, aber der Test schlägt fehl",
    "Chinese, with a but": "很好，但是还有一个错误",
    "a try": "nice try, but the parser ignores comments",
    "over": "Let's start over.",
    "scrapped": "scrap that",
    "thrown away": "throw that away and begin anew",
    "back": "Nah, go back to what we had.",
    "the opposite": "That's the opposite of what I asked.",
    "the wrong file": "You changed the wrong file.",
    "another thing": "I asked for a CLI, not a web page.",
    "breaks": "this breaks the build",
    "fails now": "the tests are failing now",
    "now fails": "now the tests fail",
    "fails, in short": "build fails",
    "does not compile": "Doesn't compile.",
    "red": "Everything is red now",
    "still blank": "the page is still blank",
    "no and no": "no no no",
    "undo, after a reason": "I don't like it. Undo that.",
    "revert, asked": "Can you revert this?",
    "deleted": "it deleted my config",
    "not quite": "Not quite. The name comes from the header.",
    "after a log": "Here is the output:\n\n2026-01-01 10:00:00 INFO ready\n\nit still fails",
    "before a log": "it still fails:\nTraceback (most recent call last):\nValueError: x",
}
NO_FAULTS = {
    "no, it is good": "no no it's good",
    "for others": "don't do that for the other files",
    "no, keep it": "no no, leave it",
    "a condition of crashing": "if it crashes on startup now, tell me",
    "a plain question whether it ran": "did you run it?",
    "an order": "now add a test for it",
    "an answer": "no",
    "a polite answer": "no thanks, that's all",
    "a condition": "if it still fails, try the other endpoint",
    "what must hold": "make sure it still fails when the token is wrong",
    "a question": "does it still fail on Windows?",
    "a task of its own": "revert commit 1a2b3c from the release branch",
    "another fault": "the login page on staging shows an error, can you look?",
    "a question on the past": "why did you use a map here?",
    "quoted": 'the docs say "this is wrong" in two places, reword it',
    "quoted lines": "> that's not what I asked\n\nput this quote into the readme",
    "code": "```\nassert not wrong  # this doesn't work\n```\nadd this",
    "a pasted log": "--- FAIL: TestIt (0.01s)\n    it_test.go:10: it is not right\nFAIL",
    "an agreement": "that's right, go on",
    "a wish": "could we also cover the case where the file is missing?",
    "a check to write": "add a check that this doesn't work without a key",
    "what should be": "it should not work for guests",
    "a rename": "undo is the name of the button, translate it",
    "a stop of something else": "stop the server first, then run the migration",
    "a name": "rename wrong.py to right.py",
    "praise": "perfect, thanks",
    "a test to write": "add a test where it still fails",
    "said by somebody else": "the customer said it is broken, find out if so",
    "to be explained": "explain why this doesn't work in Safari",
    "on purpose": "it does not work offline by design, say so in the docs",
    "asked to be sure": "you didn't touch the schema, right?",
    "a new thought": "I meant to ask: which licence do we use?",
    "like another": "same error handling as in the client please",
    "German, not needed": "das ist nicht nötig",
    "Chinese, not wrong": "没错了，继续",
    "still good": "it still looks fine to me, go on",
    "long orders": "Build the following.\n" + "Step: describe what happens when it is wrong and still fails. " * 20,
    "German order": "prüfe, ob es immer noch nicht funktioniert",
    "Chinese order": "修复登录页面的错误",
    "Chinese question": "这样对不对？",
    "a stack trace": 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: wrong\nthis fails again',
    "another stack trace": "please fix:\nError: this is wrong\n    at foo (a.js:1:2)\nit does not work",
    "CI's output": "CI says:\n\n2026-05-01T10:00:00Z Run tests\n2026-05-01T10:00:01Z it still fails",
    "a package manager's": "look at this\nnpm ERR! this doesn't work\nnpm ERR! that is wrong",
    "levels": "[INFO] ready\n[ERROR] it still fails",
    "a container's": "web_1 | it still fails",
    "a compiler's": "src/a.ts(3,4): error TS1: this is not correct",
    "a panic": "thread 'main' panicked at src/a.rs:1:2:\nthis is wrong",
    "a test's": "FAILED tests/a.py::test_x - it still fails",
    "between tags": "<bash-stdout>\nit still fails\n\nthat's wrong\n</bash-stdout>\ncommit it",
    "several quoted lines": "> it still fails\n> that's wrong",
    "to be tried after a wait": "I've logged in, try again",
    "a but that is no fault": "ok, but it isn't urgent",
    "a but with a question": "good, but can you also handle missing files?",
    "a but with a rule": "works, but make sure it fails for guests",
    "what must fail": "the test should fail now, right?",
    "a fault to find": "find out what broke",
    "a fault of the human": "my mistake, I gave you the wrong file",
    "what a user is told": "the user is told that it's wrong",
    "orders on what fails": "Now fix the tests that fail on Windows",
    "a start of something": "start again the server",
    "a time of the day": "at 10:30 we deploy, go on",
    "Spanish order": "si sigue fallando, usa la otra",
}


@pytest.mark.parametrize("words", FAULTS.values(), ids=FAULTS.keys())
def test_words(words: str) -> None:
    """A human who says that the work is not right is one signal, at their words."""
    found = worked(words).found(QualityRejection())
    assert [(signal.events, signal.category) for signal in found] == [((5,), "words")]


@pytest.mark.parametrize("words", NO_FAULTS.values(), ids=NO_FAULTS.keys())
def test_other_words(words: str) -> None:
    """Orders, conditions, questions, quotes and logs are no rejection."""
    assert worked(words).found(QualityRejection()) == []


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Is the current behaviour wrong?", "yes, that's wrong"),
        ("The old parser drops comments. Is that wrong?", "Yes, that is not right."),
        ("Should the existing check stay?", "no, it's wrong"),
        ("Shall I fix the original one? I can do both.", "right, it's broken"),
    ],
)
def test_answers(asked: str, answer: str) -> None:
    """Who confirms what the agent asked, or answers on how things were before, rejects nothing."""
    assert Stretch().prompt("go").says(asked).prompt(answer).found(QualityRejection()) == []


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Does that look right?", "no, that's wrong"),
        ("Does it fail now?", "yes, it still fails"),
        ("I changed it. Is that what you meant?", "not what I meant"),
        ("Is the current behaviour wrong?", "yes. And you broke the login"),
        ("Done.", "yes, that's wrong"),
    ],
)
def test_answers_that_reject(asked: str, answer: str) -> None:
    """An answer that says that the work is not right, or still fails, is a rejection."""
    assert len(Stretch().prompt("go").says(asked).prompt(answer).found(QualityRejection())) == 1


def test_a_question_before_more_work() -> None:
    """What was asked before the agent went on is no longer what is answered."""
    stretch = Stretch().prompt("go").says("Is the current behaviour wrong?").edit("a.py").prompt("yes, that's wrong")
    assert len(stretch.found(QualityRejection())) == 1


def test_first_prompt() -> None:
    """Who begins with a fault reports one: nothing of the agent can be rejected yet."""
    assert Stretch().prompt("the login is wrong, it still fails").found(QualityRejection()) == []


def test_rejected_call() -> None:
    """A tool call that a human did not want is one signal, which names the tool."""
    stretch = Stretch().prompt("go").call("Edit", file_path="a.py").add(EventKind.REJECTION, REJECTED, tool="Edit")
    (signal,) = stretch.says("What shall I do?").found(QualityRejection())
    assert (signal.events, signal.severity, signal.category) == ((3,), "medium", "rejection")
    assert "Edit" in signal.description


def test_reason() -> None:
    """Where a human says why they reject a call, the signal says it too."""
    text = f"{REJECTED} To tell you how to proceed, the user said:\nuse the other file"
    (signal,) = Stretch().call("Edit").add(EventKind.REJECTION, text, tool="Edit").found(QualityRejection())
    assert "use the other file" in signal.description


def test_interrupt_at_work() -> None:
    """A human who stops the agent while it works is one signal."""
    stretch = Stretch().prompt("go").call("Bash", command="make").add(EventKind.INTERRUPT)
    assert [signal.events for signal in stretch.found(QualityRejection())] == [(3,)]


def test_early_interrupt() -> None:
    """Who stops it before it has done anything takes back their own words; who wants to hear of it says so."""
    stretch = Stretch().prompt("go on").says("Done.").prompt("exot").add(EventKind.INTERRUPT).prompt("exit")
    assert stretch.found(QualityRejection()) == []
    assert len(stretch.found(QualityRejection(early_interrupts=True))) == 1


def test_one_exchange_is_one_signal() -> None:
    """A rejection, an interrupt and the words right after are one; what follows new work is another."""
    stretch = Stretch().prompt("go").call("Edit", file_path="a.py").add(EventKind.REJECTION, REJECTED, tool="Edit")
    stretch.add(EventKind.INTERRUPT).prompt("no, that's wrong, use the helper").edit("a.py").says("Done.")
    stretch.prompt("it still fails")
    assert [signal.events for signal in stretch.found(QualityRejection())] == [(3, 4, 5), (9,)]


def test_taken_back() -> None:
    """Who says that it was a mistake has rejected nothing."""
    stretch = Stretch().prompt("go").call("Edit", file_path="a.py").add(EventKind.REJECTION, REJECTED, tool="Edit")
    stretch.add(EventKind.INTERRUPT).prompt("sorry, continue").edit("a.py")
    assert stretch.found(QualityRejection()) == []


def test_any_number_of_interrupts() -> None:
    """However often a human stops the agent, it is one signal with so many events as can be kept."""
    stretch = Stretch().prompt("go").says("Working.")
    for _ in range(200):
        stretch.add(EventKind.INTERRUPT)
    (signal,) = stretch.found(QualityRejection())
    assert signal.events == tuple(range(3, 53))


def test_a_subagents_prompt() -> None:
    """What an agent says to a subagent is not a human's word."""
    stretch = worked("go on").add(EventKind.PROMPT, "no, that's wrong", parent_call_id="call-1")
    assert stretch.found(QualityRejection()) == []
