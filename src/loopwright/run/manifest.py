"""What is installed before the agent starts: what is there at the end must be the same.

An agent without a sandbox can write to the user's own .venv or node_modules, and the tests run what lies there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.records.identity import canonical_hash
from loopwright.records.proof import Tampering
from loopwright.run.dependencies import Stamp, all_stamps

_CACHES = ("/.cache/", "/.vite/", "/.vitest/", "/.vite-temp/", "/.package-lock.json")
_BYTECODE = "/__pycache__"


@dataclass(frozen=True)
class Manifest:
    """The files of some folders, each with what tells that it was touched."""

    root: Path
    folders: Sequence[str]
    stamps: Mapping[str, Stamp]

    @staticmethod
    def take(root: Path, folders: Sequence[str], kept: Path) -> Manifest:
        """Take it, or read the one that was taken when the run began."""
        with suppress(OSError, ValueError):
            said = json.loads(kept.read_text(encoding="utf-8"))
            return Manifest(root, folders, {name: tuple(stamp) for name, stamp in said.items()})
        stamps = all_stamps(root, folders)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(stamps), encoding="utf-8")
        return Manifest(root, folders, stamps)

    def changed(self) -> tuple[list[Tampering], bool]:
        """Name what was changed since, but for caches; say apart from that whether bytecode was.

        Bytecode comes and goes as people work: that it changed is no sign of anything, but it can't be trusted.
        """
        now = all_stamps(self.root, self.folders)
        names = sorted(name for name in now.keys() | self.stamps.keys() if now.get(name) != self.stamps.get(name))
        files = [name for name in names if _BYTECODE not in name and not any(cache in name for cache in _CACHES)]
        found = [
            Tampering(name, _how(name, self.stamps, now), _content(now.get(name)), installed=True) for name in files
        ]
        return found, any(_BYTECODE in name for name in names)


def _how(name: str, before: Mapping[str, Stamp], now: Mapping[str, Stamp]) -> str:
    what = "added" if name not in before else "changed" if name in now else "deleted"
    return f"{what} while the agent was at work"


def _content(stamp: Stamp | None) -> str:
    return canonical_hash({"stamp": list(stamp)}) if stamp else ""
