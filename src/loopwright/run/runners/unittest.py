"""unittest: a runner of ours in place of its own, which reports; a test is negated by its syntax tree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from loopwright.records.tally import Tally
from loopwright.run.runners.negation import negate
from loopwright.run.runners.pytest import names_module
from loopwright.run.runners.reporters import Reporting, lend
from loopwright.run.runners.runner import Equipped, Sabotage, candidates


class Unittest(Reporting):
    """`python -m unittest …`."""

    name = "unittest"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return names_module(argv, "unittest") > 0

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        start = names_module(argv, "unittest")
        script = lend("loopwright_unittest.py", folder)
        return Equipped([*argv[: start - 2], str(script), str(folder), *argv[start:]])

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        passed = sorted(tally.named("passed"))
        for name in candidates(tally, pick):
            file = tally.files.get(name, "")
            if file.endswith(".py") and negate(root, file, name.split(".")[-2:], plain=False):
                akin = (other for other in passed if other.rpartition(".")[2] == name.rpartition(".")[2])
                return Sabotage(file, frozenset({name}), frozenset(akin))
        return None
