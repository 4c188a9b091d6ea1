"""A human's words, from whichever channel -> what is asked for. What is not plain is `help`, never a guess."""

from __future__ import annotations

import re

from loopwright.records.answer import Answer

HELP = """\
deploy all · deploy 1, 3 · deploy 3 now · remove 3, deploy · show 3 · tell me more about 2 · skip
roll back · roll back worker/bug_fix · run optimization · thumbs up RUN · thumbs down RUN"""
LONGEST = 500
_MARKS = " .!,;?"
_MOST_ITEMS = 100
_FORWARDED = re.compile(r"forwarded message|original message|^\s*(?:from|sent|subject):|\bwrote:\s*$", re.I | re.M)
_LEAD = (
    r"(?:hi|hello|hey|ok|okay|yes|yep|sure|great|thanks|thank you|good morning|well|alright|all right|cool|perfect|"
    r"please|kindly|just|then|so|now|could you|can you|would you|will you|i(?:'d| would) like (?:you )?to|"
    r"i want (?:you )?to|go ahead and|go ahead|let'?s|let us|loopwright)"
)
_TRAIL = r"(?:please|thanks|thank you|thx|ty|cheers|then|for me|if you can|loopwright|so much|a lot)"
_POLITE_LEAD = re.compile(rf"^(?:{_LEAD}\b[\s,.!:]*)+")
_POLITE_TRAIL = re.compile(rf"(?:[\s,.!]+{_TRAIL})+$")
_NUMBER = r"(?:#?\d{1,3})"
_ONE = rf"(?:(?:item|number|no\.?)\s*)?({_NUMBER})"
_JOINED = r"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*|\s+|\s*-\s*|\s+to\s+)"
_LIST = rf"(?:items?\s+|numbers?\s+)?({_NUMBER}(?:{_JOINED}{_NUMBER})*)"
_EVERY = r"(?:all(?: of (?:them|it))?|everything|them all|all items)"
_DEPLOY = r"(?:deploy|release|ship)"
_REMOVE, _THEN = r"(?:remove|drop|leave out|take out)", r"[\s,;.]+(?:and |then |and then )?"
_REST = rf"(?: (?:the (?:rest|others)|{_EVERY}))?"
_ASKED = re.compile(r"\b(?:could|can|would|will) you\b")
_RUN = r"([0-9a-f][0-9a-f-]{3,40}|last)"
_NAME = r"([a-z]+/[a-z_]+)"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (verb, re.compile(pattern))
    for verb, pattern in (
        ("deploy", rf"{_DEPLOY}(?: {_EVERY})?(?P<now> (?:right )?now)?"),
        ("deploy", rf"{_DEPLOY} (?:the )?{_LIST}(?P<now> (?:right )?now)?"),
        ("without", rf"{_DEPLOY} {_EVERY} (?:except|but|without|but not)(?: for)? (?:the )?{_LIST}"),
        ("without", rf"{_REMOVE} (?:the )?{_LIST}{_THEN}{_DEPLOY}{_REST}"),
        ("show", rf"show(?: me)?(?: the)? {_ONE}"),
        ("more", rf"(?:tell me more|more|details?)(?: about| on| of)?(?: the)? {_ONE}"),
        ("more", rf"explain(?: the)? {_ONE}"),
        ("skip", r"skip(?: (?:it|this|this one|all|everything|today|the review|this review))?"),
        ("optimize", r"(?:run|start)(?: an?| the)? (?:optimi[sz]ation|analysis|improvement)(?: again)?"),
        ("roll_back", rf"(?:roll(?: it)? back|rollback|undo)(?: (?:{_NAME}|it|that|the last (?:one|release|review)))?"),
        ("up", rf"(?:thumbs? up|👍)(?: (?:on|for|to))?(?: run)? {_RUN}"),
        ("down", rf"(?:thumbs? down|👎)(?: (?:on|for|to))?(?: run)? {_RUN}"),
    )
)


def understood(words: str) -> Answer:
    """Read an answer; what is quoted or forwarded is nobody's word."""
    plain = _plain(words)
    for form, pattern in _FORMS if plain else ():
        if found := pattern.fullmatch(plain):
            return _answer(form, found)
    return Answer("help")


def _answer(form: str, found: re.Match[str]) -> Answer:
    said = found.groupdict()
    rest = [group for group in found.groups() if group is not None and group != said.get("now")]
    text = rest[0] if rest else ""
    if form == "deploy":
        return _checked(Answer("deploy", _numbers(text), now=bool(said["now"])), text)
    if form == "without":
        return _checked(Answer("deploy", without=_numbers(text)), text)
    if form in ("show", "more"):
        return _checked(Answer("show" if form == "show" else "more", _numbers(text)), text)
    if form in ("up", "down"):
        return Answer("feedback", name=text, up=form == "up")
    if form == "roll_back":
        return Answer("roll_back", name=text)
    return Answer("skip" if form == "skip" else "optimize")


def _checked(answer: Answer, text: str) -> Answer:
    """Refuse numbers that no review has: a range the wrong way round, nought, too many."""
    given = (*answer.items, *answer.without)
    return answer if not text or (given and 0 not in given and len(given) <= _MOST_ITEMS) else Answer("help")


def _numbers(text: str) -> tuple[int, ...]:
    """Read numbers and ranges, each number once; nothing where a range is none."""
    found: dict[int, None] = {}
    for part in re.split(r"\s*(?:,|&|\band\b)\s*|\s+(?!to\b|-)(?<!to )(?<!- )", text):
        if not part:
            continue
        ends = [int(end) for end in re.findall(r"\d+", part)]
        if len(ends) > 2 or not 0 <= ends[-1] - ends[0] <= _MOST_ITEMS:
            return ()
        found.update(dict.fromkeys(range(ends[0], ends[-1] + 1)))
    return tuple(found)


def _plain(words: str) -> str:
    """Give what somebody says themselves, in small letters, without polite words around it."""
    if len(words) > LONGEST or _FORWARDED.search(words) or any(sign in words for sign in '"“”„«»`'):
        return ""
    own = " ".join(line for line in words.splitlines() if not line.lstrip().startswith((">", "|")))
    text = " ".join(own.replace("’", "'").lower().split())
    if not re.fullmatch(r"[ -~👍👎]*", text):  # what merely looks like a letter is none
        return ""
    if "?" in text and not _ASKED.search(text):  # a question is no order
        return ""
    return _POLITE_TRAIL.sub("", _POLITE_LEAD.sub("", text.strip(_MARKS))).strip(_MARKS)
