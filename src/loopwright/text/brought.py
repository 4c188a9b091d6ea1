"""A prompt that was kept -> the files that it brought along from the repository, with the tokens of each."""

from __future__ import annotations

import re

from loopwright.text.tokens import tokens_in

_HEAD = "# From the repository\n"
_FILE = re.compile(r"^`([^`\n]+)`(?:, from line \d+)?:\n\n(`{3,})\n(.*?)\n\2$", re.MULTILINE | re.DOTALL)


def brought_by(prompt: str) -> dict[str, int]:
    """Give each file with its tokens; parts of one file are counted together."""
    found: dict[str, int] = {}
    _, _, told = prompt.partition(_HEAD)
    for path, _, text in _FILE.findall(told):
        found[path] = found.get(path, 0) + tokens_in(text)
    return found
