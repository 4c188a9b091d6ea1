"""What an agent says at the end of its turn -> whether it asks something, or for help. English only."""

from __future__ import annotations

import re

from loopwright.text.claims import claims
from loopwright.text.own_words import sentences

_LAST, _ENOUGH = 2000, 3
"""In so many characters, and so many sentences, at the end of a message it asks what it wants to know."""
_GO_ON = (
    r"(?:proceed|continue|go (?:on|any|further)|complete|finish|make (?:any |further |more )?progress|move forward"
    r"|do (?:this|that|it|any|more)\b|accomplish|fulfil)"
)
_HELPLESS = re.compile(
    r"\bi (?:really |simply |currently |still )?(?:can(?:no|')t|could ?n(?:o|')t|am not able to"
    rf"|am unable to|was unable to|was not able to|don't know how to) (?:yet |currently |safely |reliably )?{_GO_ON}"
    rf"|\bi'm (?:unable|not able) to (?:safely |reliably )?{_GO_ON}"
    r"|\b(?:i'm|i am|i've been|i got|we're|i remain) (?:completely |currently |now |still |really )?"
    r"(?:stuck\b(?! to)|blocked|out of ideas|at a loss)|\bi give up\b"
    r"|\bi(?:'ve| have)? (?:hit|reached|run into) (?:a |an |the )?(?:hard |complete )?(?:wall|dead end|road ?block"
    r"|impasse|blocker)"
    r"|\b(?:could not|couldn't|cannot|can't|can not) be (?:completed|finished|done|resolved|fixed|pushed|met)\b"
    r"(?! (?:with|in|by|until|later|yet))"
    r"|\bi(?:'ll| will)? need (?:your|some|a human'?s?|human|someone'?s?|more|further|additional) (?:help|input"
    r"|decision|guidance|permission|approval|assistance|credentials|access|information|context|details|clarification"
    r"|confirmation)|\bi(?:'ll| will)? need (?:guidance|direction|advice|input|a decision|an answer)\b"
    r"|\b(?:requires?|needs?|calls for|awaits?|awaiting) (?:an? |some )?(?:\w+ )?(?:decision|input"
    r"|approval|confirmation|answer|permission|choice|sign-?off|go-ahead|call) (?:from you|by you"
    r"|on your (?:side|part|end))\b"
    r"|\b(?:this|that|it|which|what \w+|the rest|the task) (?:requires?|needs?|awaits?) your (?:decision|input|approval"
    r"|confirmation|answer|permission|choice|sign-?off|go-ahead)\b"
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
    r"|decide) before i\b|\bwhat (?:would you like me to|do you want me to|should i) do\b(?! next)"
    r"|\bhow you(?:'d| would) like (?:me )?to (?:proceed|continue)\b"
    r"|\b(?:the task|this task|this work|the work|progress|the rest|this) (?:is|remains) blocked\b"
)
_THING = (
    r"(?:[\w-]+ ){0,4}(?:access|permissions?|credentials?|(?:api )?keys?|tokens?|passwords?|secrets?|approval|log-?ins?"
    r"|authori[sz]ation|licen[cs]e|certificate|account)"
    r"(?=[.,;:!?)—]|$| (?:to|for|on|of|from|at|in|here|yet|and|so|before)\b)"
)
"""What only a human can give."""
_NOT_ABLE = r"(?:can(?:no|')t|can not|won't be able to|will not be able to|(?:am )?unable to|(?:am )?not able to)"
_RESUME = rf"i(?:'ll| will| can) (?:{_GO_ON}|resume|retry|try again|pick|push|deploy|rerun|start|run)"
_LACKING = re.compile(
    rf"\b(?:i|we)(?:'ll| will)? (?:still |also )?(?:need|require|lack) (?!to ){_THING}"
    rf"|\b(?:i|we) (?:(?:currently |still )?(?:do not|don't) have|have no) {_THING}"
    rf"|\b(?:i'm|i am|we're|we are) (?:still )?missing {_THING}|\b(?:i|we)(?:'ll| will)? need you to \w"
    r"|^(?:please|would you|could you|can you) (?:please )?(?:provide|share|grant|give|send|supply)\b"
    rf".{{0,60}}?\b{_THING}|^(?:could|can|would) you (?:please )?\w+ {_THING}.{{0,100}}\?"
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
    r"\bso i(?:'ve)? (?:used|kept|did|went|added|chose|switched|wrote|made|left|took|tried)\b|\binstead\b"
)
_NOT_HAVING = re.compile(r"\b(?:do not|don't) (?:currently |still )?have\b|\bhave no\b")
_DID_WITHOUT = re.compile(
    r"^.{0,200}?\b(?:but|however|though)\b(?! (?:please|can you|could you)|,? (?:i|we)(?:'ll"
    r"| will)? (?:need|can't|cannot|can not|couldn't|could not))"
)


def question(text: str) -> str:
    """Give what is asked in the last sentences; empty where nothing is."""
    return next((sentence for sentence in reversed(sentences(text[-_LAST:])[-_ENOUGH:]) if sentence.endswith("?")), "")


def helpless(text: str) -> str:
    """Give the sentence in which the agent asks for help or says that it can't go on; empty where there is none."""
    for sentence in sentences(text):
        found = _HELPLESS.search(sentence) or _LACKING.search(sentence)
        if not found or _SUPPOSED.search(sentence[: found.start()]) or _WENT_ON.search(sentence):
            continue
        if not (_NOT_HAVING.search(found[0]) and (_DID_WITHOUT.search(sentence[found.end() :]) or claims(text))):
            return sentence  # and no remark on what is done without it
    return ""
