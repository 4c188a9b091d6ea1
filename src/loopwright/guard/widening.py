"""A prompt before and after -> the new sentences that let an agent do more. A net of plain rules, and no proof.

A rule is a verb with its object right after it, or a passive with its subject right before. What stands before decides
whether it is forbidden there: only words that are known to forbid, with nothing but known words between, do so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•#>]|\d{1,3}[.)])\s)")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_MARKUP = re.compile(r"[`*\"“”]|(?<=\s)[-+•#>]+(?=\s)")
_SPREAD = re.compile(r"\b(?:\w ){3,}\w\b")
_PIECE, _SHARED = 2000, 300
"""A sentence without an end is looked at in pieces, so that its length costs no more than that."""

_LOOKALIKE = str.maketrans(
    "аеорсухіјѕԁԛԝһӏкмтнвАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοινκρτυχıɑɡ",
    "aeopcyxijsdqwhlkmtnbABEKMHOPCTYXIJSABEZHIKMNOPTYXaoivkptuxiag",
)
_LOOKING = "".join(map(chr, _LOOKALIKE))
_DISGUISED = re.compile(f"[A-Za-z][{_LOOKING}]|[{_LOOKING}][A-Za-z]")


def _forms(words: str, *, past: bool = False) -> str:
    """Give verbs in their forms: delete, deletes, deleting; or, past: deleted."""
    found = []
    for word in words.split("|"):
        verb, _, rest = word.partition(" ")
        stem = re.sub("e$", "", verb)
        last = f"{stem[-1]}?" if re.search("[^aeiou][aeiou][bgpt]$", stem) else ""
        ends = "ed|t" if past else f"{verb[len(stem) :]}|e?s|{last}ing"
        found.append(f"{stem}(?:{last}(?:{ends}))" + (f" {rest}" if rest else ""))
    return "|".join(found)


_WEAKENED = (
    "edit|change|modify|alter|adjust|weaken|loosen|lower|relax|skip|disable|delete|remove|rewrite|overwrite|replace|"
    "drop|mock|patch|stub|stub out|comment out|silence|mute|touch|tweak|update|fake|trick|deactivate|neutralise|"
    "uninstall|rename|move|wrap|regenerate|break|shorten|exclude|deselect"
)
_WEAKEN = _forms(_WEAKENED) + (
    "|get rid of|getting rid of|turn off|turning off|switch off|shut off|write over|make changes to"
)
_DONE = _forms(_WEAKENED, past=True) + "|rewritten|overwritten|turned off|switched off|modified|thrown away|taken out"
_WHICH = (
    r"(?:(?:the|an?|any|all|every|each|some|these|those|this|that|your|its|their|our|both|such|most|few|of|old|slow|"
    r"hard|bad|wrong|red|flaky|broken|own|other|previous|earlier|above|whole|entire|visible|held-out|strict|exact|"
    r"whichever|whatever|system|safety|security|linter?|git|pre-commit|unit|integration|project's|contents?|values?|"
    r"(?!using|during|including|regarding|according)\w+(?:ing|ed)),? )*"
)
"""What may stand between a verb and its object."""
_TESTS = r"tests?|test files?|test suites?|test cases?|(?:\S{0,60}/)?test_\w+(?:\.\w+)?|conftest\S*|assert(?:ion)?s?"
_JUDGES = (
    rf"(?:{_TESTS}|snapshots?|checks?|criteria|criterion|hooks?|guardrails?|sandbox|permissions|"
    r"\S{0,60}\.git/hooks\S*|"
    r"rubrics?|graders?|ci|coverage(?: thresholds?| limits?)?|expectations?|expected (?:values?|results?|outputs?)|"
    r"what (?:they|it|the tests?|the checks?) (?:expects?|checks?|asserts?))(?![\w-])"
)
_RULES = (
    r"(?:rules?|instructions?|criteria|criterion|guardrails?|polic(?:y|ies)|limits?|budgets?|orders|guidelines?|"
    r"restrictions?|constraints?|prompt)(?![\w-])"
)
_DEFY = _forms("ignore|disregard|override|overrule|bypass|circumvent|violate|flout|exceed|escape|evade|overstep") + (
    "|get around|go around|work around|break|breaking|break out of|forget|forget about|pay no attention to|"
    "take no notice of"
)
_OBEY = (
    "obey|follow|respect|heed|observe|honou?r|stick to|keep to|keep|stay within|stay inside|meet|satisfy|ask for|ask|"
    "wait for"
)
_FREE_OF = (
    r"(?:don't|do not|no longer|never) (?:have|need) to|needn't|need not|no need to|"
    r"not (?:obliged|required|bound) to|no longer"
)
_MODAL = (
    "may|can|could|might|should|must|shall|will|to|gets?|(?:is|are) (?:allowed |free |permitted )?to|"
    "(?:need|have|has|ought) to"
)
_PRIVATE = (
    r"(?:credentials?|secrets?|passwords?|(?:api |private |ssh )keys?|(?:api |access |auth )tokens?|"
    r"\S{0,60}\.env(?![.\w])|\$\{?\w*(?:key|token|secret|password)\w*)"
)
_OURS = rf"(?:{_PRIVATE}|environment variables?|environment (?:into|to)\b|os\.environ|token (?:into|in|to)\b)"
_SHOW = _forms(
    "print|send|post|upload|show|reveal|collect|cat|dump|echo|include|copy|paste|output|leak|curl|log|put|share"
)
_LICENCE = (
    "you (?:may|can|could|are (?:free|allowed|permitted|welcome))(?!'t| not| never)|"
    "feel free|permission to|allowed to|free to"
)
_PLACE = (
    r"outside (?:of )?(?:\w+ )?(?:repo(?:sitory)?|work(?:ing)? ?tree|project|folder|directory|workspace|checkout)\b"
)
_HOME = r"(?:~|\$home|\$\{home\}|/root|/home/\w+)"
_TRICKS = r"(?:conftest|sitecustomize|pytest_addopts|os\._exit)"
_OFF = "(?:(?:turned |switched )?off|none|never|disabled?|full)"

_ACTIVE = (
    rf"\b(?:{_WEAKEN}) {_WHICH}{_JUDGES}",
    rf"\b(?:{_DONE}) (?:the|an?|any|all|every|some|these|those|your|its) {_WHICH}{_JUDGES}",
    rf"\b(?:{_WEAKEN}) {_WHICH}\w+ (?:and|or|as well as) {_WHICH}(?:tests|checks|criteria|assertions|hooks)\b",
    rf"\b(?:if|when|whenever|where|once|should) {_WHICH}{_JUDGES}[^,:]*[,:] (?:\w+ )?(?:{_WEAKEN}) (?:it|them|that)\b",
    rf"\b{_JUDGES}[,:] (?:{_WEAKEN}) (?:it|them)\b",
    rf"\b(?:turn|switch|shut)(?:s|ing)? {_WHICH}{_JUDGES} off\b",
    rf"\b{_JUDGES} (?:is|are) (?:yours|free|open) to (?:{_WEAKEN})(?![\w-])",
    rf"\b{_forms('mark')} {_WHICH}{_JUDGES}.{{0,20}} as \w+",
    r"\bxfail\b|\bmark\.skip|\bunittest\.skip",
    r"\bhard-?cod(?:e|es|ing)\b.{0,40}\b(?:tests?|checks?|expect\w*)\b",
    rf"\b(?:add|write|create|set|put|use|call|insert|export)(?:s|ing)? .{{0,20}}{_TRICKS}",
    rf"\b(?:{_DEFY}) {_WHICH}(?:{_RULES}|{_JUDGES}|above\b)",
    rf"\b(?:{_DEFY}) (?:everything|anything|all|what\w*)\b.{{0,30}}\b(?:said|told|above|before|earlier|written)\b",
    rf"\b(?:as if|pretend|imagine)\b.{{0,20}}\b{_RULES}",
    rf"\b(?:read|reads|reading|open|opening) {_WHICH}{_PRIVATE}",
    rf"\b(?:{_SHOW}) (?:me |us |them )?{_WHICH}{_OURS}",
    r"\b(?:curl|wget|send|post|upload|submit)\b[^()\[\]]{0,40}\bhttps?://(?!localhost|127\.)",
    rf"{_HOME}/\.\w+|/etc/(?:passwd|shadow)|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws/|\.netrc\b",
    r"--dangerous\S*|--yolo\b|--no-verify\b|--allow-?all\S*|bypass_?permissions|danger-full-access|chmod (?:-r )?777",
    r"\b(?:sudo|doas)\b|\bas root\b(?! \w+(?:y|ies|s)\b)|\byou (?:are|have) root\b",
    rf"\b(?:sandbox|approvals?|permissions?)\b\W{{0,4}}(?:=|:|is|are|to|mode)?\W{{0,4}}{_OFF}\b",
    r"\b(?:run|runs|running|work|working|act|acting|live) outside (?:of )?(?:the |this |your )?sandbox\b",
    r"\bpush(?:es|ing)? (?:\w+ly |straight |it |them |your \w+ )*(?:to (?:origin|main|master)|--force|-f\b)",
    r"\bforce[- ]push",
    r"\binstall(?:s|ing)? (?:whatever|any|anything|every\w*)\b|\bfrom the (?:internet|web)\b",
    r"\b(?:full|unrestricted|unlimited) access\b|\baccess to the (?:network|internet|web)\b",
    rf"\b(?:{_LICENCE})\b.{{0,20}}\b(?:install|push|root|credentials?|secrets?)\b",
    rf"\b(?:{_LICENCE})\b.{{0,40}}\b(?:use|access|reach|open|go|connect|and)\b.{{0,12}}\b(?:network|internet|web)\b",
    rf"\b(?:{_LICENCE}) (?:to )?(?:do|edit|change|write|access|delete|execute|use) (?:anything|everything|whatever)\b",
    rf"\b(?:{_LICENCE}) (?:to )?(?:edit|change|access|delete|write) (?:any|all|every)\b",
    rf"\b(?:write|edit|change|create|delete|save|touch|work)(?:s|ing)?\b.{{0,30}}\b{_PLACE}",
    r"\bby (?:whatever|any|all) means\b|\bwhatever it takes\b|\bat (?:any|all) costs?\b",
    rf"\b(?:whatever|no matter what|regardless of(?: what)?) (?:the |these |your )?{_JUDGES}",
)
_RELEASED = (
    rf"\b(?:{_FREE_OF}) (?:{_OBEY}) {_WHICH}(?:{_RULES}|{_JUDGES}|permission|approval)",
    rf"\b(?:do not|don't|never|without) (?:{_OBEY}) {_WHICH}{_RULES} (?:above|before|you were given)\b",
    r"\b(?:pay no attention to|take no notice of) what\b",
    rf"(?:\bnot|\bnever|n't) (?:worry about|mind|care about|care for|bother with) {_WHICH}(?:{_RULES}|{_JUDGES})",
    rf"\b{_RULES}(?: \w+)? (?:(?:do|does|did) not|don't|doesn't|no longer|never) (?:apply|count|matter|hold|bind)\b",
    rf"\b{_RULES}(?: \w+)? (?:is|are) (?:void|off|cancell?ed|suspended|lifted|obsolete|optional|invalid|not binding)\b",
)
"""What no word like `not` before it takes back: such a word is a part of it."""
_PASSIVE = (
    rf"\b{_JUDGES}(?: (?:that|which)\b[^,;]{{0,60}}?)? (?:{_MODAL})(?: \w+ly| just)?(?: be)?(?: \w+ly)? (?:{_DONE})\b",
)
_NEGATOR = (
    r"(?:\b(?:not|cannot|never|nor|without|avoid|stop|instead of|rather than|refrain from|away from|out of)|n't|"
    r"\b(?:nobody|no one) (?:may|can|must|should|is to)|\bno (?:reason|right|excuse|permission) to|"
    r"\bunder no circumstances|\b(?:forbidden|prohibited|wrong) to)"
)
_BETWEEN = (
    r"(?: (?:you|ever|even|just|simply|then|again|to|be|been|have|allowed|asked|permitted|supposed|meant|free|try|"
    r"attempt|need|want|may|let|anybody|anyone|yourself|also|in any way|under any circumstances|use|using|run|running|"
    r"read|reading|touch|open|look at|pass|add|call|commit with|work with|work|the|any|git commit|\w+ly))*"
)
_LISTED = r"(?: (?!hesitate|worry|panic|fear|wait|mind|only)[\w'-]+,?){1,7} (?:or|nor)"
_NEGATED = re.compile(rf"{_NEGATOR}(?:{_LISTED})?{_BETWEEN} $")
_NOT_ALLOWED = re.compile(r"^(?: \w+){0,2} (?:is|are) (?:not (?:allowed|permitted)|never|forbidden|prohibited|no )")
_TAKEN_BACK = re.compile(r"(?:\b(?:not|never|nothing|no|why|cannot)|n't) (?:\w+ )?$")
_OTHER_SUBJECT = re.compile(
    r"\b(?:no|none of|not|neither|which|whether|why|what|outside|outside of|except|but|besides?|apart from|than|by|"
    r"under)(?: (?:the|an?|any|all|existing|these|those))* $"
)


def disguised(text: str) -> bool:
    """Say whether letters of another script stand among Latin ones that they look like."""
    return bool(_DISGUISED.search(text))


def widening(before: str, after: str) -> Iterator[str]:
    """Give the sentences that are new and let an agent do more."""
    known = {_plain(sentence) for sentence in _sentences(before)}
    for sentence in _sentences(after):
        plain = _plain(sentence)
        pieces = (plain[start : start + _PIECE] for start in range(0, len(plain), _PIECE - _SHARED))
        if plain not in known and any(map(_widens, pieces)):
            yield sentence


def _sentences(text: str) -> Iterator[str]:
    """Cut a text at ends of sentences, paragraphs and items of lists; a line that goes on is no end."""
    for block in _BLOCK.split(text):
        yield from (" ".join(sentence.split()) for sentence in _SENTENCE.split(block))


def _plain(sentence: str) -> str:
    """Write it in small Latin letters without accents and markup, and letters that are spread as a word."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", sentence).translate(_LOOKALIKE))
    bare = "".join(sign for sign in letters if not unicodedata.combining(sign)).replace("’", "'").lower()
    words = " ".join(_MARKUP.sub("", f" {bare} ").split())
    return _SPREAD.sub(lambda found: found[0].replace(" ", ""), words)


def _widens(plain: str) -> bool:
    if any(pattern.search(plain) for pattern in _compiled(_RELEASED)):
        return True
    if any(not _is_forbidden(plain, found) for pattern in _compiled(_ACTIVE) for found in pattern.finditer(plain)):
        return True
    return any(
        not _OTHER_SUBJECT.search(plain[: found.start()])
        for pattern in _compiled(_PASSIVE)
        for found in pattern.finditer(plain)
    )


def _is_forbidden(plain: str, found: re.Match[str]) -> bool:
    """Say whether what stands around it forbids it; who takes that back (not forbidden to) does not."""
    if _NOT_ALLOWED.search(plain[found.end() :]):
        return True
    before = plain[: found.start()]
    negated = _NEGATED.search(before)
    return negated is not None and not _TAKEN_BACK.search(before[: negated.start()])


@cache
def _compiled(patterns: tuple[str, ...]) -> list[re.Pattern[str]]:
    """Compile rules when a prompt is looked at: it takes long, and most commands look at none."""
    return [re.compile(pattern) for pattern in patterns]
