"""The library as a run needs it: edits of its files are noticed, and what has no room is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from loopwright.release.learned import Library
from loopwright.release.library_files import FOLDER, LibraryFiles

HUMAN = "human"


def notice_edits(library: Library, home: Path, say: Callable[[str], None]) -> None:
    """Take in what humans edited; what can't be taken is said, and what was known before counts."""
    seen = LibraryFiles(home / FOLDER, library).read(HUMAN)
    for version in seen.taken:
        say(f"note: {FOLDER}/{version.name}.md was edited: it is `{version.title}` now")
    for error in seen.broken:
        say(f"note: {error.message}")


def tell(library: Library, titles: Sequence[str], say: Callable[[str], None] = lambda text: None) -> str:
    """Give what some entries come to in a prompt."""
    found = library.telling(titles)
    if found.left_out:
        say(f"note: not told, since {library.tokens:,} tokens are full: {', '.join(found.left_out)}")
    return found.text
