"""One go of a real process as an agent, recorded in a real store: its limits, its end, and floods of output."""

from __future__ import annotations

import gzip
import json
import os
import resource
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopwright import FileCriteria, Profile, Task
from loopwright.ports import Availability, Briefing, Launch, Outcome, Stream
from loopwright.records.budget import Budget, Spent
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Attempt, Ending, Run, Step
from loopwright.records.shape import Size
from loopwright.registry import kinds
from loopwright.run.agent_run import AgentRun
from loopwright.run.agent_stream import AgentStream
from loopwright.run.recorder import Recorder
from loopwright.settings import LimitsSettings
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody

FLOOD = 10**9 if os.environ.get("CHAOS") else 60 * 10**6
RESULT = json.dumps({"type": "result", "is_error": False, "result": "all done"})
BUDGET = Budget(timeout_s=60, idle_timeout_s=60)


@dataclass(frozen=True)
class Program:
    """A small Python program as an agent."""

    code: str
    plain: bool = True
    automatic: bool = False

    def available(self) -> Availability:
        return Availability(installed=True)

    def launch(self, briefing: Briefing) -> Launch:
        return Launch([sys.executable, "-I", "-S", "-c", textwrap.dedent(self.code)])

    def stream(self) -> Stream:
        return AgentStream(plain=self.plain)


@dataclass
class Trial:
    """One attempt in a run of its own."""

    store: Store
    folder: Path
    pid: int = 0

    def go(self, agent: Program, limits: LimitsSettings = LimitsSettings()) -> tuple[Ending, Outcome, str, AgentRun]:
        task = Task("x", [FileCriteria("a")])
        run = Run("r1", task, Profile(), "/r", "b", "branch", "/w", "/a", task.budget, "2026-01-01T00:00:00.000Z")
        self.store.add_run(run, Step("s1", "r1"))
        self.store.save_attempt(Attempt("a1", "r1", "s1", 1, "2026-01-01T00:00:00.000Z"))
        recorder = Recorder(self.store, run, Nobody())
        briefing = Briefing("", self.folder / "prompt.md", self.folder, 1)
        work = AgentRun(agent, briefing, recorder, self.folder / "raw", threading.Event(), limits)
        with work.start("a1", self.folder) as self.pid:
            ending, outcome, detail = work.follow(BUDGET, Spent(), lambda _: None)
        recorder.flush()
        return ending, outcome, detail, work

    def raw(self) -> bytes:
        return gzip.decompress((self.folder / "raw" / "001.stdout.gz").read_bytes())

    def events(self, kind: EventKind) -> list[Event]:
        return [event for event in self.store.events("r1") if event.kind is kind]


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield Trial(store, tmp_path)


def flood(block: str, last: str = "") -> str:
    """Give a program that prints FLOOD bytes of a block, and then a last line."""
    return f"""
        import os
        block = {block}
        left = {FLOOD}
        while left > 0:
            left -= os.write(1, block[:left])
        os.write(1, {last!r}.encode())
    """


@pytest.mark.parametrize(
    ("block", "plain"),
    [
        ("b'x' * 65536", True),
        ("(b'a plain line, with a word or two in it'.ljust(99) + b'\\n') * 650", True),
        ('(b\'{"type": "strange", "words": "of a protocol that nobody knows"}\'.ljust(99) + b\'\\n\') * 650', False),
    ],
    ids=["one line", "plain lines", "unknown lines"],
)
def test_a_flood(trial: Trial, block: str, plain: bool) -> None:
    """Endless output takes little time, memory and room; what was left out is told, and the last word is heard."""
    agent = Program(flood(block, f"\n{RESULT}\n"), plain)
    began, limits = time.monotonic(), LimitsSettings(output=Size(FLOOD // 2))
    ending, outcome, _, work = trial.go(agent, limits)
    seconds, memory = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{seconds:.1f} s, {memory / 1000:.0f} MB, store {sum(f.stat().st_size for f in trial.folder.glob('store*')) / 1e6:.1f} MB, raw {sum(f.stat().st_size for f in (trial.folder / 'raw').iterdir()) / 1e6:.1f} MB"
    )
    assert (ending, outcome.output) == (Ending.FINISHED, "all done")
    [note] = trial.events(EventKind.NOTE)
    print(note.text, note.data)
    total = FLOOD + len(RESULT) + 2
    assert note.data["raw_bytes"] == total - FLOOD // 2
    assert len(trial.raw()) == FLOOD // 2
    assert work.unknown_lines == (0 if plain else FLOOD // 100)
