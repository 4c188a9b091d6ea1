"""What a human said -> whether they asked for tests, checks or hooks to be made milder: a request, and not negated.

A word alone is no request: "ignore case" is about something else, and "never skip tests" says the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_APOSTROPHES = str.maketrans({"’": "'", "`": "", "*": "", '"': "", "“": "", "”": "", "\t": " "})
_CLAUSES = re.compile(r"[.!?;:](?= |$)|[\n()]|,? \bbut\b|, so\b| [–—-]+ ")
_BULLET = re.compile(r"[-•#>\d.) ]+")
_NEGATED = re.compile(
    r"\b(?:not|never|no|none|nor|neither|without|avoid|refrain|stop|forbid\w*|prohibit\w*|cannot|dont|why|did|unless"
    r"|instead of|rather than)\b|n't\b"
)
_UNNEEDED = re.compile(r"\b(?:no longer|not) needed\b")
_NO_LONGER = re.compile(r"\bno longer\b")
_PLACE = (
    r"(?:^|, |\b(?:please|just|then|and|or|also|simply|now|temporarily|instead|kindly|i'll|we'll|let's|lets"
    r"|(?:you|we|i) (?:can|may|should|could|must|will|shall|might)"
    r"|(?:can|could|would|will|shall|should|may) (?:you|we|i)"
    r"|(?:you|want|like|need|have|ok|okay|fine|free|allowed|us|safe) to) (?:(?:also|just|please|simply|then|now) )?)"
)
"""Where the verb of a request stands: first, or after what makes it one."""
_STOPS = (
    r"in|from|for|when|while|with|by|on|at|so|that|to|until|because|if|as|into|after|before|no|none|zero|sure|then|not"
    r"|(?<!all )(?<!some )(?<!any )(?<!one )of"
    r"|(?:and|or)(?! (?:the|its|their|all|any|those|these|your|my|tests|hooks)\b)"
)
_BETWEEN = rf"(?: (?!(?:{_STOPS})\b)[^ ,]{{1,60}},?){{0,6}}? "
_OTHER = (
    r"(?! (?:data|databases?|db|users?|accounts?|outputs?|modes?|env\w*|servers?|logs?|results?|box|boxes|marks?"
    r"|buttons?|pages?|tables?|keys?|messages?|reports?|parsers?|inputs?|values?)\b)"
)
"""A test database is no test."""
_TESTS = (
    r"(?:tests?|specs?|testcases?|suites?|test_[\w.:/\[\]-]{1,100}|[\w/-]{1,100}[._](?:test|spec)\.\w+"
    rf"|[\w/.-]{{0,100}}/test_[\w.:/-]{{1,100}})\b{_OTHER}"
)
_ASKED = rf"(?:{_TESTS}|(?:assert\w*|expect(?:ed|ations?)\w*)\b)"
_HOOKS = rf"(?:hooks?|checks?|lint\w*|pre-commit|husky|lefthook|verification|ci)\b{_OTHER}"
_BUILD = rf"(?:{_TESTS}|(?:ci|checks?|lint\w*|jobs?|steps?|builds?|pipelines?|workflows?)\b{_OTHER})"
_LINTS = (
    r"(?:lint\w*|eslint|ruff|mypy|tsc|pylint|flake8|typescript|type[- ]?(?:check\w*|errors?)|checks?"
    rf"|checkers?|warnings?)\b{_OTHER}"
)
_NO_HOOKS = r"(?:--no-verify|no-verify|husky=0|core\.hookspath)(?!\w)"
_AWAY = r"skip|disable|ignore|comment out|turn off|switch off|leave out"
_SKIP = rf"{_AWAY}|xfail|quarantine|deselect|exclude|mute|run only|only run|mark"
_DELETE = r"delete|remove|drop|get rid of|discard|clean up|clean|move|rename|purge|prune"
_CHANGE = r"update|adjust|adapt|change|rewrite|correct|relax|loosen|weaken|simplify|modify|edit"
_ADD = r"use|add|put|pass|insert|apply|with|using|set"


def _request(verbs: str, thing: str) -> str:
    return rf"{_PLACE}(?:{verbs}){_BETWEEN}{thing}"


def _state(thing: str, words: str) -> str:
    return rf"^(?:(?!(?:{_STOPS})\b)[^ ,]{{1,60}} ){{0,4}}?{thing} (?:{words})\b"


_BE = r"(?:can|may|should|must|needs? to|ha(?:s|ve) to) be"
_WRONG = r"(?:is|are) (?:\w+ )?(?:wrong|outdated|stale|obsolete|incorrect|unnecessary)"
_GONE = r"(?:removed|deleted|dropped|moved|renamed)"
_REQUESTS = {
    "skip": (
        _request(_SKIP, _TESTS),
        _request(_ADD, r"(?:@?(?:pytest\.)?mark\.(?:skip|xfail)|(?:it|test|describe)\.(?:skip|only)|xfail|skip)\b"),
        _state(_TESTS, rf"{_BE} (?:skipped|disabled|ignored|quarantined)"),
    ),
    "delete": (_request(_DELETE, _TESTS), _state(_TESTS, rf"{_BE} {_GONE}|{_WRONG}")),
    "weaken": (
        _request(rf"{_CHANGE}|{_DELETE}", _ASKED),
        _state(_ASKED, rf"{_BE} (?:{_GONE}|updated|adjusted|adapted|changed|rewritten|relaxed)|{_WRONG}"),
    ),
    "hooks": (
        _request(rf"{_AWAY}|bypass|uninstall|{_DELETE}", _HOOKS),
        rf"\b(?:{_ADD}|commit|push|merge){_BETWEEN}?(?:with |using )?{_NO_HOOKS}",
        rf"\b(?:commit|push|merge)\b[^,]{{0,60}} without (?:running )?(?:the |any )?{_HOOKS}",
    ),
    "unheard": (
        _request(_AWAY, _BUILD),
        _request("make|mark|treat", rf"{_BUILD}{_BETWEEN}(?:as )?(?:optional|non-?blocking|advisory)\b"),
        _request("let|allow", rf"{_BUILD}{_BETWEEN}(?:to )?fail\b"),
        _request("lower|reduce|drop|decrease|relax|change|set", r"(?:coverage|threshold|fail[_-]under)\b"),
        rf"\b(?:{_ADD}){_BETWEEN}?(?:\|\| true|continue-on-error|allow_failure|--passwithnotests)",
    ),
    "unseen": (
        _request(rf"{_AWAY}|suppress|silence|exclude", _LINTS),
        rf"\b(?:{_ADD}){_BETWEEN}?[@#/ ]*(?:eslint-disable|ts-nocheck|type ignore|noqa|ignore-errors)",
    ),
    "snapshot": (
        _request(rf"{_CHANGE}|renew|regenerate|refresh|accept|overwrite|record|approve", r"snapshots?\b"),
        _state(r"snapshots?", rf"{_BE} \w+|{_WRONG}"),
    ),
}
_KNOWN = {why: tuple(map(re.compile, patterns)) for why, patterns in _REQUESTS.items()}
_VERBS = {
    "skip": _SKIP,
    "delete": _DELETE,
    "weaken": f"{_CHANGE}|{_DELETE}",
    "hooks": f"{_AWAY}|bypass|{_DELETE}",
    "unheard": _AWAY,
    "unseen": f"{_AWAY}|suppress|silence",
    "snapshot": f"{_CHANGE}|regenerate|accept",
}
_MEANT = {
    why: re.compile(rf"{_PLACE}(?:{verbs}) (?:it|them|that|those|these|this)(?: one| for now| please| instead)?$")
    for why, verbs in _VERBS.items()
}
"""A request that names its thing in the clause before."""
_THINGS = re.compile(rf"^(?:[^ ,]{{1,60}} ){{0,4}}?(?:{_ASKED}|{_HOOKS}|snapshots?\b)")
_LONGEST = 8_000


def permits(words: str, why: str, *, offered: str = "") -> bool:
    """Say whether a human asks for it, or says yes to an offer of it."""
    before = ""
    for clause in _clauses(words):
        if _asks(clause, why) or (_THINGS.match(before) and _means(clause, why)):
            return True
        before = clause
    return any(_asks(clause, why) or _means(clause, why) for clause in _clauses(offered))


def _clauses(words: str) -> Iterator[str]:
    plain = words[:_LONGEST].translate(_APOSTROPHES).lower().replace("type: ignore", "type ignore")
    for clause in _CLAUSES.split(plain):
        clause = " ".join(clause.split())
        begins = _BULLET.match(clause)
        if clause := clause[begins.end() if begins else 0 :]:
            yield _NO_LONGER.sub("hardly", _UNNEEDED.sub("unnecessary", clause))


def _asks(clause: str, why: str) -> bool:
    return any(_holds(clause, pattern) for pattern in _KNOWN[why])


def _means(clause: str, why: str) -> bool:
    return _holds(clause, _MEANT[why])


def _holds(clause: str, pattern: re.Pattern[str]) -> bool:
    found = pattern.search(clause)
    return found is not None and not _NEGATED.search(clause, 0, found.start() + 1)
