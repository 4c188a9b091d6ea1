"""Rust's crates in a tree: the file of a test, and a file with one failing test more."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath

from loopwright.run.runners.sources import folders_with, text_of, write_text

_BEFORE = re.compile(r"(?:.*[{};]|\s*)\s*$")
"""What a line before a whole item looks like; behind anything else something may be unfinished."""


def first_file(root: Path, crate: str, path: str) -> str | None:
    """Find the file that a crate begins with; `path` is from the folder of its package."""
    folders = [place for place in folders_with(root, "Cargo.toml") if text_of(root, _join(place, path)) is not None]
    named = [place for place in folders if _name(root, place) == crate]
    chosen = folders if len(folders) == 1 else named
    return _join(chosen[0], path) if len(chosen) == 1 else None


def file_of(root: Path, first: str, test: str) -> str:
    """Find the file of a test by its modules, from the file that its crate begins with."""
    modules = test.split("::")[:-1]
    for count in range(len(modules), 0, -1):
        place = PurePosixPath(first).parent.joinpath(*modules[:count])
        for candidate in (f"{place}.rs", f"{place}/mod.rs"):
            if text_of(root, candidate) is not None:
                return candidate
    return first


def add_failing_test(root: Path, file: str, function: str, added: str) -> bool:
    """Put a test that panics before another one, into the same module; say whether that could be done."""
    text = text_of(root, file)
    start = _start_of(text, function) if text else None
    if text is None or start is None:
        return False
    indent = re.match(r"[ \t]*", text[start:])
    space = indent[0] if indent else ""
    test = f"{space}#[test]\n{space}fn {added}() {{\n{space}    panic!();\n{space}}}\n\n"
    write_text(root, file, text[:start] + test + text[start:])
    return True


def _start_of(text: str, function: str) -> int | None:
    """Where a test begins, with its attributes and comments; None where that is not clear."""
    heads = list(re.finditer(rf"^[^\n/]*\bfn {re.escape(function)}\s*\(\s*\)", text, re.MULTILINE))
    if len(heads) != 1:
        return None
    lines = text[: heads[0].start()].splitlines(keepends=True)
    above = list[str]()
    while lines and lines[-1].strip().startswith(("#[", "//")):
        above.append(lines.pop())
    is_test = any("test" in line for line in (*above, heads[0][0].partition("fn ")[0]) if "#[" in line)
    return sum(map(len, lines)) if is_test and (not lines or _BEFORE.match(lines[-1])) else None


def _name(root: Path, folder: str) -> str:
    try:
        manifest = tomllib.loads(text_of(root, _join(folder, "Cargo.toml")) or "")
    except ValueError:
        return ""
    package = manifest.get("package")
    name = package.get("name") if isinstance(package, dict) else ""
    return name.replace("-", "_") if isinstance(name, str) else ""


def _join(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path
