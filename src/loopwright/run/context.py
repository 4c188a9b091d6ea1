"""A goal and a tree -> what the prompt brings along from the repository, as the profile's context strategy says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loopwright.run.tree import Tree
from loopwright.text.fences import fenced
from loopwright.text.relevance import Chunk, chunks_of, named_paths, outline, ranked, words_of

FULL_LIMIT, CHUNKS_LIMIT, DETAIL_LIMIT, SUMMARY_LIMIT = 60_000, 20_000, 8_000, 16_000
_MOST_FILES, _MOST_WORDS, _LONGEST_FILE = 200, 24, 200_000


@dataclass(frozen=True)
class Context:
    """What a commit holds, as far as it has to do with a question."""

    tree: Tree
    commit: str

    def bring(self, strategy: str, question: str) -> str:
        """Write the part of the prompt; empty where nothing is to be brought, or nothing was found."""
        make = {"full_files": self._full_files, "relevant_chunks": self._chunks, "summary_then_detail": self._summary}
        text = make[strategy](question) if strategy in make else ""
        return f"# From the repository\n\n{text}\n" if text else ""

    def _full_files(self, question: str) -> str:
        parts, left = [], FULL_LIMIT
        for path, text in _in_order(question, self._found(question)).items():
            if len(text) <= left:
                parts.append(f"`{path}`:\n\n{fenced(text)}\n")
                left -= len(text)
        return "\n".join(parts)

    def _chunks(self, question: str) -> str:
        return _shown(_ranked(question, self._found(question)), CHUNKS_LIMIT)

    def _summary(self, question: str) -> str:
        lines, left, found = [], SUMMARY_LIMIT, self._found(question)
        for path, text in _in_order(question, found).items():
            entry = "\n".join([f"- `{path}`", *(f"  - `{line}`" for line in outline(text))])
            if len(entry) > left:
                break
            lines.append(entry)
            left -= len(entry)
        detail = _shown(_ranked(question, found), DETAIL_LIMIT)
        outlines = "\n".join(lines)
        return f"What has to do with the task, by file:\n\n{outlines}\n\nIn detail:\n\n{detail}" if lines else ""

    def _found(self, question: str) -> dict[str, str]:
        """Give files with their text, those first that the question names, then those that hold most of its words."""
        paths = self.tree.listed("ls-tree", "-r", "--name-only", "-z", self.commit)
        named = named_paths(question, paths)
        others = [path for path in self._holding(question) if path not in named]
        return dict(self._read([*named, *others][:_MOST_FILES]))

    def _holding(self, question: str) -> list[str]:
        wanted = sorted(dict.fromkeys(words_of(question)), key=len, reverse=True)[:_MOST_WORDS]
        if not wanted:
            return []
        patterns = [part for word in wanted for part in ("-e", word)]
        done = self.tree.call("grep", "-z", "-c", "-I", "-i", "-F", *patterns, self.commit, "--", check=False)
        found = []
        for line in done.stdout.decode(errors="replace").splitlines():
            name, _, count = line.partition("\0")
            path = name.partition(":")[2]
            if path and count.isdigit():
                found.append((-int(count), path))
        return [path for _, path in sorted(found)]

    def _read(self, paths: Sequence[str]) -> list[tuple[str, str]]:
        asked = "".join(f"{self.commit}:{path}\n" for path in paths if "\n" not in path)
        left = self.tree.call("cat-file", "--batch", stdin=asked.encode(errors="surrogateescape")).stdout
        found = []
        for path in (path for path in paths if "\n" not in path):
            head, _, left = left.partition(b"\n")
            words = head.split()
            if len(words) != 3 or not words[2].isdigit():
                continue
            size = int(words[2])
            content, left = left[:size], left[size + 1 :]
            if words[1] == b"blob" and size <= _LONGEST_FILE and b"\0" not in content:
                found.append((path, content.decode(errors="replace")))
        return found


def _ranked(question: str, files: Mapping[str, str]) -> list[Chunk]:
    return ranked(question, [chunk for path, text in files.items() for chunk in chunks_of(path, text)])


def _in_order(question: str, files: Mapping[str, str]) -> dict[str, str]:
    """Put those first that the question names, then those whose nearest part is nearest."""
    named = named_paths(question, files)
    order = dict.fromkeys([*named, *(chunk.path for chunk in _ranked(question, files))])
    return {path: files[path] for path in order}


def _shown(chunks: Sequence[Chunk], limit: int) -> str:
    parts, left = [], limit
    for chunk in chunks:
        if len(chunk.text) > left:
            break
        parts.append(f"`{chunk.path}`, from line {chunk.first}:\n\n{fenced(chunk.text)}\n")
        left -= len(chunk.text)
    return "\n".join(parts)
