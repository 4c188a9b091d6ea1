"""A goal -> its task type, by rules: the first verb that tells decides, together with what it is done to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from loopwright.records.task import TaskType

_MOST = 5000
_END = "."
"""Stands where a phrase ends."""
_NAME = "_"
"""Stands for a file, a number, something in backticks: no word of the language."""


def _table(**lists: str) -> dict[str, TaskType]:
    return {word: cast(TaskType, kind) for kind, words in lists.items() for word in words.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PREFIXES = _table(
    bug_fix="fix bugfix hotfix bug",
    feature="feat feature",
    refactor="refactor",
    tests="test tests",
    docs="docs doc",
    chore="chore ci build style deps",
)
"""Conventional commits: `feat(api): …`."""

_VERBS = _table(
    bug_fix="fix repair resolve debug correct solve patch unbreak diagnose investigate",
    refactor="refactor rename extract simplify restructure reorganise reorganize inline deduplicate cleanup clean tidy "
    "decouple modernise modernize consolidate untangle rewrite",
    tests="test cover",
    docs="document explain describe",
    chore="bump upgrade downgrade pin configure reformat format lint release",
)
"""They tell what is done, whatever it is done to."""

_OPEN_VERBS = _table(
    feature="add implement build create support introduce allow enable expose provide let write design develop "
    "generate port integrate set handle show display return",
    refactor="move split merge replace convert migrate switch use",
    other="make update change improve extend increase raise remove delete drop optimise optimize speed",
)
"""They leave it to their object: tests are added, and so are features."""

_NOUNS = _table(
    bug_fix="bug bugs crash crashes crashed crashing broken breaks regression regressions fail fails failing failure "
    "failures deadlock deadlocks segfault segfaults hangs wrong incorrect incorrectly fix",
    refactor="refactor refactoring cleanup duplication",
    tests="test tests testing coverage unittest unittests",
    docs="docs documentation readme docstring docstrings comment comments changelog tutorial guide typo typos",
    chore="dependency dependencies ci lint linting linter formatting formatter config configuration dockerfile "
    "makefile version versions",
)
_BUGS = {word for word, kind in _NOUNS.items() if kind == "bug_fix"}
_ERRORS = _set("error errors exception exceptions traceback can't cannot doesn't")
"""They tell of a bug only where nothing else tells."""
_LOUD = _set("readme docstring docstrings changelog ci coverage")
"""Nouns that tell also when another one follows: a README section."""
_CLUTTER = _set("dead unused duplicate duplicated obsolete legacy redundant deprecated")
_REPAIRED = _set("pass passing green work")
_ARTICLES = _set("a an")
_ALSO_NOUNS = _set("build test format lint release support patch design update change")
_TROUBLE = _set("is are fail fails failing failure failures breaks broken crashes error errors")
_BEFORE_VERBS = _set("please to and then also you we should must can could would now just first finally let's or")
_PHRASE_ENDS = _set(
    "for to of in on with without that which so when where while from into by as at using via and or but if because "
    "is are be was were should must not about between after before during per until unless"
)
_PRONOUNS = _set("it them one some this these those that")


def task_type(goal: str) -> TaskType:
    """Say what kind of work a goal asks for."""
    prefix = re.match(r"\s*([a-z]+)(?:\([^)\n]*\))?!?:\s", goal[:100].lower())
    if prefix and prefix[1] in _PREFIXES:
        return _PREFIXES[prefix[1]]
    words = list(_words(goal[:_MOST].lower()))
    return _by_verb(words) or _by_noun(words)


def _by_verb(words: Sequence[str]) -> TaskType | None:
    for index, word in enumerate(words):
        if not _is_verb(words, index):
            continue
        acted_on = _object(words[index + 1 :])
        if word in _VERBS:
            # The documentation is corrected, and not fixed as a program is.
            return "docs" if _VERBS[word] == "bug_fix" and acted_on == "docs" else _VERBS[word]
        if _BUGS.intersection(words[:index]):
            return "bug_fix"
        return acted_on or _by_purpose(word, words, index)
    return None


def _is_verb(words: Sequence[str], index: int) -> bool:
    if words[index] not in _VERBS and words[index] not in _OPEN_VERBS:
        return False
    following = words[index + 1 : index + 2]
    # `Build fails on main` does not ask for a build.
    if words[index] in _ALSO_NOUNS and _TROUBLE.intersection(following):
        return False
    before = words[index - 1] if index else _END
    return before in _BEFORE_VERBS or before == _END or before.endswith("ly")


def _object(following: Sequence[str]) -> TaskType | None:
    """Read what a verb is done to: the last noun before the phrase ends, or a loud one in it."""
    phrase: list[str] = []
    for word in following:
        if word == _END or (word in _PHRASE_ENDS and phrase):
            break
        phrase.append(word)
    loud = [word for word in phrase if word in _LOUD]
    return _NOUNS.get((loud or phrase or [""])[-1])


def _by_purpose(verb: str, words: Sequence[str], index: int) -> TaskType:
    default, following = _OPEN_VERBS[verb], words[index + 1 : index + 2]
    if _PRONOUNS.intersection(following):
        told = _by_noun(words[:index])
        return default if told == "other" else told
    if verb == "make" and _REPAIRED.intersection(words):
        return "bug_fix"
    if verb == "make" and _ARTICLES.intersection(following):
        return "feature"
    if verb in ("remove", "delete", "drop") and _CLUTTER.intersection(words):
        return "refactor"
    return "bug_fix" if default == "other" and _BUGS.intersection(words) else default


def _by_noun(words: Sequence[str]) -> TaskType:
    if _BUGS.intersection(words):
        return "bug_fix"
    told = next((_NOUNS[word] for word in words if word in _NOUNS), None)
    return told or ("bug_fix" if _ERRORS.intersection(words) else "other")


def _words(goal: str) -> Iterator[str]:
    for raw in goal.replace("’", "'").split():
        word = raw.strip(".,;:!?()[]\"'*-–—")
        if not word or re.fullmatch(r"\d+", word):
            yield _END if raw != word else _NAME
            continue
        if word.endswith((".md", ".rst")):
            word = "docs"
        yield word if re.fullmatch(r"[^\W\d_]+(?:['-][^\W\d_]+)*", word) else _NAME
        if raw[-1] in ".,;:!?)":
            yield _END
