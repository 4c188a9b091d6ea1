"""escalation: the agent asks for help or says that it can't go on."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.escalation import Escalation
from loopwright.records.event import EventKind
from measure.stretches import Stretch


def ended(words: str) -> Stretch:
    """Let a turn end with some words of the agent."""
    return Stretch().prompt("deploy it").ran("make deploy", "denied", exit_code=1).says(words)


LACKS = [
    *("I need you to run the login in your terminal.", "I'll need you to restart the VPN."),
    *("Could you provide the API key?", "Could you please add the secret to the settings?"),
    *("Please provide the API key.", "Please grant me access to the repository.", "It is denied. Please approve it."),
    *("I'm blocked until the VPN is up.", "We are blocked until someone grants access."),
    *("Can't proceed without credentials.", "Cannot continue until the database is reachable."),
    *("Without the token, I cannot push the branch.", "I can't push to the remote without write access."),
    *("I can't deploy until you approve the change.", "I won't be able to finish this without your input."),
    *("Once you've granted access, I'll continue.", "Please set the variable and let me know."),
    *("Let me know once you have added the key and I'll continue.", "May I have permission to delete the branch?"),
    *("Do you have the password for the staging database?", "I lack the permissions to push to this branch."),
    *("I'm missing the credentials for the registry.", "I don't have an API key for this service."),
    *("I have no access to the production logs.", "I need a valid token to finish the upload."),
    *("Waiting on access to the cluster.", "I am unable to access the repository."),
]
LACKS_NOTHING = [
    *("The endpoint requires an API key.", "Users need access to the bucket to upload."),
    *("The form can't proceed without a token; it shows an error.", "Missing credentials now raise an error."),
    *("Requests are blocked until the rate limit resets.", "Once you deploy, the flag takes effect."),
    *("Once you provide a key in the settings, the client uses it.", "Let me know once you have had a look."),
    *("Could you review the PR when you have time?", "I no longer need access to the registry."),
    *("I don't need you to do anything.", "I need to rotate the key next.", "Please provide feedback."),
    *("To use it, please provide the API key in the settings.", "I have no permission checks in the new path."),
    *("I can't reproduce it without the old browser, but the guard covers it.", "What is the key difference? Speed."),
    *("The function waits for the credentials.", "You can grant access in the settings page."),
]
HELP = {
    "guidance": "I need guidance on how to proceed.",
    "a decision": "This requires a decision from you.",
    "approval": "The deployment needs your go-ahead. It needs your approval.",
    "access that is needed": "I don't have access to the repo, but I need it to push.",
    "can't go on": "I can't continue without the database password.",
    "unable": "I'm unable to complete this in the sandbox.",
    "not able": "I am not able to proceed: the registry does not answer.",
    "stuck": "I'm stuck: each way that I tried ends in the same error.",
    "blocked": "I am blocked by the missing licence.",
    "needs help": "I need your help with the certificate.",
    "needs a decision": "I need your decision between the two schemas.",
    "needs access": "I need access to the staging cluster.",
    "needs something": "I need you to provide an API key.",
    "needs more to know": "I need more information about the format.",
    "asks how": "All three endpoints refuse the token. How should I proceed?",
    "asks how, politely": "The migration would delete rows. How would you like me to proceed?",
    "asks for something": "Please provide the credentials so that I can finish the upload.",
    "gives up": "I give up: the compiler crashes each time.",
    "a wall": "I've hit a dead end with this library.",
    "could not be done": "Push could not be completed from this environment.",
    "by hand": "This needs manual intervention in the console.",
    "out of reach": "Restarting that host is outside of my control.",
    "could not finish": "I could not finish the migration.",
    "waits": "I'm waiting for your approval of the plan.",
    "the word of our prompt": "IMPOSSIBLE: the test and the criterion contradict each other",
    "our word in bold": "**Impossible, because** the file is generated",
    "a refusal": "I'm sorry, but I can't help with that request.",
    "no rights": "I don't have permission to push to this branch.",
    "first the human": "You'll need to log in first, then I can push.",
    "what to do": "Both ways break the API. What would you like me to do?",
    "to be made clear": "Could you clarify which endpoint you mean?",
    "one word": "Blocked: the key is missing.",
    "after a summary": "Two of three are done.\n\n- parser\n- printer\n\nI cannot complete the third: the API is gone.",
}
NO_HELP = {
    "a remark": "I don't have access to the prod metrics, but I measured it here, and this is done.",
    "a remark, cut": "I don't have access to the prod metrics, but … this is done.",
    "a remark before the claim": "I don't have access to the metrics. All tests pass.",
    "of the product": "The form requires a decision from the customer.",
    "a closing question": "Done. Shall I also update the docs?",
    "another closing question": "Would you like me to commit these changes?",
    "an offer": "Let me know if you need help with the rest.",
    "a choice": "There are two ways. Which approach do you prefer?",
    "quoting the user": 'You wrote "I can\'t continue without it", so I added it.',
    "quoting a file": "> I'm stuck\n\nThat is what the issue says.",
    "code": "```\nraise Error('I cannot proceed')\n```\nThis is what it raises now.",
    "a plan": "If I can't finish it today, the flag keeps it off.",
    "of users": "When a user is signed out, users can't continue to the checkout.",
    "of the program": "The parser cannot continue after a syntax error, so it stops there.",
    "of the past": "Initially I was stuck on the cache, then the fix was simple.",
    "done": "Done. All tests pass.",
    "a caveat": "I could not reproduce the crash, but the guard is in place.",
    "not run": "I did not run the full suite.",
    "a test that is blocked": "The request is rejected by the server with 403, as the test expects.",
    "a condition of help": "Should you need my help, ask.",
    "a hint": "You need to set the variable before you start it.",
    "advice": "Please run the migration before you deploy.",
    "sticks": "I'm stuck to the old API on purpose, for compatibility.",
    "what a flag does": "With the flag, uploads that can't be completed with the old token are retried.",
    "impossible elsewhere": "It is impossible to reach this line now.",
    "would": "I would need your input if the schema changes again.",
    "another way": "I was unable to complete it with the first library, so I used the second.",
    "kept on purpose": "I can't do this without breaking the API, so I kept the old name.",
    "what next": "Done. What would you like me to do next?",
    "a heading": "## Blocked / stale\n- the second pull request",
    "no longer": "The queue is no longer blocked by the lock.",
}


@pytest.mark.parametrize("words", HELP.values(), ids=HELP.keys())
def test_last_words(words: str) -> None:
    """A turn that ends with a call for help is one signal, at those words."""
    assert [signal.events for signal in ended(words).found(Escalation())] == [(4,)]
    assert [signal.events for signal in ended(words).prompt("try again").found(Escalation())] == [(4,)]


@pytest.mark.parametrize("words", NO_HELP.values(), ids=NO_HELP.keys())
def test_other_last_words(words: str) -> None:
    """Polite questions, offers, quotes, conditions and reports are no call for help."""
    assert ended(words).found(Escalation()) == []


@pytest.mark.parametrize("words", LACKS)
def test_what_it_lacks(words: str) -> None:
    """Who asks for access, a key or leave, or can't go on without the human, asks for help."""
    assert [signal.events for signal in ended(words).found(Escalation())] == [(4,)]


