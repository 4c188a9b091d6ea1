"""A change of a build's settings -> the line by which a check can't fail any more, is not run, or asks for less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from loopwright.text.changes import Change
from loopwright.text.checking import checks

SETTINGS = re.compile(
    r"(?:^|/)(?:\.github/workflows/|\.circleci/|\.gitlab-ci|azure-pipelines|Jenkinsfile|package\.json$|Makefile$"
    r"|justfile$|mise\.toml$|\.mise\.toml$|tox\.ini$|noxfile\.py$|Taskfile|\.pre-commit-config|\.husky/|lefthook"
    r"|bitbucket-pipelines)"
)
"""Files that say what a build does."""
_IN_LINE = re.compile(r"\|\| ?(?:true|exit 0|echo)\b|\|\| ?:|; ?(?:true|exit 0)\b|--passWithNoTests\b")
_OF_STEP = re.compile(r"(?:- )?(?:(?:continue-on-error|allow_failure): ?true|if: ?(?:false|\$\{\{ ?false ?\}\}))$")
_BEFORE = re.compile(r"(?:- ?)?(?:\"?[\w:.-]{1,60}\"?: ?)?(?:[|>][+-]?$)?[\"'@]?")
_SCRIPT = re.compile(r"\"((?:test|lint|check|typecheck|build)[\w:.-]{0,60})\": ?\"([^\"]{0,300})")
_EMPTY = re.compile(r"(?:true|:|exit 0|echo\b[^|&;]*(?:&& ?exit 0)?)$")
_LEAST = re.compile(r"fail[_-]under[\"' ]{0,3}[=: ][\"' ]{0,3}(\d{1,3})\b")
_COVERAGE = re.compile(r"(?:^|/)(?:pyproject\.toml|setup\.cfg|\.?coveragerc|pytest\.ini)$")
_MOST = 60
"""So many lines of a step are looked at, and so many that may be deaf."""


def unheard(change: Change) -> str:
    """Give the line by which a check in a build's settings can't fail any more; empty where there is none."""
    if not change.is_edit or not SETTINGS.search(change.path.replace("\\", "/")):
        return ""
    old, new = change.old.splitlines(), change.new.splitlines()
    if sum(map(_is_deaf, new)) > sum(map(_is_deaf, old)):
        had = set(old)
        found = (at for at, line in enumerate(new) if line not in had and _is_deaf(line))
        if line := next((new[at].strip() for at in islice(found, _MOST) if _is_of_check(new, at)), ""):
            return line
    return _emptied(change)


def asks_for_less_coverage(change: Change) -> str:
    """Say how far the coverage that is asked for was lowered; empty where it was not."""
    path = change.path.replace("\\", "/")
    if not change.is_edit or not (_COVERAGE.search(path) or SETTINGS.search(path)):
        return ""
    was, now = ([int(number) for number in _LEAST.findall(text)] for text in (change.old, change.new))
    return f"{max(was)} -> {max(now)}" if was and now and max(now) < max(was) else ""


def _is_deaf(line: str) -> bool:
    return bool(_IN_LINE.search(line) or _OF_STEP.match(line.strip()))


def _is_of_check(lines: Sequence[str], at: int) -> bool:
    if found := _IN_LINE.search(lines[at]):
        end = len(lines[at]) if found[0].startswith("--") else found.start()
        return _checks(lines[at][:end].rpartition("&&")[2].rpartition(";")[2])
    return any(map(_checks, _step(lines, at)))


def _checks(line: str) -> bool:
    line = line.strip()
    begins = _BEFORE.match(line)
    return checks(line[begins.end() if begins else 0 :].strip("\"' ,")) is not None


def _step(lines: Sequence[str], at: int) -> Sequence[str]:
    """Give the lines that stand beside one in its step, or below them."""
    depth = _depth(lines[at])
    first = at
    while first > max(0, at - _MOST) and not _begins(lines[first], depth) and _is_within(lines, first - 1, depth):
        first -= 1
    last = at + 1
    while last < min(len(lines), at + _MOST) and (not lines[last].strip() or _raw(lines[last]) >= depth):
        last += 1
    return lines[first:last]


def _begins(line: str, depth: int) -> bool:
    return line.lstrip().startswith("- ") and _depth(line) == depth


def _is_within(lines: Sequence[str], at: int, depth: int) -> bool:
    is_cut = at == 0 and lines[0][:1] != " "  # an edit may begin in the middle of a line
    return not lines[at].strip() or _depth(lines[at]) >= depth or is_cut


def _raw(line: str) -> int:
    return len(line) - len(line.lstrip())


def _depth(line: str) -> int:
    """Say how deep the first word of a line stands: that of an item stands two behind its dash."""
    return _raw(line) + (2 if line.lstrip().startswith("- ") else 0)


def _emptied(change: Change) -> str:
    """Give the script of a check that does nothing any more."""
    was = dict(_SCRIPT.findall(change.old))
    for name, does in _SCRIPT.findall(change.new):
        before = was.get(name, "")
        if _EMPTY.match(does) and before and not _EMPTY.match(before) and not before.startswith("echo"):
            return f'"{name}": "{does}"'
    return ""
