"""The library entries that ship: remedies for what today's agents do wrong. None is told to anybody by default."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from loopwright.release.entries import content_of, entry_of


@cache
def entry_names() -> list[str]:
    """Name them."""
    found = [file.name for file in (files("loopwright.release") / "library").iterdir()]
    return sorted(name.removesuffix(".md") for name in found if name.endswith(".md"))


@cache
def entry_template(name: str) -> str:
    """Give the first version of one."""
    text = (files("loopwright.release") / "library" / f"{name}.md").read_text(encoding="utf-8")
    return content_of(entry_of(name, text))
