"""What a human said after the agent's work -> whether it rejects that work, or praises it.

Known: English, and the usual words of German, Spanish, French and Chinese. What is not clear is neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.text.own_words import sentences

_IT = r"(?:it|this|that|everything|nothing)"
_NOT = r"(?:does(?:n'?t| not)|did(?:n'?t| not)|do(?:n'?t| not)|is(?:n'?t| not)|are(?:n'?t| not)|was(?:n'?t| not))"
_BAD = r"(?:wrong|incorrect|broken|worse|useless|garbage|nonsense|terrible|not (?:right|correct|true|ok|okay|good))"
_GOOD = r"(?:work|help|fix|compile|build|pass|run|right|correct|true|good enough|ok\b|okay)"
_WHAT = r"(?:asked?|meant|mean|want|wanted|said|need|needed)"
_FAULT = re.compile(
    rf"\b(?:{_IT}(?:'s| is| was| are|'re)(?: still| now| just| all| completely| totally| simply)? {_BAD}\b"
    rf"|{_IT} (?:still |just |also |really )?{_NOT}(?: still| even| actually| really| quite| fully)? {_GOOD}"
    rf"|(?:that|this|it)(?:'s| is) not (?:fully |quite |really |entirely )?(?:right|correct|true|what|how|it\b)"
    rf"|(?:not|n't) what (?:i|we) {_WHAT}|(?:i|we) (?:didn'?t|did not|never) (?:ask|want|say)(?:ed)? (?:you|for"
    rf"|that|this)"
    r"|i (?:already )?(?:told|asked) you|no,? (?:i|we) (?:meant|said|wanted|want)|you(?:'ve| have)? misunderst"
    r"|you(?:'ve| have)? (?:just )?(?:broke|broken|forgot|forgotten|missed|ignored|messed|ruined)\b"
    r"|you(?:'re| are) (?:wrong|not listening|mistaken)|the (?:output|results?|answer|numbers?) (?:is"
    r"|are) (?:still )?wrong"
    r"|you (?:still )?(?:didn'?t|did not|haven'?t|have not|never) (?:even |actually )?(?:run|ran|update|fix|add|do"
    r"|done"
    r"|follow|read|test|finish|include|implement|listen|touch)(?:e?d)?\b|why did you (?:delete|overwrite|push)"
    r"|now (?:it|everything|nothing) (?:crashes|fails|breaks|is broken|does)|(?:it|this) (?:crashes|fails"
    r"|breaks) (?:now|again)"
    r"|now i(?:'m| am)? get(?:ting)? (?:a|an|another|the) .{0,20}error"
    r"|you (?:shouldn'?t|should not) have|you were(?:n'?t| not)? supposed to"
    r"|(?:still|again) (?:fail(?:s|ing)?|broken|red|wrong|crash(?:es|ing)?|not (?:work|pass|fix|right|there"
    r"|correct))"
    r"|still (?:get(?:ting)?|see(?:ing)?|have|having|shows?|the same) .{0,20}(?:error|fail|bug|issue|problem|crash)"
    r"|still (?:reads?|says|looks) (?!good|great|fine|ok|right)|i see .{0,60} but not\b"
    r"|still (?:does|do|is|are)(?:n'?t| not)|not (?:good enough|acceptable)|made it worse"
    r"|i(?:'m| am) (?:still )?not seeing|i (?:still )?(?:don'?t|do not|can'?t|cannot) see (?:the|any|my|your) "
    r"(?:change|fix|difference|effect)"
    r"|das (?:ist|war) (?:aber |so |leider )?(?:falsch|kaputt|nicht (?:richtig|korrekt|das|was|gut|gemeint|so))"
    r"|das (?:stimmt|passt) (?:aber |so |leider )?nicht|das wollte ich nicht"
    r"|das hat (?:leider |so |aber )?nicht (?:funktioniert|geklappt|geholfen)|so geht das nicht"
    r"|(?:es|das) (?:geht|funktioniert|klappt|läuft) (?:immer noch |noch immer |noch |leider |so )?nicht(?! um)"
    r"|immer noch (?:falsch|kaputt|rot|fehler|nicht|der)|nicht (?:das,? )?was ich"
    r"|eso (?:no es|está mal|es incorrecto|no funciona)|esto (?:está mal|no funciona)|sigue (?:fallando|igual|sin)"
    r"|(?:todavía|aún) (?:falla|no funciona|está mal)|no es lo que (?:ped[ií]|quería|dije|pido)|ya te ped[ií]"
    r"|c'est (?:faux|incorrect|pas (?:ça|bon|correct|ce que))|ce n'est pas (?:ce que|ça|bon|correct|du tout)"
    r"|(?:ça|cela) ne (?:marche|fonctionne) (?:toujours )?pas|(?:ça|cela) (?:marche|fonctionne) (?:toujours )?pas"
    r"|toujours (?:pas|cassé|en échec|la même erreur))"
    r"|(?<!对)不对|(?<!没)错了(?![没吗])|不是这样|不是我(?:要|想|说)|[改弄搞]错|又(?:报错|失败|出错)|(?:还是|仍然|依然)(?:不|报错|失败|有问题|出错|一样)|没有用"
    r"|不起作用(?!时)"
)
_OPENING = re.compile(
    r"^(?:(?:ok|okay|hmm+|hm|umm?|uh|ugh|well|sorry|wait|hey|oh|please|so|argh|nein|non|no|nope)[,.!… ]+)*"
    r"(?:same (?:error|thing|issue|problem|result)(?: again| as before| here| now)?[.!:]*$|i said\b|ich meinte\b"
    r"|start over\b"
    r"|(?:still )?nothing(?: has)? (?:changed|happen(?:s|ed))|still nothing\b|no (?:change|difference|luck"
    r"|effect)[.!]*$"
    r"|(?:does|did)(?:n'?t| not) (?:work|help|fix)|(?:still )?not working\b|put (?:it|that|them|everything) back\b"
    r"|(?:what )?i meant\b(?! to (?:ask|say|mention|tell))|my point (?:is|was)\b|not (?:like )?(?:that"
    r"|this)\b(?! (?:i|much|big|urgent))"
    r"|wrong\b(?: (?:file|branch|folder|directory|place|one|approach|repo))?[.!, ]*(?:$|,|i |the |it )"
    r"|(?:undo|revert|rückgängig|stop|deshaz|annule|撤销|回滚)[.!]*$|stop (?:doing|changing|editing|it|that|this)\b"
    r"|(?:undo|revert|roll back|take back)(?: all(?: of)?)? (?:that|this|it|those|these|your|everything|what you"
    r"|(?:the|my) last (?:change|edit|commit)|the changes? you)\b"
    r"|mach(?:e)? (?:das|es|alles) (?:wieder )?rückgängig|nimm das (?:wieder )?zurück"
    r"|(?:deshaz|revierte|annule|défais) (?:eso|esto|el cambio|los cambios|ça|cela|tes|ces|ce)\b"
    r"|(?:撤销|回滚|还原)(?:这|你|刚|上)|(?:don'?t|do not) do (?:that|this)\b)"
)
_SUPPOSED = re.compile(
    r"\b(?:(?:if|when) (?!i\b|we\b)|whether|unless|until|once|should|must|would|could|might|make sure|ensure"
    r"|so that|in case"
    r"|(?:test|check|case|assert|verify|see)s? (?:that|which|if|whether|where|when|for)|to (?:test|check|verify"
    r"|see)"
    r"|does it|is it|is this|is that|are they|do they|falls|wenn|ob|damit|si|quand|cuando|para que)\b"
    r"|^(?:please )?(?:test|check|verify|assert)\b(?! again)|如果|是否|确保|的话"
)
_REPORTED = re.compile(
    r"\b(?:explain|describe|document|understand|said|says|say|reported|reports|thinks|claims?"
    r"|mention)\b"
)
_MEANT_SO = re.compile(r"\b(?:by design|on purpose|intentional(?:ly)?|intended|yet)\b")
_WHY = re.compile(r"\b(?:why|how come|warum|wieso|pourquoi|por qué)\b|为什么")
_PRAISE = re.compile(
    r"^¡?(?:(?:ok|okay|yes|yeah|yep|ah|oh|wow|haha|ja|oui|s[ií]|hey|works(?: now)?|(?:it|that) work(?:s"
    r"|ed)(?: now)?|that (?:fixed|did) it)[,.!… ]+){0,3}"
    r"(?:that'?s |that is |this is |it'?s |(?:that |it |this )?looks |works |very |really |so |absolutely |just "
    r"|das ist |c'est |es )?"
    r"(?:great|perfect|perfectly|awesome|excellent|amazing|fantastic|wonderful|brilliant|beautiful|beautifully"
    r"|lovely"
    r"|superb|impressive|nice|nicely done|well done|good (?:job|work|stuff|catch)|love (?:it|this|that)"
    r"|i love (?:it|this)"
    r"|nice (?:work|job|one|catch)|great (?:work|job|stuff|catch)|like a charm|many thanks|thanks|thank you|thx|ty"
    r"|bravo"
    r"|danke(?: dir| schön| sehr)?|vielen dank|super|perfekt|klasse|toll|prima|sehr gut|gut gemacht|wunderbar"
    r"|spitze"
    r"|(?:muchas )?gracias|perfecto|genial|excelente|muy bien|buen trabajo|estupendo"
    r"|merci(?: beaucoup)?|parfait|génial|excellent|bien joué|beau travail|très bien)"
    r"(?: (?:so|very) much| a lot| again| man| mate| work| indeed| for (?:that|this|the (?:help|fix|quick"
    r"|great)).{0,40})?"
    r"(?:\s*(?:$|[,.!:;)…—–]|- |[^\w\s-])|\s+(?:thanks|thank|work|job)\b)"
    r"|^(?:好的?[，,! ]*)?(?:谢谢|多谢|太好了|很好|完美|太棒了|干得(?:好|漂亮)|非常好|不错)"
)
_SPOILED = re.compile(
    r"\b(?:but|only|however|except|unfortunately|though|although|now (?:it|everything|nothing|the)|broken?|broke"
    r"|fail\w*|errors?"
    r"|wrong|worse|crash\w*|lost|missing|instead|again you|another (?:bug|error)|aber|leider|jetzt (?:ist|geht)"
    r"|kaputt|pero"
    r"|ahora no|mais|maintenant (?:ça|c'est|il)|in advance|im voraus|por adelantado|d'avance|for nothing"
    r"|a lot of good)\b"
    r"|\b(?:does|did|is|was|do)(?:n'?t| not)\b|但|可是|不过|然而|🙄|/s\b"
)
_ORDER = re.compile(r"^(?:now|next|then|please|let's|can you|could you|also|fix|add|one more)\b")
_TAKEN_BACK = re.compile(
    r"^(?:oh |oops,? ?|sorry,? ?|my (?:bad|mistake),? ?|no,? |ok,? |please |entschuldigung,? ?|perdón,? ?"
    r"|pardon,? ?)*"
    r"(?:(?:please )?(?:continue|go on|carry on|keep going|proceed|resume|weiter|mach weiter|continúa|sigue"
    r"|continuez?)\b"
    r"|my (?:bad|mistake)|(?:wrong|by) (?:key|accident|mistake)|i (?:hit|pressed) |继续)"
)
_LONGEST = 600
_SHORT_WORD = 8


def rejecting(text: str) -> str:
    """Give the sentence that says that the work is not right; empty where none does."""
    said = _short(text)
    opening = " ".join(said[:2] if said and len(said[0]) < _SHORT_WORD else said[:1])  # "No. I said …"
    if _OPENING.search(opening):
        return opening
    return next((sentence for sentence in said if _is_fault(sentence)), "")


def praising(text: str) -> str:
    """Give the sentence that praises the work; empty where none does, or where it is not meant so."""
    said = _short(text)
    spoiled = rejecting(text) or any(_SPOILED.search(sentence) for sentence in said[:2] if not _ORDER.search(sentence))
    return "" if spoiled else next((sentence for sentence in said[:2] if _PRAISE.search(sentence)), "")


def taken_back(text: str) -> bool:
    """Say whether the human lets the agent go on with what they had stopped."""
    said = _short(text)
    return bool(said) and len(text) < _LONGEST and bool(_TAKEN_BACK.search(said[0])) and not rejecting(text)


def _short(text: str) -> Sequence[str]:
    """Give the sentences of a short prompt; of a long one, where most is an order or was pasted, the first."""
    said = sentences(text)
    return said if sum(map(len, said)) <= _LONGEST else [sentence[:_LONGEST] for sentence in said[:1]]


def _is_fault(sentence: str) -> bool:
    found = _FAULT.search(sentence)
    if not found:
        return False
    before = sentence[: found.start()]
    if sentence.endswith(("right?", "correct?")) or _REPORTED.search(before) or _MEANT_SO.search(sentence):
        return False
    return bool(_WHY.search(before)) or not _SUPPOSED.search(before)
