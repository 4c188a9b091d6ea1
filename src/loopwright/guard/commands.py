"""A text that agents are to be told -> the command or address in it, for which a human has to look first."""

from __future__ import annotations

import re
import unicodedata

_PROGRAMS = (
    r"(?:sudo|curl|wget|rm|chmod|chown|git|pip3?|npm|npx|pnpm|yarn|uvx?|python3?|node|bash|sh|zsh|eval|exec|ssh|scp|nc|dd|"
    r"docker|kubectl|make|cargo|go|apt(?:-get)?|brew|powershell|pwsh|cmd|iex|invoke-\w+)"
)
_SIGNS = (
    r"^\s*(?:```|~~~)",  # a block of code
    r"^\s*(?:\$|>>>|PS>|[\w.-]+@[\w.-]+[:#$])\s+\S",  # a line with a prompt
    r"`[^`\n]*[\w./-]+\s+[^`\n]+`",  # a program with arguments, set as code
    rf"^\s*(?:[-*\d.)]+\s+)?{_PROGRAMS}\s+(?:-|/|\.|~|\"|')",  # a line that begins with a program and what it is given
    r"\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\$\(|&&|\|\||>\s*/|<\(",
    r"\b(?:rm\s+-\w*[rf]|curl\s+-|sudo\s+\w+|chmod\s+[+\d]\w*|(?:pip3?|npm|apt|brew|cargo|go)\s+install|git\s+push)\b",
    r"\b(?:https?|ftp|file|data|ssh)://?\S",
)
_SIGN = re.compile("|".join(_SIGNS), re.IGNORECASE | re.MULTILINE)
_SHOWN = 80


def command_in(text: str) -> str:
    """Give the first line that holds a command or an address; nothing where there is none."""
    plain = unicodedata.normalize("NFKC", text)
    found = _SIGN.search(plain)
    if found is None:
        return ""
    start = plain.rfind("\n", 0, found.end() - 1) + 1
    return plain[start:].strip().partition("\n")[0][:_SHOWN]
