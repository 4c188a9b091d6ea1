"""A TOML file -> a rubric; an item that nothing observable decides is refused by name."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from loopwright.errors import TaskError, UnknownName
from loopwright.measure.material import NUMBERS, SHARES
from loopwright.records.rubric import Item, Rubric
from loopwright.records.shape import Kinds, ShapeError, record
from loopwright.text.anchors import HALF, check_least, check_question, is_vague
from loopwright.text.pattern import matches_anything, matches_nothing, valid

FALLBACK = "other"
"""For task types that have no rubric of their own."""
_DECIDED_BY = ("check", "criterion", "pattern", "number", "question")
_CHECKS = ("criteria",)
_PATTERN = "write what is to be found, or, with absent = true, what is not"
_BOUNDS = "give a bound that work can be on either side of, such as most = 3"
_EXAMPLE = 'an item is decided by one of: check = "criteria", criterion = {…}, pattern, number, question with anchors'


def ready_names() -> list[str]:
    """Name the rubrics that come with Loopwright."""
    return sorted(file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml"))


def find_rubric(name: str, folders: Sequence[Path], kinds: Kinds) -> Rubric:
    """Give a rubric: a file, one of that name in a project's own folders, or a ready one."""
    if name.endswith(".toml"):
        return read_rubric(Path(name), kinds)
    own = [folder / f"{name}.toml" for folder in folders]
    found = next((path for path in own if path.is_file()), None)
    if found:
        return read_rubric(found, kinds)
    if name in ready_names():
        return rubric_of((_folder() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml", kinds)
    known = {*ready_names(), *(path.stem for folder in folders if folder.is_dir() for path in folder.glob("*.toml"))}
    raise UnknownName("rubric", name, known)


def read_rubric(path: Path, kinds: Kinds) -> Rubric:
    """Read a file; TaskError names what is wrong with it."""
    try:
        rubric = rubric_of(path.read_text(encoding="utf-8"), str(path), kinds)
        return dataclasses.replace(rubric, file=str(path.absolute()))
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"the rubric `{path}` can't be read: {error}", "name a TOML file, or a ready rubric") from None


def rubric_of(text: str, source: str, kinds: Kinds) -> Rubric:
    """Read TOML."""
    try:
        rubric = _rubric(tomllib.loads(text), kinds)
        return dataclasses.replace(rubric, loose=tuple(_loose(rubric)))
    except tomllib.TOMLDecodeError as error:
        raise TaskError(f"the rubric `{source}` can't be read: {error}", "text stands in quotes") from None
    except ShapeError as error:
        place = ".".join(map(str, error.path))
        raise TaskError(f"the rubric `{source}`{f', {place}' if place else ''}: {error.message}", error.hint) from None
    except TaskError as error:
        raise TaskError(f"the rubric `{source}`: {error.message}", error.hint) from None


def _rubric(data: dict[str, Any], kinds: Kinds) -> Rubric:
    for name in {"loose", "file"} & data.keys():
        raise ShapeError(f"there is no field `{name}` here", (name,), "leave it out: it is found by looking")
    rubric = record(Rubric, data, kinds)
    if not rubric.items:
        raise TaskError("it has no items", "write [[items]], then name and what decides it")
    names = [item.name for item in rubric.items]
    if twice := [name for name in names if names.count(name) > 1]:
        raise TaskError(f"two items are called `{twice[0]}`", "give each a name of its own")
    if not 0 <= rubric.passes_at <= 10:
        raise TaskError(f"`passes_at` is {rubric.passes_at:g}", "a score from 0 to 10")
    for item, given in zip(rubric.items, data["items"], strict=True):
        if "pattern" in given and not item.pattern:
            raise TaskError(f"the pattern of `{item.name}` is empty: it would match anything", _PATTERN)
        _check(item)
    return rubric


def _check(item: Item) -> None:
    if not item.name.strip():
        raise TaskError("an item has an empty name", "say in a few words what it looks at")
    by = [name for name in _DECIDED_BY if getattr(item, name)]
    if not by:
        raise TaskError(f"nothing observable decides `{item.name}`", _EXAMPLE)
    if len(by) > 1:
        raise TaskError(f"`{item.name}` is decided by {' and '.join(by)}", "make two items of it")
    if not 0 < item.weight < math.inf:
        raise TaskError(f"the weight of `{item.name}` is {item.weight:g}", "it must be more than 0")
    if item.check and item.check not in _CHECKS:
        raise TaskError(
            f"`{item.name}` has the check `{item.check}`", f"one of: {', '.join(_CHECKS)}; or: criterion = {{…}}"
        )
    if item.pattern and matches_anything(valid(item.pattern)):
        raise TaskError(f"the pattern of `{item.name}` matches anything: `{item.pattern}`", _PATTERN)
    if item.pattern and matches_nothing(item.pattern):
        raise TaskError(f"the pattern of `{item.name}` matches nothing: `{item.pattern}`", _PATTERN)
    if item.question:
        check_question(item.name, item.question, item.anchors)
        check_least(item.name, item.anchors, HALF if item.least is None else item.least)
    elif item.anchors:
        raise TaskError(f"`{item.name}` has anchors and no question", "anchors are the answers to a question")
    if item.number:
        _check_number(item)
    elif item.most is not None or (item.least is not None and not item.question):
        raise TaskError(f"`{item.name}` has a bound and no number", 'name it: number = "iterations"')


def _check_number(item: Item) -> None:
    if item.number not in NUMBERS:
        raise UnknownName("number", item.number, NUMBERS)
    if item.least is None and item.most is None:
        raise TaskError(
            f"nothing decides `{item.name}`: `{item.number}` is compared with nothing", "say most = 3, or least"
        )
    lowest = 1 if item.number == "iterations" else 0
    highest = 1.0 if item.number == "tool_error_share" else math.inf
    least = max(lowest, lowest if item.least is None else item.least)
    most = highest if item.most is None else min(item.most, highest)
    always, never = least <= lowest and most >= highest, not _any_between(least, most, whole=item.number not in SHARES)
    if always or never:
        words = f"`{item.name}` {'always' if always else 'never'} holds: `{item.number}` is"
        raise TaskError(f"{words} {lowest} {'to 1' if highest == 1 else 'or more'}, wanted: {item.wanted}", _BOUNDS)


def _any_between(least: float, most: float, *, whole: bool) -> bool:
    if not least <= most or least == math.inf:
        return False
    return not whole or most == math.inf or math.ceil(least) <= math.floor(most)


def _loose(rubric: Rubric) -> Iterator[str]:
    if all(item.question for item in rubric.items):
        yield "it has only questions: no check holds a score in place"
    for item in rubric.items:
        vague = [value for value, words in item.anchors.items() if is_vague(words)]
        if vague:
            yield f"anchors of `{item.name}` are opinions ({', '.join(vague)}): two people would see them differently"


def _folder() -> Any:
    return resources.files("loopwright.measure") / "rubrics"