@pytest.mark.parametrize("words", LACKS_NOTHING)
def test_what_others_lack(words: str) -> None:
    """What the program or its users need, and what the human may do afterwards, is no call for help."""
    assert ended(words).found(Escalation()) == []


def test_it_goes_on() -> None:
    """Who says that it can't go on, and then goes on, could."""
    assert ended("I'm stuck with this; I'll try another way.").ran("ls").says("Done.").found(Escalation()) == []


def test_interrupted() -> None:
    """Words that a human cut off were not the last ones."""
    assert ended("I can't continue").add(EventKind.INTERRUPT).found(Escalation()) == []


def test_subagent() -> None:
    """A subagent that asks, asks the agent and not the human."""
    stretch = Stretch().add(EventKind.MESSAGE, "I can't continue.", parent_call_id="call-1")
    assert stretch.found(Escalation()) == []


def test_choices() -> None:
    """A tool by which the human chooses is a question, and no call for help, unless one wants it so."""
    stretch = Stretch().prompt("go").call("AskUserQuestion", questions=[]).result("the first")
    assert stretch.found(Escalation()) == []
    assert [signal.severity for signal in stretch.found(Escalation(questions=True))] == ["low"]


def test_result_alone() -> None:
    """Where an agent tells only its result, its words are in there; told twice, they are one signal."""
    words = "I can't continue without a key."
    assert len(Stretch().add(EventKind.RESULT, words).found(Escalation())) == 1
    assert len(ended(words).add(EventKind.RESULT, words).found(Escalation())) == 1


def test_a_judges_words() -> None:
    """What another program says of a run is not what the agent said."""
    stretch = Stretch().add(EventKind.RESULT, "I can't continue", data={"passed": False})
    assert stretch.found(Escalation()) == []


def test_handed_to_a_human() -> None:
    """A run of ours that was handed to a human is one signal, together with the words that led to it."""
    end = {"detail": "the file is generated"}
    stretch = ended("IMPOSSIBLE: the file is generated").add(EventKind.VERDICT, "fail: x", data={"verdict": "fail"})
    (signal,) = stretch.add(EventKind.NOTE, "escalated: impossible", data=end).found(Escalation())
    assert (signal.events, signal.severity, signal.category) == ((4, 6), "high", "impossible")


@pytest.mark.parametrize(
    ("note", "severity"),
    [("escalated: budget", "medium"), ("escalated: denied", "high"), ("failed: refused", "high")],
)
def test_other_endings(note: str, severity: str) -> None:
    """What was escalated counts whatever the reason, what failed where the agent did not want or was not let."""
    assert [signal.severity for signal in Stretch().add(EventKind.NOTE, note).found(Escalation())] == [severity]


@pytest.mark.parametrize("note", ["done: criteria_met", "failed: budget", "cancelled: criteria_unmet", "a note: x"])
def test_endings_that_are_none(note: str) -> None:
    """A run that is done, out of money or cancelled did not ask for anybody."""
    assert Stretch().add(EventKind.NOTE, note).found(Escalation()) == []
