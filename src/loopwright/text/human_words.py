"""What a human said after the agent's work -> whether it rejects that work, or praises it.

Known: English, and the usual words of German, Spanish, French and Chinese. What is not clear is neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.text.own_words import sentences
from loopwright.text.pasted import unpasted
from loopwright.text.sarcasm import is_sarcastic

_IT = r"(?:it|this|that|everything|nothing)"
_NOT = r"(?:does(?:n'?t| not)|did(?:n'?t| not)|do(?:n'?t| not)|is(?:n'?t| not)|are(?:n'?t| not)|was(?:n'?t| not))"
_CHECKED = r"(?:tests?|build|lint|app|page|server|site|suite|ci|login|output)"
_FAILS = r"(?:fails?|failing|breaks?|broken|crash(?:es|ing)?|red|blank|empty|gone)"
_BAD = (
    r"(?:wrong|failing|red|a mess|ruined|incorrect|broken|worse|useless|garbage|nonsense|terrible"
    r"|not (?:right|correct|true|ok|okay|good))"
)
_GOOD = r"(?:work|help|fix|compile|build|pass|run|right|correct|true|good enough|ok\b|okay)"
_DESTROYED = r"(?:deleted|removed|wiped|overwr(?:ote|itten)|erased|dropped|trashed|reverted|lost|undid|broke|killed)"
_SINCE = r"(?:after|since|with) (?:your|this|that|the) (?:last |latest |new )?(?:change|edit|commit|fix|patch|update)s?"
_WHAT = r"(?:asked?|meant|mean|want|wanted|said|need|needed)"
_FAULT = re.compile(
    rf"\b(?:{_IT}(?:'s| is| was| are|'re)(?: still| now| just| all| completely| totally| simply)? {_BAD}\b"
    rf"|{_IT} (?:still |just |also |really )?{_NOT}(?: still| even| actually| really| quite| fully)? {_GOOD}"
    r"|(?:that|this|it)(?:'s not| is not| isn'?t) (?:fully |quite |really |at all |even )?(?:right|correct|true|what"
    rf"|how|it\b)|not (?:at all )?what (?:i|we) {_WHAT}"
    r"|(?:i|we) (?:didn'?t|did not|never) (?:ask|want|say)(?:ed)? (?:you|for|that|this)"
    r"|i (?:already )?(?:told|asked) you|no,? (?:i|we) (?:meant|said|wanted|want)|you(?:'ve| have)? misunderst"
    r"|you(?:'ve| have)? (?:just )?(?:broke|broken|forgot|forgotten|missed|ignored|messed|ruined)\b"
    rf"|(?:it|you|this|that)(?:'ve| have|'s| has)? (?:just |also |even )?{_DESTROYED} (?:my|our|everything"
    r"|the whole|all (?:my|our|of))\b"
    rf"|{_CHECKED}(?: (?:is|are|all|just|also|suddenly|even))* {_FAILS} (?:now|again|{_SINCE})"
    rf"|now (?:the|my|our|all|every) (?:\w+ )?{_CHECKED}(?: (?:is|are|all|just|also|suddenly|even))* {_FAILS}"
    r"|(?:it|this|that|you)(?:'re| are|'ve| have| has| is)? (?:just |also )?(?:broke|breaks|breaking|broken) (?:the"
    r"|my|our|all|every)|you(?:'ve| have)? (?:just )?\w+ the wrong"
    r"|(?:i|we) (?:asked|wanted|said|meant)\b[^.?]{0,60}, not"
    rf"|(?:opposite of|nothing like|far from) what (?:i|we) {_WHAT}"
    r"|you(?:'re| are) (?:wrong|not listening|mistaken)|the (?:output|results?|answer|numbers?) (?:is"
    r"|are) (?:still )?wrong"
    r"|you (?:still )?(?:didn'?t|did not|haven'?t|have not|never) (?:even |actually )?(?:run|ran|update|fix|add|do|done"
    r"|follow|read|test|finish|include|implement|listen|touch)(?:e?d)?\b|why did you (?:delete|overwrite|push)"
    r"|now (?:it|everything|nothing) (?:crashes|fails|breaks|is broken|does)|(?:it|this) (?:just )?(?:crashes|fails"
    rf"|breaks|freezes|hangs|errors) (?:(?!and\b|or\b|when\b|if\b)\w+ ){{0,4}}(?:now|again|{_SINCE})\b"
    r"|(?:did|have) you (?:even|actually|really) (?:run|ran|test|tested|try|tried|read|check|checked|look|compile|open)"
    r"|now i(?:'m| am)? get(?:ting)? (?:a|an|another|the) .{0,20}error"
    r"|you (?:shouldn'?t|should not) have|you were(?:n'?t| not)? supposed to"
    r"|(?:still|again) (?:fail(?:s|ing)?|broken|red|blank|empty|missing|gone|wrong"
    r"|crash(?:es|ing)?|not (?:work|pass|fix|right|there|correct))"
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
    r"|(?<!对)不对|(?<!没)错了(?![没吗])|不是这样|不是我(?:要|想|说)|[改弄搞]错|又(?:报错|失败|出错)|(?:还是|仍然|依然)(?:不|报错|失败|有问题|出错|一样)|没有用|不起作用(?!时)"
)
_OPENING = re.compile(
    r"^(?:(?:ok|okay|hmm+|hm|umm?|uh|ugh|well|sorry|wait|hey|oh|please|so|argh|nein|non|no|nope|nah)[,.!… ]+)*"
    r"(?:same (?:error|thing|issue|problem|result)(?: again| as before| here| now)?[.!:]*$|i said\b|ich meinte\b"
    r"|(?:let's |can you |could you |just )*(?:start (?:over|from scratch|afresh)|start again[.!]*$"
    r"|scrap (?:that|this|it|everything))\b|nice try\b|not (?:quite|really|exactly)[.,!:]"
    r"|(?:still )?nothing(?: has)? (?:changed|happen(?:s|ed))|still nothing\b|no (?:change|difference|luck"
    r"|effect)[.!]*$|(?:does|did)(?:n'?t| not) (?:work|help|fix|compile|build|run|start|pass)\b"
    rf"|(?:the )?(?:{_CHECKED}|it) (?:just |also )?(?:fails?|crashes|breaks)[.!]*$"
    r"|go back to (?:what|how|the (?:old|previous|first|last|earlier|original))\b"
    r"|throw (?:that|this|it|all of it|everything) away\b"
    r"|(?:still )?not working\b|put (?:it|that|them|everything) back\b"
    r"|(?:what )?i meant\b(?! to (?:ask|say|mention|tell))|my point (?:is|was)\b|not (?:like )?(?:that"
    r"|this)\b(?! (?:i|much|big|urgent))"
    r"|wrong\b(?: (?:file|branch|folder|directory|place|one|approach|repo))?[.!, ]*(?:$|,|i |the |it )"
    r"|(?:undo|revert|rückgängig|stop|deshaz|annule|撤销|回滚)[.!]*$|stop (?:doing|changing|editing|it|that|this)\b"
    r"|(?:undo|revert|roll back|take back)(?: all(?: of)?)? (?:that|this|it|those|these|your|everything|what you"
    r"|(?:the|my) last (?:change|edit|commit)|the changes? you)\b"
    r"|mach(?:e)? (?:das|es|alles) (?:wieder )?rückgängig|nimm das (?:wieder )?zurück"
    r"|(?:deshaz|revierte|annule|défais) (?:eso|esto|el cambio|los cambios|ça|cela|tes|ces|ce)\b"
    r"|(?:撤销|回滚|还原)(?:这|你|刚|上)|(?:don'?t|do not) do (?:that|this)\b(?! (?:for|in|on|to|with|when|if"
    r"|unless|until|yet|here)\b))"
)
_SUPPOSED = re.compile(
    r"\b(?:(?:if|when) (?!i\b|we\b)|whether|unless|until|once|should|must|would|could|might|make sure|ensure"
    r"|so that|in case|(?:test|check|case|assert|verify|see)s? (?:that|which|if|whether|where|when|for)"
    r"|to (?:test|check|verify|see)|does it|is it|is this|is that|are they|do they|falls|wenn|ob|damit|si|quand|cuando"
    r"|para que)\b|^(?:please )?(?:test|check|verify|assert)\b(?! again)|如果|是否|确保|的话"
)
_REPORTED = re.compile(
    r"\b(?:explain|describe|document|understand|said|says|say|reported|reports|thinks|(?:is|are) told|claims?"
    r"|mention)\b"
)
_MEANT_SO = re.compile(r"\b(?:by design|on purpose|intentional(?:ly)?|intended|yet)\b")
_WHY = re.compile(r"\b(?:why|how come|warum|wieso|pourquoi|por qué)\b|为什么")
_AGAIN = re.compile(
    r"^no(?:[,.! ]+no)+\b(?!.{0,80}\b(?:good|fine|ok|okay|great|perfect|right|correct|worries|problem|leave|keep)\b)"
    r"|^(?:no|nope|nah|wrong|nein|non)[,.! ]+(?:please |now |just )*(?:try|do (?:it|that)|redo)\b"
)
_BARE_NO = re.compile(r"^(?:no+pe|nah|wrong|falsch)[.!。！ ]*$")
_UNDO = re.compile(
    r"^(?:please |just |now |so |and |can you |could you )*(?:undo|revert|roll back|take back) (?:that|this"
    r"|it|all of (?:it|that)|everything|your changes?)(?: please| now)?[.!?]*$"
)
_KIND_WORD = (
    r"(?:great|perfect|perfectly|awesome|excellent|amazing|fantastic|wonderful|brilliant|beautiful|beautifully|lovely"
    r"|superb|impressive|nice|nicely done|well done|good (?:job|work|stuff|catch)|love (?:it|this|that)"
    r"|i love (?:it|this)|nice (?:work|job|one|catch)|great (?:work|job|stuff|catch)|like a charm|many thanks|thanks"
    r"|thank you|thx|ty|bravo"
    r"|danke(?: dir| schön| sehr)?|vielen dank|super|perfekt|klasse|toll|prima|sehr gut|gut gemacht|wunderbar|spitze"
    r"|(?:muchas )?gracias|perfecto|genial|excelente|muy bien|buen trabajo|estupendo"
    r"|merci(?: beaucoup)?|parfait|génial|excellent|bien joué|beau travail|très bien)"
)
_PRAISE = re.compile(
    r"^¡?(?:(?:ok|okay|yes|yeah|yep|ah|wow|haha|ja|oui|s[ií]|hey|works(?: now)?|(?:it|that) work(?:s"
    r"|ed)(?: now)?|that (?:fixed|did) it)[,.!… ]+){0,3}"
    r"(?:that'?s |that is |this is |it'?s |(?:that |it |this )?looks |works |very |really |so |absolutely |just "
    rf"|das ist |c'est |es )?{_KIND_WORD}"
    r"(?: (?:so|very) much| a lot| again| man| mate| work| indeed| for (?:that|this|\w+ing|the (?:help|fix|quick"
    r"|great)).{0,40})?(?:\s*(?:$|(?!\.\.)[,.!:;)—–]|- |[^\w\s….-])|\s+(?:thanks|thank|work|job)\b)"
    r"|^(?:好的?[，,! ]*)?(?:谢谢|多谢|太好了|很好|完美|太棒了|干得(?:好|漂亮)|非常好|不错)"
)
_TROUBLE = (
    r"(?:\b(?:br(?:oke|oken|eaks?)|fail\w*|errors?|wrong|worse|crash\w*|lost|missing|gone|bugs?|blank"
    r"|empty|useless|stuck|wast(?:e|ed|ing)|ruin\w*|mess|conflicts?|warnings?|slow(?:er)?|hangs?|regress\w*|corrupt\w*"
    r"|no longer|vanish\w*|disappear\w*|time(?:outs?|d out)|(?:is|are|went) down|where did"
    r"|(?:does|did|wo)(?:n'?t| not)|kaputt|fehl\w*|falta|falla\w*|manque|cassé)\b|错误|失败|报错|坏了)"
)
_DENIED = r"(?:nothing|never|cannot|can't|(?:is|was|are|were|has|have|could)(?:n'?t| not))"
_SPOILED = re.compile(
    rf"{_TROUBLE}|\b{_DENIED}\b"
    r"|\b(?:but|only|however|except|unfortunately|though|although|now (?:it|everything|nothing|the|i|we)|instead"
    r"|(?:yet |just )?(?:another|more)(?! (?:thing|question|time|of)\b)|back to|all over"
    r"|(?<!thanks )(?<!thank you )again"
    rf"|(?:it|you|that|this)(?:'ve| have|'s| has)? (?:just |also |even |only )?(?:{_DESTROYED}|did it again)"
    r"|aber|leider|jetzt (?:ist|geht)|pero|ahora no|mais|maintenant (?:ça|c'est|il)"
    r"|in advance|im voraus|por adelantado|d'avance|for nothing|a lot of good|genius|einstein|sherlock|slow clap)\b"
    r"|但|可是|不过|然而|🙄|🤦|😒|😑|🙃|/s\b"
)
_MENDED = re.compile(
    r"\b(?:no|zero|0|without|fix(?:ed|es|ing)|solved|resolved|catch(?:ing)?|found|finding)(?: more| the"
    rf"| that| my| any| all| this| those| of| on)*(?: \w+)? {_TROUBLE}"
    r"|\bhad(?:n't| not) (?:seen|noticed|thought)\b[^,.]{0,40}|\bnothing (?:else|to add)\b"
)
_BUT = re.compile(
    rf"^(?:ok|okay|yes|yeah|good|better|almost|close|nearly|(?:it |that |this )?works|{_KIND_WORD})\b[^?]{{0,80}}?"
    r"\b(?:but|except|however|aber|pero|mais)\b(?! (?:please|can|could|would|let|also|make)\b)"
    rf"[^?]{{0,120}}?{_TROUBLE}|^(?:很好|不错|可以).{{0,20}}(?:但|不过|可是).{{0,40}}{_TROUBLE}"
)
_CLAUSES = re.compile(r"[,.!:;—–，。！]+\s*|\s- ")
_ORDER = re.compile(
    r"^(?:(?:and|now|next|then|please|also|so|just|next up|one more thing|let's|can you|could you|would you) ?)*"
    r"(?:$|fix|add|remove|delete|drop|run|commit|push|merge|update|make|write|check|look|rename|move|use|keep|create"
    r"|deploy|test|go|continue|open|close|put|change|handle|find|show|tell|explain|clean|release|ship|document"
    r"|implement|refactor|rebase|squash|apply|do|try|get|let|investigate|tackle)\b"
)
_YES = re.compile(r"^(?:yes|yeah|yep|yup|right|correct|exactly|indeed|sure|true|ja|genau|oui|s[ií]|对|是的)(?![\w])")
_AS_IT_WAS = re.compile(r"\b(?:current|currently|existing|original|originally|old|before|today|upstream|at present)\b")
_INSISTS = re.compile(r"\b(?:still|again|you|your|undo|revert|now)\b")
_TAKEN_BACK = re.compile(
    r"^(?:oh |oops,? ?|sorry,? ?|my (?:bad|mistake),? ?|no,? |ok,? |please |entschuldigung,? ?|perdón,? ?|pardon,? ?)*"
    r"(?:(?:please )?(?:continue|go on|carry on|keep going|proceed|resume|weiter|mach weiter|continúa|sigue"
    r"|continuez?)\b|my (?:bad|mistake)|(?:wrong|by) (?:key|accident|mistake)|i (?:hit|pressed) |继续)"
)
_LONGEST = 600
_SHORT_WORD = 8


def rejecting(text: str, asked: str = "") -> str:
    """Give the sentence that says that the work is not right; empty where none does, or it answers what was asked."""
    said = _short(text)
    if said and asked and _is_answer(said[0], asked):
        said = said[1:]
    if len(said) == 1 and _BARE_NO.search(said[0]):
        return "" if asked else said[0]  # it may be the answer
    opening = " ".join(said[:2] if said and len(said[0]) < _SHORT_WORD else said[:1])  # "No. I said …"
    if _OPENING.search(opening) or _AGAIN.search(opening):
        return opening
    return next((sentence for sentence in said if _is_fault(sentence)), "")


def praising(text: str) -> str:
    """Give the sentence that praises the work; empty where none does, or where it is not meant so."""
    said = _short(text)[:2]
    if rejecting(text) or any(_is_spoiled(sentence) or is_sarcastic(_MENDED.sub("", sentence)) for sentence in said):
        return ""
    return next((sentence for sentence in said if _PRAISE.search(sentence)), "")


def taken_back(text: str) -> bool:
    """Say whether the human lets the agent go on with what they had stopped."""
    said = _short(text)
    return bool(said) and len(text) < _LONGEST and bool(_TAKEN_BACK.search(said[0])) and not rejecting(text)


def _short(text: str) -> Sequence[str]:
    """Give the sentences of a short prompt; of a long one, where most is an order or was pasted, the first."""
    said = sentences(unpasted(text))
    return said if sum(map(len, said)) <= _LONGEST else [sentence[:_LONGEST] for sentence in said[:1]]


def _is_answer(sentence: str, asked: str) -> bool:
    """Say whether words only confirm what the agent asked, or are of what it asked of: how things were before."""
    if not asked.endswith("?") or _INSISTS.search(sentence):
        return False
    return bool(_YES.search(sentence) or _AS_IT_WAS.search(asked))


def _is_spoiled(sentence: str) -> bool:
    """Say whether praise is not meant so: there is trouble in what goes with it, and it is no order to mend that."""
    clauses = [clause for clause in _CLAUSES.split(sentence) if clause and not _ORDER.search(clause)]
    return bool(_SPOILED.search(_MENDED.sub("", ", ".join(clauses))))


def _is_fault(sentence: str) -> bool:
    if _UNDO.search(sentence):
        return True
    found, but = _FAULT.search(sentence), _BUT.search(sentence)
    if not found and not but:
        return False
    begins = found.start() if found else but.end() if but else 0
    before, supposed = sentence[:begins], _SUPPOSED.search(sentence)
    if sentence.endswith(("right?", "correct?")) or _REPORTED.search(before) or _MEANT_SO.search(sentence):
        return False
    return bool(_WHY.search(before)) or not (supposed and supposed.start() < begins)
