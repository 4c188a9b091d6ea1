"""What an agent says at the end of its turn -> whether it claims success, or asks for help. English only."""

from __future__ import annotations

import re
from typing import Literal

from loopwright.text.own_words import sentences

Claim = Literal["tests", "build", "all", "done"]
"""What is claimed to be right: the tests, the build or linter, all of that, or only that the work is done."""

_GO_ON = (
    r"(?:proceed|continue|go (?:on|any|further)|complete|finish|make (?:any |further |more )?progress|move forward"
    r"|do (?:this|that|it|any|more)\b|accomplish|fulfil)"
)
_HELPLESS = re.compile(
    rf"\bi (?:really |simply |currently |still )?(?:can(?:no|')t|cannot|could ?n(?:o|')t|could not|am not able to"
    rf"|am unable to|was unable to|was not able to|don't know how to) (?:yet |currently |safely "
    rf"|reliably )?{_GO_ON}"
    rf"|\bi'm (?:unable|not able) to (?:safely |reliably )?{_GO_ON}"
    r"|\b(?:i'm|i am|i've been|i got|we're|i remain) (?:completely |currently |now |still |really )?"
    r"(?:stuck\b(?! to)|blocked|out of ideas|at a loss)|\bi give up\b"
    r"|\bi(?:'ve| have)? (?:hit|reached|run into) (?:a |an |the )?(?:hard |complete )?(?:wall|dead end|road ?block"
    r"|impasse|blocker)"
    r"|\b(?:could not|couldn't|cannot|can't|can not) be (?:completed|finished|done|resolved|fixed|pushed|met)\b"
    r"(?! (?:with|in|by|until|later|yet))"
    r"|\bi(?:'ll| will)? need (?:your|some|a human'?s?|human|someone'?s?|more|further|additional) (?:help|input"
    r"|decision"
    r"|guidance|permission|approval|assistance|credentials|access|information|context|details|clarification"
    r"|confirmation)"
    r"|\bi(?:'ll| will)? need (?:access to|permission to|credentials|help (?:with|from|to)|clarification)\b"
    r"|\b(?:how (?:should i|would you like me to|do you want me to) (?:proceed|continue|go on|handle this))"
    r"|\b(?:requires?|needs?) (?:manual|human) (?:intervention|action|review before)"
    r"|\b(?:beyond|outside) (?:of )?(?:my (?:control|capabilities|abilities|power)|what i can do)"
    r"|\b(?:help me|can you help|could you help)\b(?=.{0,40}\?)|\bi(?:'m| am) waiting (?:for|on) (?:you|your)\b"
    r"|\bi(?:'m sorry,? but i)? (?:can't|cannot) (?:help|assist)(?: you)? with (?:this|that|the request)"
    r"|\bi (?:don't|do not) (?:currently )?have (?:access to|permission to|permissions to|credentials|the rights)\b"
    r"|\bi don't know how to (?:fix|solve)|\bi'm out of (?:options|ideas)|^waiting (?:for|on) (?:you|your)\b"
    r"|^blocked(?::| on | by )"
    r"|\b(?:could|can) you (?:please )?(?:clarify|provide|share|tell me|point me|give me|paste|send)\b"
    r"|\b(?:then|before) i can (?:continue|proceed|go on|push|finish|retry|try again)\b|\b(?:confirm|approve"
    r"|decide) before i\b"
    r"|\bwhat (?:would you like me to|do you want me to|should i) do\b(?! next)"
    r"|\bhow you(?:'d| would) like (?:me )?to (?:proceed|continue)\b"
    r"|\b(?:the task|this task|this work|the work|progress|the rest|this) (?:is|remains) blocked\b"
)
_THING = (
    r"(?:[\w-]+ ){0,4}(?:access|permissions?|credentials?|(?:api )?keys?|tokens?|passwords?|secrets?|approval|log-?ins?"
    r"|authori[sz]ation|licen[cs]e|certificate|account)"
    r"(?=[.,;:!?)—]|$| (?:to|for|on|of|from|at|in|here|yet|and|so|before)\b)"
)
"""What only a human can give."""
_NOT_ABLE = (
    r"(?:can(?:no|')t|cannot|can not|won't be able to|will not be able to|(?:am )?unable to|(?:am )?not able to)"
)
_RESUME = rf"i(?:'ll| will| can) (?:{_GO_ON}|resume|retry|try again|pick|push|deploy|rerun|start|run)"
_LACKING = re.compile(
    rf"\b(?:i|we)(?:'ll| will)? (?:still |also )?(?:need|require|lack) (?!to ){_THING}"
    rf"|\b(?:i|we) (?:(?:currently |still )?(?:do not|don't) have|have no) {_THING}"
    rf"|\b(?:i'm|i am|we're|we are) (?:still )?missing {_THING}|\b(?:i|we)(?:'ll| will)? need you to \w"
    rf"|^(?:please|would you|could you|can you) (?:please )?(?:provide|share|grant|give|send|supply)\b"
    rf".{{0,60}}?\b{_THING}"
    rf"|^(?:could|can|would) you (?:please )?\w+ {_THING}.{{0,100}}\?"
    r"|^please (?:allow|approve|grant|authori[sz]e) (?:it|this|that|me)\b"
    rf"|^please .{{0,120}}\b(?:and|then|so) (?:that )?(?:let me know|tell me|{_RESUME})"
    rf"|^(?:sorry, |i'm )?{_NOT_ABLE} {_GO_ON}.{{0,40}}\b(?:without|until)\b"
    rf"|\b(?:i|we)(?:'m)? {_NOT_ABLE} .{{2,60}}?\b(?:without|until) (?:you\b|your\b|{_THING})"
    rf"|^without {_THING},? (?:i|we)(?:'m)? {_NOT_ABLE}\b"
    r"|\bi(?:'m| am) (?:unable|not able) to (?:access|authenticate|log ?in|sign in)\b"
    rf"|^(?:once|after|as soon as) you.{{3,100}}?\b{_RESUME}|\blet me know (?:once|when|after) .{{3,100}}?\b{_RESUME}"
    rf"|^(?:do you have|what(?:'s| is)|where is|may i have|(?:can|could) i (?:have|get)) {_THING}.{{0,100}}\?"
    rf"|^(?:i'm |i am |still )?waiting (?:for|on) {_THING}|\bwe(?:'re| are) blocked\b|^(?:i'm |i am )?stopping here\b"
)
_SUPPOSED = re.compile(
    r"\b(?:if|when|whenever|unless|in case|should|would|might|may|so that|users?|otherwise|before|earlier|initially"
    r"|at first|previously|no longer)\b"
)
_WENT_ON = re.compile(
    r"\bso i(?:'ve)? (?:used|kept|did|went|added|chose|switched|wrote|made|left|took|tried)\b"
    r"|\binstead\b"
)
_TESTS = r"(?:tests?|test suites?|suites?|specs?|test cases?)"
_BUILD = r"(?:builds?|lint(?:er|ers|ing)?|type ?checks?|type ?checking|compilation|checks|gates)"
_GREEN = r"(?:is|are|were|was|comes? out|stays?|back to) (?:all |now |still )?(?:green|passing|clean)"
_PASS = rf"(?:pass(?:es|ed|ing)?|{_GREEN}|succeed(?:s|ed)?|green)"
_ALSO = r"(?:now |all |still |again |also |successfully |both |cleanly )*"
_BOTH = rf"(?:{_TESTS}(?:,| and)(?: the)? {_BUILD}|{_BUILD}(?:,| and)(?: the)? {_TESTS})"
_CLAIMS: tuple[tuple[Claim, re.Pattern[str]], ...] = (
    ("all", re.compile(rf"\b{_BOTH} {_ALSO}{_PASS}\b")),
    ("tests", re.compile(rf"\b{_TESTS} (?:(?:in|across|for) \S+ )?{_ALSO}{_PASS}\b|\b(\d+) ?/ ?\1 {_ALSO}pass")),
    ("tests", re.compile(rf"\b(?:all|every|both) (?:\w+ ){{0,4}}{_TESTS} (?:\w+ ){{0,2}}{_PASS}\b")),
    ("tests", re.compile(rf"\bpass(?:es|ed|ing)? all {_TESTS}\b")),
    (
        "build",
        re.compile(rf"\b{_BUILD} (?:command )?{_ALSO}{_PASS}\b|\bit (?:builds|compiles) (?:cleanly|fine|without)"),
    ),
    (
        "all",
        re.compile(
            r"^(?:all|everything)(?:'s| is| are)? (?:now )?(?:green|passing|passes|pass|clean"
            r"|passed)\b"
        ),
    ),
    ("all", re.compile(r"\beverything (?:now |is )?(?:works|working|passes|passing|green)\b")),
    ("tests", re.compile(r"\bran (?:\w+ ){0,3}tests,? and (?:they|all|everything)(?: all)? pass")),
    ("all", re.compile(r"^(?:verified: |confirmed: )?x (?:now |also )?passes\b")),
    ("all", re.compile(r"\bfixed and verified\b|\bverified and working\b")),
)
_DONE = re.compile(
    r"^(?:all )?(?:done|fixed|finished|completed?|implemented|resolved|success)\b(?!:? (?:list|so far))"
    r"|\b(?:i've|i have|i) (?:now |successfully |just )*(?:fixed|implemented|completed|finished|resolved|solved)\b"
    r"|\b(?:is|are|has been|have been) (?:now |fully )?(?:complete|done|finished|fixed|implemented|resolved|met"
    r"|satisfied)\b"
    r"|\b(?:implementation|task|work|feature|refactoring) (?:is )?(?:now )?(?:complete|completed|done|finished)\b"
    r"|^successfully \w+ed\b|\bevery(?:thing)? (?:is |now )?(?:works|working|done)\b|\bready (?:for review"
    r"|to merge)\b"
)
_PLANNED = re.compile(
    r"\b(?:should|will|would|could|must|might|may|can|if|once|when|until|unless|after|before|whether|make sure"
    r"|ensure"
    r"|ensures?|ensuring|verify|verifying|confirm|check(?:ing)?|let me|let's|need(?:s|ed)?|expect(?:ed|s)?"
    r"|hope(?:fully)?|so that|to get"
    r"|to make|to be|try|next|goal|until|previously|earlier|used to|locally fails|not all|no|not|n't|never|without"
    r"|ci|actions|workflow"
    r"|pipeline|github|claims?|said|says)\b|\?$|n't\b"
)
_NAMED = re.compile(
    r"\b(?:but|except|apart from|other than|aside from|unrelated|pre-?existing|however|though|although|only)\b"
    r"|\b(?:still|also|which|that|tests?|\d+|one|two|three|some|few|several|remaining|known"
    r"|other) (?:\w+ )?fail(?:s|ing|ed|ures?)?\b(?! (?:test )?now)"
    r"|\bnot (?:related|caused)\b|\b(?:could not|couldn't|cannot|can't|unable to|did not|didn't"
    r"|not) (?:be )?(?:run|execute|verify|verified)\b"
)
_SOME = re.compile(
    r"\b(?:most|some|many|several|few|half|other|\d+ of \d+|\d+ out of \d+) (?:of the )?(?:\w+ )?tests?\b"
    r"|\b(?:pass|passed|passing) before (?:my|the|this|any|that)\b"
)
_NO_FAILURE = re.compile(
    r"\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:fail\w*|errors?)\b|\b(?:that|which|previously) (?:was |were "
    r"|had )?fail\w*\b"
)


def helpless(text: str) -> str:
    """Give the sentence in which the agent asks for help or says that it can't go on; empty where there is none."""
    for sentence in sentences(text):
        found = _HELPLESS.search(sentence) or _LACKING.search(sentence)
        if found and not _SUPPOSED.search(sentence[: found.start()]) and not _WENT_ON.search(sentence):
            return sentence
    return ""


def claim(text: str) -> tuple[Claim, str] | None:
    """Give what is claimed to be right, and the sentence; None where nothing is, or where failures are named."""
    said = sentences(text)
    if any(_NAMED.search(_NO_FAILURE.sub("", sentence)) and "fail" in sentence for sentence in said):
        return None
    done: tuple[Claim, str] | None = None
    for sentence in said:
        about = _claimed(sentence)
        if about and about != "done":
            return about, sentence
        done = done or (("done", sentence) if about else None)
    return done


def _claimed(sentence: str) -> Claim | None:
    if _NAMED.search(_NO_FAILURE.sub("", sentence)) or _SOME.search(sentence):
        return None
    for about, pattern in (*_CLAIMS, ("done", _DONE)):
        found = pattern.search(sentence)
        if found and not _PLANNED.search(sentence[: found.end()]) and not sentence.endswith("?"):
            return about
    return None
