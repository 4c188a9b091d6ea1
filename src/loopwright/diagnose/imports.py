"""A failing check + the files at the base -> the files of the project that its tests import."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from loopwright.records.check import Check

_PYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([\w, \t]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_SCRIPT = re.compile(r"""(?:from|require\(|import\()\s*['"](\.{1,2}/[^'"\n]{1,200})['"]""")
_SCRIPT_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.js")
_WORD = re.compile(r"[\w./-]{3,200}")
_ENDS = (".py", ".js", ".ts", ".jsx", ".tsx", ".mjs")
_MOST_WORDS, _MOST_FILES, _LONGEST = 2_000, 10, 200_000

Source = Callable[[str], str | None]


def imported_by(check: Check, source: Source) -> list[str]:
    """Name what the tests that a check ran import of the project; nothing where that can't be told."""
    found: dict[str, None] = {}
    for path in files_of_tests(check, source):
        text = (source(path) or "")[:_LONGEST]
        found |= dict.fromkeys(_python(text, source) if path.endswith(".py") else _script(path, text, source))
    return list(found)


def files_of_tests(check: Check, source: Source) -> list[str]:
    """Name the files of tests that a check's command and its evidence name, and that were there at the base."""
    words = _WORD.findall(check.command or "") + _WORD.findall(check.evidence)[:_MOST_WORDS]
    named = dict.fromkeys(path for word in words for path in _paths(word) if _is_test(path))
    return [path for path in named if source(path) is not None][:_MOST_FILES]


def _paths(word: str) -> list[str]:
    if word.endswith(_ENDS):
        return [posixpath.normpath(word).lstrip("/")]
    parts = word.strip(".").split(".")
    return [f"{'/'.join(parts[:end])}.py" for end in range(len(parts), 0, -1)] if "/" not in word else []


def _is_test(path: str) -> bool:
    return "test" in path.lower() or "spec" in path.lower()


def _python(text: str, source: Source) -> Iterable[str]:
    for package, names, modules in _PYTHON.findall(text):
        wanted = [f"{package}.{name.split()[0]}" for name in names.split(",") if name.strip()] if package else []
        wanted += [package] if package else [one.split()[0] for one in modules.split(",") if one.strip()]
        for module in wanted:
            path = module.strip(".").replace(".", "/")
            yield from (found for found in (f"{path}.py", f"{path}/__init__.py") if path and source(found))


def _script(path: str, text: str, source: Source) -> Iterable[str]:
    for name in _SCRIPT.findall(text):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        yield from (found for found in (f"{place}{end}" for end in _SCRIPT_ENDINGS) if source(found))
