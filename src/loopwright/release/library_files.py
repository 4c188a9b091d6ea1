"""The library as Markdown files: written out for people, and read back where one was edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import LoopwrightError
from loopwright.records.version import Version
from loopwright.release.entries import EntryError, content_of, file_of, read_file
from loopwright.release.learned import Library

FOLDER = "library"
_MOST = 1_000_000
_MEND = "mend the file; nothing of it is lost, and what was known before counts until then"


@dataclass(frozen=True)
class Seen:
    """What became of the files."""

    taken: Sequence[Version] = ()
    """Edits that are versions now."""
    broken: Sequence[LoopwrightError] = ()
    """Files that can't be taken; each names the file and says why."""


@dataclass(frozen=True)
class LibraryFiles:
    """The folder of a library."""

    folder: Path
    library: Library

    def sync(self, by: str) -> Seen:
        """Take in what was edited, then write all out that is not there as it is known."""
        seen = self.read(by)
        broken = {error.message.partition("`")[2].partition("`")[0] for error in seen.broken}
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in self.library.names():
            version = self.library.versions.get("entry", name)
            path, text = self.folder / f"{name}.md", file_of(version.content, version.number)
            if self._shown(path) not in broken and not path.is_symlink() and _text(path) != text:
                path.write_text(text, encoding="utf-8")
        return seen

    def read(self, by: str) -> Seen:
        """Take in what was edited; a file that was left as an older version says is no edit."""
        taken, broken = [], []
        paths = sorted(self.folder.glob("*.md"))
        names = set(self.library.names()) if paths else set()
        for path in paths:
            try:
                known = self.library.versions.get("entry", path.stem) if path.stem in names else None
                if made := self._take(path, known, by):
                    taken.append(made)
            except EntryError as error:
                broken.append(_named(f"`{self._shown(path)}`, line {error.line}: {error.message}", error))
            except LoopwrightError as error:
                broken.append(_named(f"`{self._shown(path)}`: {error.message}", error))
        return Seen(tuple(taken), tuple(broken))

    def _take(self, path: Path, known: Version | None, by: str) -> Version | None:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MOST:
            raise EntryError("it is no file of a usual size", 1, "put the file itself there, and no link")
        text = _text(path)
        if text is None:
            raise EntryError("it is not in UTF-8", 1, "save it as UTF-8")
        name = path.stem
        if known and text == file_of(known.content, known.number):
            return None
        entry, number = read_file(name, text)
        if known and number:
            base = self.library.versions.get("entry", name, number)
            if content_of(entry) == base.content:
                return None  # it is as somebody else found it: theirs is newer
        if known and content_of(entry) == known.content:
            return None
        reason = f"its file was edited, from @{number}" if number else "its file was written"
        made = self.library.write(entry, reason, by, parent=number if known else None)
        path.write_text(file_of(made.content, made.number), encoding="utf-8")
        return made

    def _shown(self, path: Path) -> str:
        return f"{FOLDER}/{path.name}"


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _named(words: str, error: LoopwrightError) -> LoopwrightError:
    return LoopwrightError(words, f"{error.hint}; {_MEND}" if error.hint else _MEND)
