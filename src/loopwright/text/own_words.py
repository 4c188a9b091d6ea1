"""A message -> the sentences that its author says in it: no code, no quotes, no tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from loopwright.text.excerpt import ends

_LONGEST = 8000
"""So much is looked at of the beginning of a text, and of its end."""
_MARKS = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“\n]*“|(?<!\w)'[^'\n]{3,200}'(?!\w)")
_DRESSING = re.compile(r"\*\*|__|~~")
_BULLET = re.compile(r"^\s*(?:[-*+•#]+|\d{1,3}[.)])\s+")
_ENDS = re.compile(r"(?<=[.!?…;])\s+|(?<=[。！？；])")
_NAMED = " x "
"""What stands for something that was quoted."""


def sentences(text: str) -> Sequence[str]:
    """Give what the author says, sentence by sentence, in lower case."""
    lines = _own_lines(ends(text, _LONGEST, _LONGEST))
    said = (sentence.strip() for line in lines for sentence in _ENDS.split(line))
    return [sentence for sentence in said if sentence]


def _own_lines(text: str) -> Iterator[str]:
    fence = ""
    for line in text.replace("’", "'").splitlines():
        start = line.lstrip()
        if start[:3] in ("```", "~~~"):
            fence = "" if start[:3] == fence else fence or start[:3]
        elif not fence and not _is_borrowed(line, start):
            words = _BULLET.sub("", _DRESSING.sub("", line))
            yield " ".join(_MARKS.sub(_NAMED, words).lower().split())


def _is_borrowed(line: str, start: str) -> bool:
    """Say whether a line is a quote, a row of a table or indented code."""
    if start[:1] in (">", "|"):
        return True
    return line.startswith(("    ", "\t")) and not _BULLET.match(line)
