"""Several prompts at once: what fails is left out with its reason, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from loopwright.errors import LoopwrightError
from loopwright.release.versions import Versions


@dataclass(frozen=True)
class Item:
    """What became of one of them."""

    name: str
    number: int | None
    done: bool
    words: str
    """What was done, or why it was left out."""


def each(names: Iterable[str], do: Callable[[str], Item]) -> list[Item]:
    """Do something with each."""
    return [_tried(name, partial(do, name)) for name in names]


def deploy(versions: Versions, wanted: Iterable[tuple[str, int]], by: str, reason: str) -> list[Item]:
    """Put several versions into use, each that is safe."""
    return [_tried(name, partial(_put, versions, name, number, by, reason), number) for name, number in wanted]


def _put(versions: Versions, name: str, number: int, by: str, reason: str) -> Item:
    versions.put_in_use(versions.get("prompt", name, number), by, reason)
    return Item(name, number, True, f"in use; back with: loopwright prompts rollback {name}")


def _tried(name: str, do: Callable[[], Item], number: int | None = None) -> Item:
    try:
        return do()
    except LoopwrightError as error:
        return Item(name, number, False, f"{error.message} (hint: {error.hint})" if error.hint else error.message)
