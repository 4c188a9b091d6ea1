"""An error's message -> a fingerprint that like errors share: paths, numbers, hashes and times do not count."""

from __future__ import annotations

import hashlib
import re

from loopwright.text.excerpt import plain

_MOST = 2_000
_FILES = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".go", ".rs", ".rb", ".php", ".java", ".kt"),
    *(".cs", ".swift", ".c", ".cc", ".cpp", ".h", ".hpp", ".sh", ".sql", ".json", ".toml", ".yaml", ".yml", ".txt"),
    *(".md", ".html", ".css", ".lock", ".cfg", ".ini", ".log", ".tmp"),
)

# Each expression reads a text once: none can begin again in the middle of what it has just read in vain.
_ADDRESS = re.compile(r"(?<!\w)(?:[A-Za-z]:\\[^\s\"'<>|:*?]*|[a-z]\w*://[^\s\"'<>)\]]*)")
_WORD = re.compile(r"[^\s\"'`<>()\[\]{},;|=:]+")
_STEPS = (
    (re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])"), "#"),
    (re.compile(r"(?<!\d)\d\d?:\d\d:\d\d(?:[.,]\d+)?(?![\w:])"), "#"),
    (re.compile(r"(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)", re.IGNORECASE), "#"),
    (re.compile(r"(?<!\w)0x[0-9a-f]+", re.IGNORECASE), "#"),
    (re.compile(r"(?<!\w)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}(?!\w)", re.IGNORECASE), "#"),
    (re.compile(r"(?<!\w)(?:tmp[a-z0-9_]{8}|tmp\.\w{6,10})(?!\w)"), "<temporary>"),
    (re.compile(r"(?<!\w)[-+]?\d[\d_]*(?:\.\d+)*(?:e[-+]?\d+)?", re.IGNORECASE), "#"),
    (re.compile(r"\s+"), " "),
)


def fingerprint(message: str) -> str:
    """Give 16 hex digits: the same for like errors, others for others."""
    return hashlib.sha256(normalise(message).encode(errors="replace")).hexdigest()[:16]


def normalise(message: str) -> str:
    """Take out of a message what changes from one time, place or machine to the next."""
    text = _WORD.sub(_without_path, _ADDRESS.sub("<path>", plain(message[:_MOST])))
    for expression, replacement in _STEPS:
        text = expression.sub(replacement, text)
    return text.strip()


def _without_path(word: re.Match[str]) -> str:
    if "/" not in word[0] and "." not in word[0]:
        return word[0]  # most words are none, and there are thousands
    text = word[0].rstrip(".")
    if text.startswith("/") and text.count("/") == 1 and word.string[word.start() - 1 : word.start()] == "<":
        return word[0]  # the end of an element, </x>
    parts = [part for part in text.split("/") if part]
    # `I/O` and `n/a` are words.
    has_slashes = text.startswith(("/", "~/")) or any(len(part) > 1 for part in parts[1:])
    is_path = text.endswith(_FILES) or (parts and has_slashes)
    return f"<path>{word[0][len(text) :]}" if is_path else word[0]
