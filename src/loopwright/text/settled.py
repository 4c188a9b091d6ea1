"""What a human says -> whether it is that the work holds now: no order, wish, condition or negation of that."""

from __future__ import annotations

import re

from loopwright.text.own_words import sentences
from loopwright.text.pasted import unpasted

_LONGEST = 1_000
_HOLDS = re.compile(
    r"\b(?:works(?! of\b)|worked|working(?! on\b)|passes|passed(?! on\b)|passing|tests? (?:all |now |both )*pass"
    r"|(?:they|all|everything|these|those|both)(?: all| now| both)* pass"
    r"|(?:is|are|it's|that's|all|everything|back to|went|now) (?:now |all )?(?:green|fixed|solved|resolved)"
    r"|(?:fixed|solved) (?:it|that|this|now|the|them)|funktioniert|läuft jetzt|geht jetzt|funciona|marche)\b"
    r"|^(?:fixed|green|solved)[.! ]*$"
)
_SUPPOSED = re.compile(
    r"\b(?:if|until|till|unless|once|when|whenever|whether|so that|as soon as|before|after|provided|want"
    r"|wants|wish|hope|expect|should|must|ought|would|could|may|might|shall|will|'ll|have to|has to|had to|need|needs"
    r"|needed|supposed|to be|make sure|ensure|bis|wenn|damit|ob|soll|muss|si|quand|jusqu|cuando|hasta)\b"
)
_NOT_NOW = re.compile(
    r"\b(?:not|never|no|none|nothing|nobody|hardly|barely|only|partly|almost|nearly|half|cannot|make|get"
    r"|let|keep|see|check|verify|confirm|test that|try|go on|continue|please|can|how|why|what|which"
    r"|nicht|kein\w*|pas)\b|n't\b"
)
_ONCE = re.compile(
    r"^[^,;.]{0,40}?\b(?:before|yesterday|earlier|last (?:week|time|night)|previously|once|until|if|when|unless|except"
    r"|in (?:ci|isolation|theory)|on (?:main|master|ci)|by (?:hand|chance))\b|^ (?:through|as|around|out)\b"
)
_CLAUSES = re.compile(r"[,:;—–]+\s*|\s- |\s(?:but|and|so|aber|pero|mais)\s")


def is_settled(text: str) -> bool:
    """Say whether a human states that it works, passes or is fixed now."""
    return any(_states(sentence) for sentence in sentences(unpasted(text[:_LONGEST])))


def _states(sentence: str) -> bool:
    if sentence.endswith("?"):
        return False
    supposed = False
    for clause in _CLAUSES.split(sentence):
        found = _HOLDS.search(clause)
        before = clause[: found.start()] if found else clause
        supposed = supposed or bool(_SUPPOSED.search(before))
        if found and not supposed and not _NOT_NOW.search(before) and not _ONCE.search(clause[found.end() :]):
            return True
    return False
