"""pytest: a plug-in of ours reports; a test is negated by its syntax tree."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from loopwright.records.tally import Tally
from loopwright.run.runners.negation import negate
from loopwright.run.runners.reporters import Reporting, lend
from loopwright.run.runners.runner import Equipped, Sabotage, candidates

_PYTHON = re.compile(r"(python|pypy)[\d.]*")
_STARTERS = (("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("pipenv", "run"), ("hatch", "run"), ("rye", "run"))
_VALUED = {
    *("--extra", "--group", "--only-group", "--with", "--with-editable", "--with-requirements", "--python", "-p"),
    *("--package", "--project", "--directory", "--env-file", "-e", "--env"),
}
"""Options of such starters that take the word after them."""


class Pytest(Reporting):
    """Any command that runs pytest, by itself or behind another program that keeps the environment."""

    name = "pytest"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return bool(names_module(argv, "pytest") or _programs(argv) & {"pytest", "py.test"})

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        lend("loopwright_report.py", folder)
        report = {"LOOPWRIGHT_REPORT": str(folder), "PYTHONPATH": str(folder)}
        return Equipped(argv, {**report, "PYTEST_ADDOPTS": "-p loopwright_report"})

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        passed = sorted(tally.named("passed"))
        for name in candidates(tally, pick):
            file = tally.files.get(name, "")
            function = name.partition("[")[0]
            words = function.split("::")[1:]
            # By the statement that the tests use: pytest compiles it, and could have been made to leave it out.
            if file.endswith(".py") and words and negate(root, file, words, plain=True):
                same = (other for other in passed if other.partition("[")[0] == function)
                akin = (other for other in passed if other.partition("[")[0].endswith(f"::{words[-1]}"))
                return Sabotage(file, frozenset(same), frozenset(akin))
        return None


def names_module(argv: Sequence[str], module: str) -> int:
    """Give where in a command the arguments of `python -m MODULE` begin; 0 where it is no such command."""
    for place, word in enumerate(argv[:-2]):
        if _PYTHON.fullmatch(PurePosixPath(word).name):
            flags = place + 1
            while flags < len(argv) and argv[flags].startswith("-") and argv[flags] != "-m":
                flags += 2 if argv[flags] in ("-W", "-X") else 1
            if list(argv[flags : flags + 2]) == ["-m", module]:
                return flags + 2
    return 0


def _programs(argv: Sequence[str]) -> set[str]:
    """The program that a command starts, also behind `uv run` and the like, `env A=b`, `coverage run -m`."""
    words = list(argv)
    while words:
        if tuple(words[:2]) in _STARTERS:
            words = _behind_options(words[2:])
        elif words[0] == "env" or re.fullmatch(r"\w+=.*", words[0]):
            words = words[1:]
        elif start := names_module(words, "coverage"):
            words = ["coverage", *words[start:]]
        elif words[:2] == ["coverage", "run"] and "-m" in words:
            words = words[words.index("-m") + 1 :]
        else:
            return {PurePosixPath(words[0]).name}
    return set()


def _behind_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _VALUED else 1 :]
    return words
