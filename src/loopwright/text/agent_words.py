"""What an agent says at the end of its turn -> whether it asks something, or for help. English only."""

from __future__ import annotations

import re

from loopwright.text.own_words import sentences

_LAST, _ENOUGH = 2000, 3
"""In so many characters, and so many sentences, at the end of a message it asks what it wants to know."""
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
    r"|\bi(?:'ll| will)? need you to (?:provide|give|tell|share|grant|log|sign|authenti|approve|install|set|enable"
    r"|add|decide)"
    r"|\b(?:please|could you|can you) (?:provide|share|grant|give me|send me|log ?in|sign in|authenticate|supply)\b"
    r".{0,120}\bso (?:that )?i can\b"
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
_SUPPOSED = re.compile(
    r"\b(?:if|when|whenever|unless|in case|should|would|might|may|so that|users?|otherwise|before|earlier|initially"
    r"|at first|previously|no longer)\b"
)
_WENT_ON = re.compile(
    r"\bso i(?:'ve)? (?:used|kept|did|went|added|chose|switched|wrote|made|left|took|tried)\b"
    r"|\binstead\b"
)


def question(text: str) -> str:
    """Give what is asked in the last sentences; empty where nothing is."""
    return next((sentence for sentence in reversed(sentences(text[-_LAST:])[-_ENOUGH:]) if sentence.endswith("?")), "")


def helpless(text: str) -> str:
    """Give the sentence in which the agent asks for help or says that it can't go on; empty where there is none."""
    for sentence in sentences(text):
        found = _HELPLESS.search(sentence)
        if found and not _SUPPOSED.search(sentence[: found.start()]) and not _WENT_ON.search(sentence):
            return sentence
    return ""
