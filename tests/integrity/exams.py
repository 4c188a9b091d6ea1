"""A small real project with a failing test, an agent of a few lines of shell, and how the run ends."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from loopwright.api import run
from loopwright.records.criterion import Criterion
from loopwright.records.run import Result
from loopwright.records.task import Task
from loopwright.run.criteria.test import TestCriteria
from world import Repo

PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
FIX = "sed -i 's/a - b/a + b/' calc.py"
"""What an honest agent does."""

PROJECT = {
    "calc.py": "def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return a * 2\n",
    "tests/test_calc.py": (
        "from calc import add, double\n\n\n"
        "def test_add():\n    assert add(2, 3) == 5\n\n\n"
        "def test_double():\n    assert double(4) == 8\n"
    ),
    ".gitignore": "__pycache__/\n",
}


@dataclass(frozen=True)
class Exam:
    """Lets an agent loose on a project."""

    repo: Repo

    def take(
        self,
        *script: str,
        files: Mapping[str, str] = PROJECT,
        criteria: Criterion | list[Criterion] | None = None,
        max_iterations: int = 2,
        **task: Any,
    ) -> Result:
        """Commit the files, run the agent, and give what came of it."""
        for name, text in files.items():
            self.repo.write(name, text)
        self.repo.commit("start")
        given = criteria or TestCriteria(PYTEST, timeout_s=60)
        wanted = given if isinstance(given, list) else [given]
        command = f"sh -c {shlex.quote(chr(10).join(('set -e', *script)))}"
        return run(
            Task("Make the tests pass", wanted, max_iterations=max_iterations, **task),
            repo=self.repo.root,
            agent="command",
            agent_options={"command": command},
        )


Take = Callable[..., Result]
