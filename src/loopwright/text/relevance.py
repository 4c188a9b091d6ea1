"""Words and files -> the parts of the files that the words are about, by counting alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CHUNK_LINES = 40
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]{2,}(?![a-z])|[a-z]+|\d{3,}")
_COMMON = frozenset(
    (
        *("the", "and", "for", "that", "this", "with", "from", "not", "are", "was", "but", "all", "any", "can", "has"),
        *("have", "into", "its", "one", "our", "out", "should", "than", "then", "there", "they", "when", "where"),
        *("which", "will", "would", "you", "your", "must", "make", "fix", "add", "use", "used", "using", "new", "get"),
        *("set", "test", "tests", "file", "files", "code", "def", "class", "return", "import", "true", "false", "none"),
        *("null", "self"),
    )
)
_STEEPNESS, _LENGTH = 1.2, 0.5
_DEFINITION = re.compile(
    r"^(?:export |pub |public |private |static |async |default |abstract )*"
    r"(?:def|class|func|function|fn|interface|struct|enum|trait|impl|type|const|module)\s+[\w$*(]"
)


@dataclass(frozen=True)
class Chunk:
    """Some lines of a file."""

    path: str
    first: int
    """The number of its first line."""
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def words_of(text: str) -> list[str]:
    """Split text into lower-case words, also those within names; the most common say nothing and are left out."""
    found = (word.lower() for word in _WORD.findall(text))
    return [word for word in found if len(word) > 2 and word not in _COMMON]


def chunks_of(path: str, text: str) -> list[Chunk]:
    """Cut a file into parts of some lines, before a definition where there is one nearby."""
    lines, chunks, first = text.splitlines(), list[Chunk](), 0
    while first < len(lines):
        end = min(first + CHUNK_LINES, len(lines))
        starts = [number for number in range(first + CHUNK_LINES // 2, end) if _DEFINITION.match(lines[number])]
        if end < len(lines) and starts:
            end = starts[-1]
        chunks.append(Chunk(path, first + 1, tuple(lines[first:end])))
        first = end
    return chunks


def ranked(question: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Give the chunks that have to do with a question, the nearest first (BM25; the path counts as words, too)."""
    asked = set(words_of(question))
    counts = [Counter(words_of(f"{chunk.path} {chunk.path} {chunk.text}")) for chunk in chunks]
    sizes = [count.total() for count in counts]
    usual = sum(sizes) / max(1, len(sizes))
    holding = Counter(word for count in counts for word in asked if word in count)

    def score(count: Mapping[str, int], size: int) -> float:
        weight = _STEEPNESS * (1 - _LENGTH + _LENGTH * size / max(1.0, usual))
        return sum(
            math.log(1 + (len(chunks) - holding[word] + 0.5) / (holding[word] + 0.5))
            * (count[word] * (_STEEPNESS + 1) / (count[word] + weight))
            for word in asked
            if word in count
        )

    scores = [score(count, size) for count, size in zip(counts, sizes, strict=True)]
    order = sorted(range(len(chunks)), key=lambda place: (-scores[place], chunks[place].path, chunks[place].first))
    return [chunks[place] for place in order if scores[place] > 0]


def outline(text: str, most: int = 20) -> list[str]:
    """Give the lines of a file that define something at its outermost level."""
    found = (line.rstrip(" {:") for line in text.splitlines() if _DEFINITION.match(line))
    return [line[:120] for line, _ in zip(found, range(most), strict=False)]


def named_paths(text: str, paths: Iterable[str]) -> list[str]:
    """Give the paths that a text names: in full, or by a last part that only one of them has."""
    said = set(re.findall(r"[\w.\-/]+", text))
    by_end: dict[str, list[str]] = {}
    for path in paths:
        for end in {path, path.rpartition("/")[2]}:
            by_end.setdefault(end, []).append(path)
    clean = {word.strip("./") for word in said} | said
    return sorted({by_end[word][0] for word in clean if len(by_end.get(word, ())) == 1})
