"""A test runner tried for real: a small project, its own command, equipped as a check would be."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.process.command import run_command
from loopwright.records.tally import Tally
from loopwright.run.runners.runner import Runner, Sabotage

GARBAGE: dict[str, bytes] = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "no JSON": b"{ half",
    "a number": b"1",
    "a text": b'"passed"',
    "null": b"null",
    "a list": b"[[]]",
    "an empty object": b"{}",
    "nested deeply": b"[" * 100_000,
    "a huge number": b'{"success": ' + b"9" * 5000 + b"}",
    "wrong types": b'{"success": true, "testResults": {"a": 1}, "exit_code": "0", "lines": "x"}',
    "wrong inside": b'{"success": true, "testResults": [1, null, "x"], "exit_code": 0, "lines": [1, null]}',
    "wrong file": b'{"success": true, "testResults": [{"name": "\\u0000", "assertionResults": [], "status": 1}]}',
    "wrong test": b'{"success": true, "testResults": [{"name": "a", "message": "", "status": "passed", '
    b'"assertionResults": [{"title": 1, "ancestorTitles": [], "status": "passed"}]}]}',
    "wrong ancestors": b'{"success": true, "testResults": [{"name": "a", "message": "", "status": "passed", '
    b'"assertionResults": [{"title": "a", "ancestorTitles": [1], "status": "passed"}]}]}',
    "wrong outcome": b'{"success": true, "testResults": [{"name": "a", "message": "", "status": "passed", '
    b'"assertionResults": [{"title": "a", "ancestorTitles": [], "status": "splendid"}]}]}',
    "a true exit code": b'{"exit_code": true, "lines": []}',
}
"""Reports that no runner writes."""


@dataclass(frozen=True)
class Ran:
    """How a run of a project's tests went."""

    exit_code: int | None
    output: str
    """As it is shown."""
    tally: Tally | None

    @property
    def told(self) -> Tally:
        assert self.tally is not None, self.output
        return self.tally

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Collected, passed, failed, skipped."""
        said = self.told.counts
        return said.collected, said.passed, said.failed, said.skipped

    @property
    def is_clean(self) -> bool:
        """Whether somebody could take it for a run in which all went well."""
        return self.tally is not None and not self.tally.trouble and not self.tally.named("failed")


@dataclass
class Trial:
    """A project in a folder, and the runner that is tried on it."""

    runner: Runner
    root: Path
    env: Mapping[str, str]
    command: Sequence[str]

    def write(self, name: str, text: str | Mapping[str, Any]) -> Path:
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text if isinstance(text, str) else json.dumps(text))
        return place

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    def run(self, *argv: str, keep: int = 200_000, **env: str) -> Ran:
        folder = Path(tempfile.mkdtemp(dir=self.root.parent))
        words = argv or tuple(self.command)
        assert self.runner.claims(words, self.root)
        equipped = self.runner.equip(words, self.root, folder)
        environment = {**self.env, **equipped.environment, **env}
        done = run_command(equipped.argv, cwd=self.root, env=environment, timeout_s=60, keep=keep)
        tally = self.runner.tally(self.root, folder, self.root)
        return Ran(done.exit_code, self.runner.shown(done.output), tally)

    def sabotaged(self, seed: int = 0, tally: Tally | None = None) -> Sabotage | None:
        return self.runner.sabotage(self.root, tally or self.run().told, random.Random(seed))

    def read_report(self, content: bytes) -> Tally | None:
        """Read a report that somebody else wrote in place of the runner, under any of the names that are used."""
        folder = Path(tempfile.mkdtemp(dir=self.root.parent))
        for name in ("report.json", "heard.json"):
            (folder / name).write_bytes(content)
        return self.runner.tally(self.root, folder, self.root)

    def assert_sabotage_is_seen(self, seed: int = 0) -> Sabotage:
        """Spoil a test, run all of them again: exactly that one fails, and the command does too."""
        before = self.run()
        assert before.is_clean, before.output
        sabotage = self.runner.sabotage(self.root, before.told, random.Random(seed))
        assert sabotage is not None
        assert not sabotage.must_fail & before.told.outcomes.keys()
        after = self.run()
        assert after.told.named("failed") == sabotage.must_fail, after.output
        assert after.exit_code != 0
        assert not after.told.trouble
        assert {after.told.files[name] for name in sabotage.must_fail} == {sabotage.file}
        return sabotage


def environment(**more: str) -> dict[str, str]:
    """What a check gets, as far as the runners need it."""
    return {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **more}
