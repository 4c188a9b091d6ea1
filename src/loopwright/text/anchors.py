"""A question and the answers that it may have -> whether something that can be seen decides between them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from loopwright.errors import TaskError

_HINT = 'say of each answer from 0 to 10 what one would see then: anchors = { 0 = "…", 5 = "…", 10 = "…" }'
HALF = 5.0
"""From here on an answer will do, where nobody says otherwise."""
_FEWEST = 2
_OPINION = """
acceptable adequate all amazing appropriate average awesome awful bad badly beautiful best better clean cleanly clear
completely decent easy elegant enough excellent fair fine fully good great high ideal idiomatic less low maintainable
mediocre more mostly neat nice nicely no not ok okay partly perfect perfectly poor poorly proper properly quality quite
rather readable really reasonable robust satisfactory so solid somewhat sound terrible totally unacceptable
understandable very well worse worst yes
"""
_SMALL = """
a an and are as at be been but by code change changes done for from has have in is it its of on or output result
solution that the this to was were which with work
"""
_SAYS_NOTHING = frozenset((_OPINION + _SMALL).split())


def check_question(name: str, question: str, anchors: Mapping[str, str]) -> None:
    """Refuse a question that nothing observable decides: TaskError says which, why, and what would be right."""
    if not _words(question):
        raise TaskError(f"`{name}` asks nothing", "write the question in words")
    if not anchors:
        raise TaskError(f"nothing observable decides `{name}`: its answers have no anchors", _HINT)
    for value, words in anchors.items():
        if not _is_score(value):
            raise TaskError(f"`{name}` has an anchor at `{value}`", f"it must be a number from 0 to 10; {_HINT}")
        if not isinstance(words, str) or not _words(words):
            raise TaskError(f"`{name}` does not say what the answer `{value}` means", _HINT)
    if len({float(value) for value in anchors}) < max(_FEWEST, len(anchors)):
        raise TaskError(f"nothing observable decides `{name}`: it has fewer than two different answers", _HINT)
    told = [" ".join(_words(words)) for words in anchors.values()]
    if len(set(told)) < len(told):
        raise TaskError(f"nothing observable decides `{name}`: two of its anchors say the same", _HINT)


def check_least(name: str, anchors: Mapping[str, str], least: float) -> None:
    """Refuse a bound that all answers reach, or none."""
    values = sorted(map(float, anchors))
    if not values[0] < least <= values[-1]:
        does = "any" if least <= values[0] else "no"
        words = f"`least` of `{name}` is {least:g}: {does} answer would do"
        raise TaskError(words, f"more than {values[0]:g}, and at most {values[-1]:g}")


def is_vague(words: str) -> bool:
    """Whether a description is an opinion alone, such as "good quality": two people would see it differently."""
    return _SAYS_NOTHING.issuperset(_words(words))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _is_score(value: object) -> bool:
    try:
        return 0 <= float(str(value)) <= 10
    except ValueError:
        return False
