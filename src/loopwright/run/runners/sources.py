"""The tree's own source files: read, searched, and given one failing test more; no link is followed out of the tree."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from loopwright.records.tally import Tally

_LIMIT = 500_000
_TRIED = 100
_FOREIGN = {"node_modules", "target", "vendor", "testdata", "venv", "dist", "build"}
_WORDS = [
    *("amber", "anchor", "apple", "arrow", "autumn", "barley", "basket", "beacon", "birch"),
    *("blossom", "bridge", "bronze", "candle", "canyon", "cedar", "cherry", "clover", "cobalt"),
    *("copper", "coral", "cotton", "cricket", "crystal", "daisy", "desert", "dolphin", "ember"),
    *("falcon", "feather", "fern", "forest", "garden", "ginger", "glacier", "granite", "harbor"),
    *("hazel", "heron", "honey", "island", "ivory", "jasmine", "juniper", "kettle", "lantern"),
    *("lemon", "linen", "lily", "maple", "marble", "meadow", "mellow", "meteor", "mint"),
    *("morning", "mountain", "nectar", "oak", "olive", "orchid", "otter", "pebble", "pepper"),
    *("pine", "planet", "plum", "pollen", "prairie", "quartz", "rabbit", "raven", "reed"),
    *("river", "robin", "saffron", "sand", "silver", "sparrow", "spring", "spruce", "star"),
    *("stone", "summer", "sunny", "thistle", "thunder", "timber", "tulip", "valley", "velvet"),
    *("violet", "walnut", "willow", "winter", "wren"),
]


def is_own(root: Path, relative: str) -> bool:
    """Whether a file lies in the tree in truth: nobody's word for it is taken, and no link is followed."""
    try:
        # One that is named by an absolute path would be taken for itself.
        goal = str(Path(os.path.realpath(root)) / os.path.normpath(relative))
        inside = not Path(relative).is_absolute() and ".." not in Path(relative).parts
        return inside and os.path.realpath(root / relative) == goal and (root / relative).is_file()
    except (OSError, ValueError):
        return False


def text_of(root: Path, relative: str) -> str | None:
    """Read a file of the tree; None where it is missing, somewhere else in truth, or no text."""
    place = root / relative
    try:
        if not is_own(root, relative) or place.stat().st_size > _LIMIT:
            return None
        return place.read_bytes().decode()
    except (OSError, ValueError):
        return None


def write_text(root: Path, relative: str, text: str) -> None:
    """Replace a file that `text_of` has read; its line ends stay as they are in the text."""
    (root / relative).write_bytes(text.encode())


def folders_with(root: Path, name: str) -> Iterator[str]:
    """Give each folder of the tree that holds a file of that name, from the root, the root itself as an empty text."""
    for place, folders, files in os.walk(root):
        folders[:] = sorted(folder for folder in folders if folder not in _FOREIGN and not folder.startswith("."))
        if name in files:
            inside = os.path.relpath(place, root)
            yield "" if inside == "." else inside


def passed_tests(tally: Tally, pick: random.Random) -> list[str]:
    """Give tests that passed and whose file is known, in an order that nobody can foresee; one of each file first."""
    names = sorted(name for name in tally.named("passed") if name in tally.files)
    pick.shuffle(names)
    seen, rounds = Counter[str](), dict[str, int]()
    for name in names:
        rounds[name] = seen[tally.files[name]]
        seen[tally.files[name]] += 1
    return sorted(names, key=rounds.__getitem__)[:_TRIED]


def plain_words(pick: random.Random) -> list[str]:
    """Give three words that could be in the name of any test, so that nobody recognises ours."""
    return pick.sample(_WORDS, 3)
