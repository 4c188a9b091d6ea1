"""Words of praise, and those beside it -> whether it is not meant so: it is of a harm, or something is missing."""

from __future__ import annotations

import re

_HARM = (
    r"(?:break|ruin|destroy|corrupt|crash|kill|trash|nuk|leak|bork|wreck|forgett|ignor|los|mess|overwrit|wast|sabotag"
    r"|hallucinat|invent)ing\b(?! (?:it |this |that |them |\w+ )?(?:up|down|apart) (?:into|in)\b)"
)
_TAKING = r"(?:delet|remov|dropp|wip|eras|truncat|revert|disabl|skipp|purg)ing\b"
_USELESS = (
    r"(?:dead|unused|old|stale|duplicate\w*|obsolete|legacy|boilerplate|deprecated|redundant|cruft|temporary|debug"
    r"|leftover|needless|unnecessary|those|these|that)\b"
)
_DEED = re.compile(
    r"\b(?:job|work|one|going|move|thanks for|thank you for|way to go|congrat\w*(?: on)?)[,:]? (?:on |at "
    rf"|with |in |for )?(?:{_HARM}|making .{{0,40}}\bworse\b|{_TAKING}(?! (?:the |all |all the |my |our )?{_USELESS}))"
)
_MISSING = re.compile(
    r"\b(?:so|and|but|then|ok),? where\b|\bwhere (?:is|are|'s|did|has|have|were|was)\b.{0,80}\b(?:i|we|you) "
    r"(?:asked|wanted|said|ordered|told|requested|needed|promised|mentioned)\b|\bwhere did\b.{0,60}\bgo\b"
    r"|\bwhat happened to\b|\bwhy (?:is|are|does|do|did|was|were|has|have)(?:n't| not)\b"
    r"|\bwhy\b.{0,60}\b(?:not|still)\b|\bdid you (?:even|actually|really)\b"
    r"|\b(?:are|were) you (?:serious|kidding|joking)\b|\bis (?:that|this) (?:all|it|a joke)\?"
)
_COMPLAINT = re.compile(
    r"\bi hate\b|\b(?:offline|unreachable|on fire|froze\w*|freez\w+|hallucinat\w*|made[ -]up|nightmare|disaster|joke"
    r"|lagg?(?:s|y|ing)|leak(?:s|ing|ed)|garbage|nonsense|rubbish|unusable|unreadable|flicker\w*|forever"
    r"|panics?|segfault\w*|exceptions?|twice|stopped|stops working|dead(?! code)|killed|ruined|destroyed|[45]\d\ds"
    r"|invented|incorrect|unrelated|pointless|ridiculous|annoying|horrible|terrible|awful|ugly"
    r"|not (?:what|how|right|correct|there))\b"
)


def is_sarcastic(sentence: str) -> bool:
    """Say whether a sentence beside praise, or the praise itself, shows that it is not meant so; in lower case."""
    return any(words.search(sentence) for words in (_DEED, _COMPLAINT, _MISSING))
