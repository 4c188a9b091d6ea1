"""A change of a file of tests -> the line by which a test that was there does not decide anything any more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from loopwright.text.changes import Change
from loopwright.text.test_edits import count_asked, count_tests, is_test_file

_SKIP = re.compile(
    r"(?:@|pytestmark = \[?)pytest\.mark\.(?:skip\b(?!if)|xfail\b)|@unittest\.skip\b(?!If|Unless)"
    r"|@unittest\.expectedFailure\b|@(?:Disabled|Ignore)\b"
    r"|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\b(?:it|test|describe|context|suite)\.(?:skip|only|todo|fixme)\b"
    r"|\b(?:xit|xdescribe|xtest|fit|fdescribe)\(|\bt\.Skip(?:Now|f)?\(|#\[ignore\b|\bmarkTestSkipped\(|\[Ignore\b"
    r"|\bSkip ?= ?\""
)
_ALWAYS = re.compile(
    r"\b(?:skipif|skipIf|xfail|skip)\( ?(?:condition ?= ?)?(?:True|true|1|not False|\"True\"|'True')(?: ?[,)]|$)"
    r"|\b(?:skipUnless|runIf)\( ?(?:False|false|0)(?: ?[,)]|$)"
)
"""A condition that always holds is none."""
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|`[^`\n]*`?")
_COMMENT = re.compile(r"(?:#(?!\[)|//).*")
_GIVEN = re.compile(
    r"(?:mark\.xfail|\b(?:it|test|describe)\.(?:skip|fixme))\("
    r"(?!async\b|function\b|\(\)|(?:reason|strict|raises|run) ?=)[A-Za-z!(]"
)
"""The first thing that is given is a condition, and no name, reason or function."""
OUTSIDE = re.compile(
    r"platform|os\.name|GOOS|win32|darwin|testing\.Short|importorskip|shutil\.which|LookPath|environ|getenv"
    r"|process\.env|version_info|condition=|getoption",
    re.IGNORECASE,
)
"""What a test can do nothing about: the machine, its settings."""
_BRANCH = re.compile(r"\b(?:if|elif|else|except|catch|case|unless|when)\b(?!\(? ?(?:True|true|1)\b[ ):])")
_CHOICE = re.compile(r" \? |&&|\bif\b")
_FUNCTION = re.compile(r"\b(?:def|func|function|fn) (\w+)")
_WORD = re.compile(r"\w+")
_BROKEN = re.compile(r"(?<=\w\()\n[ \t]*")
"""A call whose first argument is in the next line."""
_RETURN = re.compile(r"return;?$")
_CAUGHT = re.compile(r"except(?: \(?(?:AssertionError|Exception|BaseException)\)?(?: as \w+)?)? ?:$")
_NOTHING = frozenset({"pass", "...", "return"})


def bare(line: str) -> str:
    """Leave the strings and the comment of a line of code out: reasons and names decide nothing."""
    return _COMMENT.sub("", _STRING.sub('""', line))


def skipped(change: Change) -> str:
    """Give the line that lets an existing test be skipped, expected to fail, or be the only one; empty where none."""
    if not change.is_edit or not is_test_file(change.path) or count_tests(change.new) > count_tests(change.old):
        return ""
    old, new = (_BROKEN.sub("", text).splitlines() for text in (change.old, change.new))
    if found := _marked(old, new):
        return found
    for way in (_returns, _swallowed):
        was, now = list(way(old)), list(way(new))
        if len(now) > len(was):
            return now[0].strip()
    return _renamed(change)


def _marked(old: Sequence[str], new: Sequence[str]) -> str:
    if sum(map(_is_skip, new)) <= sum(map(_is_skip, old)):
        return ""
    had = set(old)
    found = (at for at, line in enumerate(new) if line not in had and _is_skip(line))
    return next((new[at].strip() for at in found if not _has_condition(new, at)), "")


def _is_skip(line: str) -> bool:
    return bool(_SKIP.search(line) or "kip" in line or "runIf" in line) and bool(
        _SKIP.search(_COMMENT.sub("", line)) or _ALWAYS.search(line)
    )


def _has_condition(lines: Sequence[str], at: int) -> bool:
    """Say whether a skip hangs on something: in its own call, in its line, or by the branch that it stands in."""
    following = [line.strip() for line in lines[at : at + 3]]
    if _ALWAYS.search(" ".join(following).replace("( ", "(")):
        return False
    begins, own = bare(lines[at]), " ".join(map(bare, following)).replace("( ", "(")
    if OUTSIDE.search(begins) or _CHOICE.search(begins) or _GIVEN.search(own):
        return True
    return not begins.strip().startswith("@") and _in_branch(lines, at)


def _in_branch(lines: Sequence[str], at: int) -> bool:
    depth = _depth(lines[at])
    for line in reversed(lines[max(0, at - 40) : at]):
        if line.strip() and _depth(line) < depth:
            if _FUNCTION.search(line):
                return False
            if _BRANCH.search(bare(line)):
                return True
            depth = _depth(line)
    return False


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _returns(lines: Sequence[str]) -> Iterator[str]:
    """Give each `return` that is the first thing a test does."""
    for line, following, third in zip(lines, [*lines[1:], ""], [*lines[2:], "", ""], strict=False):
        if count_tests(line) and line.rstrip().endswith((":", "{")):
            first = third if following.strip().startswith(('"""', "//", "#")) else following
            if _RETURN.match(bare(first).strip()):
                yield first


def _swallowed(lines: Sequence[str]) -> Iterator[str]:
    """Give each `except` that lets what a test asks for fail unheard."""
    for at, line in enumerate(lines):
        if not _CAUGHT.match(bare(line).strip()) or bare("".join(lines[at + 1 : at + 2])).strip() not in _NOTHING:
            continue
        body: list[str] = []
        for before in reversed(lines[max(0, at - 40) : at]):
            if before.strip() == "try:":
                break
            body.append(before)
        raises = any("assert False" in one or "fail(" in one for one in body)
        followed = "".join(lines[at + 2 : at + 3]).strip()
        if count_asked("\n".join(body)) and not raises and followed != "else:":
            yield line


def _renamed(change: Change) -> str:
    """Give the line of a test that is otherwise the same, and by whose name no runner takes it for one any more."""
    had, has = set(_FUNCTION.findall(change.old)), set(_FUNCTION.findall(change.new))
    gone = {name.lower(): name for name in had - has if name.lower().startswith("test")}
    if not gone:
        return ""
    lines, counts = set(change.old.splitlines()), Counter(_WORD.findall(change.new))
    for line in change.new.splitlines():
        name = found[1] if (found := _FUNCTION.search(line)) else ""
        before = gone.get(name[name.lower().find("test") :].lower(), "")
        if before and not _is_found(name, change.path) and counts[name] == 1 and line.replace(name, before) in lines:
            return line.strip()
    return ""


def _is_found(name: str, path: str) -> bool:
    return name.startswith("Test" if path.endswith(".go") else ("test", "Test"))
