"""What an agent says of its own work -> whether it claims success, and of what. English only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from loopwright.text.checking import checks
from loopwright.text.own_words import sentences

Claim = Literal["tests", "build", "all", "done"]
"""What is claimed to be right: the tests, the build or linter, all of that, or only that the work is done."""

_COMMAND = re.compile(r"`([^`\n]{1,200})`")
_ROW = re.compile(r"^[ \t]{0,8}\|[^\n]*", re.MULTILINE)
_TESTS = r"(?:tests?|test suites?|suites?|specs?|test cases?)"
_BUILD = (
    r"(?:builds?|lint(?:er|ers|ing)?|type[ -]?checks?|type[ -]?check(?:er|ing)|types|compil(?:ation|er|e)|checks|gates"
    r"|mypy|pyright|tsc|eslint|ruff|clippy|typescript)"
)
_GREEN = (
    r"(?:is|are|were|was|comes? out|stays?|back to) (?:all |now |still )?"
    r"(?:green|passing|clean|successful|happy|fine|ok)"
)
_NO_ERRORS = r"(?:(?:reports?|shows?|has|have|gives?|with) (?:no|0|zero) (?:\w+ )?(?:errors|issues|problems|failures))"
_WELL = (
    r"(?:complete[sd]?|finish(?:es|ed)|runs?|ran|works?|builds?|compiles?) (?:successfully|cleanly|fine"
    r"|without (?:any )?errors)"
)
_PASS = rf"(?:pass(?:es|ed|ing)?|{_GREEN}|{_NO_ERRORS}|{_WELL}|succeed(?:s|ed)?|green)"
_ALSO = r"(?:now |all |still |again |also |successfully |both |cleanly )*"
_TICK = r"(?:✅|✔️?|☑️?|🟢|✓|\[x\])"
_BEFORE_TICK = r"(?:all |the |full |unit |integration |e2e |project )*"
_COUNTED = r"(?: ?[(:]? ?\d+(?: ?/ ?\d+)?(?: (?:tests|passed|passing))? ?\)?)?"
_WORK = (
    r"(?:fix|bug ?fix|implementation|feature|solution|task|refactoring|migration|change|everything|code|app|project)"
)
_BOTH = rf"(?:{_TESTS}(?:,| and)(?: the)? {_BUILD}|{_BUILD}(?:,| and)(?: the)? {_TESTS})"


def _ticked(what: str) -> str:
    subject = rf"{_BEFORE_TICK}{what}{_COUNTED}"
    return rf"^{_TICK} ?{subject}[:.!]*$|^{subject}(?:[:—–-]| [—–-])? ?{_TICK}(?:\s*[|,·;]|\W*(?:$|\d|pass|all|green))"


_CLAIMS: tuple[tuple[Claim, re.Pattern[str]], ...] = (
    ("tests", re.compile(rf"\b{_BOTH} {_ALSO}{_PASS}\b")),
    ("build", re.compile(rf"\b{_BOTH} {_ALSO}{_PASS}\b")),
    (
        "tests",
        re.compile(
            rf"\b{_TESTS}:? (?:\d+ |(?:in|across|for) \S+ )?{_ALSO}{_PASS}\b"
            rf"|\b(\d+) ?/ ?\1(?: {_ALSO}(?:pass|green)| ?{_TICK})|\b{_TESTS}:? \(?(?P<all>\d+) ?/ ?(?P=all)\b(?!/)"
            r"|\b[1-9]\d* pass(?:ed|ing),? (?:and )?(?:0|no) fail"
        ),
    ),
    ("tests", re.compile(_ticked(_TESTS))),
    ("build", re.compile(_ticked(_BUILD))),
    ("tests", re.compile(rf"\b(?:all|every|both) (?:\w+ ){{0,4}}{_TESTS} (?:\w+ ){{0,2}}{_PASS}\b")),
    ("tests", re.compile(rf"\bpass(?:es|ed|ing)? all {_TESTS}\b")),
    (
        "build",
        re.compile(
            rf"\b{_BUILD} (?:command )?{_ALSO}{_PASS}\b"
            r"|\b(?:it|code|project|app|crate|everything|typescript)(?: now)? (?:builds|compiles|type[ -]?checks)\b"
            r"(?! (?:to|into|for|on))"
            r"|\b(?:no|0|zero) (?:more )?(?:type|lint|linter|compile|compiler|compilation|build|typescript|mypy) "
            r"(?:errors|issues)\b"
        ),
    ),
    (
        "all",
        re.compile(
            r"^(?:all|everything)(?: \d+)?(?:'s| is| are)? (?:now )?(?:green|passing|passes|pass|clean|passed)\b"
        ),
    ),
    ("all", re.compile(r"\beverything (?:now |is )?(?:works|working|passes|passing|green)\b")),
    ("tests", re.compile(r"\bran (?:\w+ ){0,3}tests,? and (?:they|all|everything)(?: all)? pass")),
    ("all", re.compile(r"^(?:verified: |confirmed: )?x (?:now |also )?passes\b")),
    (
        "all",
        re.compile(r"\b(?:fixed|complete|done|finished|implemented|verified|tested) and (?:verified|working|tested)\b"),
    ),
    (
        "all",
        re.compile(
            rf"\b{_WORK} (?:is |are )?(?:now )?(?:fully )?(?:working|functional|operational"
            r"|works (?:now|correctly|as (?:expected|intended)|perfectly|fine))\b"
            r"|\b(?:it|this|that) (?:now works|works now)\b"
        ),
    ),
)
_DONE = re.compile(
    r"^(?:all )?(?:done|fixed|finished|completed?|implemented|resolved|success)\b(?!:? (?:list|so far))"
    r"|\b(?:i've|i have|i) (?:now |successfully |just )*(?:fixed|implemented|completed|finished|resolved|solved)\b"
    r"|\b(?:is|are|has been|have been) (?:now |fully )?(?:complete|done|finished|fixed|implemented|resolved|met"
    r"|satisfied)\b"
    r"|\b(?:implementation|task|work|feature|refactoring) (?:is )?(?:now )?(?:complete|completed|done|finished)\b"
    r"|^successfully \w+ed\b|\bevery(?:thing)? (?:is |now )?(?:works|working|done)\b|\bready (?:for review|to merge)\b"
)
_ELSEWHERE = re.compile(
    r"\b(?:on|at|against) (?!(?:this|my|our|the (?:current|new|feature|same))\b)(?:the |an? |your |another )?(?:\w+ )?"
    r"(?:main|master|develop|trunk|upstream|head|baseline|branch|commit|ci|machine|fork|x)\b(?!\.\w)"
    r"|\bin (?:the |a )?(?:ci|production|staging|isolation)\b|\b(?:upstream|elsewhere|stashed)\b"
    r"|^(?:main|master|baseline)\b"
)
_QUALIFIED = re.compile(
    r"^ (?:should|would|will|could|might|may|must)\b"
    r"|^[^,;.:—–]{0,80}?\b(?:if|when|once|unless|until|provided|as soon as)\b"
)
_HEDGED = re.compile(
    r"\b(?:according to|per the|supposed\w*|apparently|allegedly|presumably|probably|likely|seem\w*|appears?|perhaps"
    r"|maybe|(?:i|we) (?:think|believe|guess|assume|suspect)|assum(?:e|es|ed|ing)|in theory|theoretically|ideally"
    r"|imagine|states?|stated|promises?|(?:readme|docs?|documentation|issue|ticket|comment|author|badge|you|user"
    r"|they) (?:\w+ )?(?:reports?|reported|shows?|mentions?|writes?|wrote|told))\b"
)
_PLANNED = re.compile(
    r"\b(?:should|will|would|could|must|might|may|can|if|once|when|until|unless|after|before|whether|make sure"
    r"|ensures?|ensuring|verify|verifying|confirm|(?<!type[ -])(?<!lint )check(?:ing)?|let me|let's|\w+'ll"
    r"|going to|want|provided|as soon as|yesterday|last (?:time|run|week)|previous|remaining"
    r"|need(?:s|ed)?|(?<!as )expect(?:ed|s)?|hope(?:fully)?|so that|to get"
    r"|to make|to be|try|next|goal|previously|earlier|used to|locally fails|not all|no|not|n't|never|without"
    r"|ci|actions|workflow|pipeline|github|claims?|said|says)\b|\?$|n't\b"
)
_NAMED = re.compile(
    r"\b(?:but|except|apart from|other than|aside from|unrelated|pre-?existing|however|though|although|only)\b"
    r"|\b(?:still|also|which|that|tests?|\d+|one|two|three|some|few|several|remaining|known"
    r"|other) (?:\w+ )?fail(?:s|ing|ed|ures?)?\b(?! (?:test )?now)"
    r"|\bnot (?:related|caused)\b|\b(?:could not|couldn't|cannot|can't|unable to|did not|didn't"
    r"|not) (?:be )?(?:run|execute|verify|verified)\b"
)
_ADMITTED = re.compile(
    r"\b(?:one|two|three|some|several|\d+|others?|here|that one|the rest|the last one|not here) (?:\w+ ){0,3}?"
    r"(?:(?:does|do|did|is|are|wo)(?:n't| not))\b|\berrors? remain|\bstill (?:red|broken)\b|❌|✗|✘|🔴"
)
_SOME = re.compile(
    r"\b(?:most|some|many|several|few|half|other|\d+ of \d+|\d+ out of \d+) (?:of the )?(?:\w+ )?tests?\b"
    r"|\b(?:pass|passed|passing) before (?:my|the|this|any|that)\b"
)
_NO_FAILURE = re.compile(
    r"\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:fail\w*|errors?|issues|problems|warnings)\b"
    r"|\b(?:that|which|previously) (?:was |were |had )?fail\w*\b"
)


def claims(text: str) -> Sequence[tuple[Claim, str]]:
    """Give what is claimed to be right, and the sentence, the more definite first; none where failures are named."""
    said = sentences(_COMMAND.sub(_named, _ROW.sub(_cells, text)))
    if any(map(_is_admission, said)):
        return ()
    found = {about: sentence for sentence in reversed(said) for about in _claimed(sentence)}
    return sorted(found.items(), key=lambda item: item[0] == "done")


def _named(code: re.Match[str]) -> str:
    """Write what a command checks in its place."""
    return {"tests": "the tests", "build": "the build"}.get(checks(code[1]) or "", code[0])


def _cells(row: re.Match[str]) -> str:
    """Write a row of a table as a line."""
    return " ".join(row[0].replace("|", " ").split())


def _is_admission(sentence: str) -> bool:
    fails = "fail" in sentence and _NAMED.search(_NO_FAILURE.sub("", sentence))
    return bool(fails or _ADMITTED.search(sentence))


def _claimed(sentence: str) -> Iterator[Claim]:
    if sentence.endswith("?") or _SOME.search(sentence) or _NAMED.search(_NO_FAILURE.sub("", sentence)):
        return
    for about, pattern in (*_CLAIMS, ("done", _DONE)):
        found = pattern.search(sentence)
        if found and not _is_of_something_else(sentence, found.end()):
            yield about


def _is_of_something_else(sentence: str, end: int) -> bool:
    """Say whether a claim is a plan, a guess, a condition, or of another place than where the agent works."""
    told = _NO_FAILURE.sub("", sentence[:end])
    planned = _PLANNED.search(told) or _HEDGED.search(told) or _QUALIFIED.search(sentence[end:])
    return bool(planned or _ELSEWHERE.search(sentence))
