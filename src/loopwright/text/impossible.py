"""An agent's last words -> why it says that the criteria can't be met."""

from __future__ import annotations

import re

from loopwright.text.excerpt import plain

# Models like to set such a line in bold or as a quote.
_CLAIM = re.compile(r"^[ \t*_>#-]*impossible(?:, because|:)[*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
_LIMIT = 2000


def impossible(words: str) -> str:
    """Give the reason that stands after `IMPOSSIBLE:` or `impossible, because`; empty where there is none."""
    words = plain(words)
    claims = list(_CLAIM.finditer(words))
    if not claims:
        return ""
    reason = claims[-1].group(1).strip(" \t\r:*_")
    following = words[claims[-1].end() :].strip().partition("\n")[0].strip()
    return (reason or following or "no reason was given")[:_LIMIT]
