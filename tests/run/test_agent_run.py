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
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright import FileCriteria, Profile, Task
from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.measure.watch import Watch
from loopwright.ports import Account, Availability, Briefing, Launch, Outcome, Stream
from loopwright.process.lines import Lines, text
from loopwright.records.budget import Budget, Spent
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.run import Attempt, Ending, Run, Step
from loopwright.records.shape import Size
from loopwright.registry import kinds
from loopwright.run.agent_run import AgentRun
from loopwright.run.agent_stream import AgentStream
from loopwright.run.confinement import Surrounding, Unconfined
from loopwright.run.disk import Disk
from loopwright.run.looking import Looking
from loopwright.run.recorder import Recorder
from loopwright.run.surplus import FIRST, Surplus
from loopwright.settings import LimitsSettings
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody

CHAOS = bool(os.environ.get("CHAOS"))
FLOOD = 10**9 if CHAOS else 30 * 10**6
RESULT = json.dumps({"type": "result", "is_error": False, "result": "all done"})
BUDGET = Budget(timeout_s=60, idle_timeout_s=60)


@dataclass(frozen=True)
class Program:
    """A small Python program as an agent."""

    code: str
    plain: bool = True
    automatic: bool = False
    honours: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()

    def account(self) -> Account:
        return Account()

    def available(self) -> Availability:
        return Availability(installed=True)

    def launch(self, briefing: Briefing) -> Launch:
        return Launch([sys.executable, "-I", "-S", "-c", textwrap.dedent(self.code)])

    def stream(self, briefing: Briefing) -> Stream:
        return AgentStream(plain=self.plain)


@dataclass
class Trial:
    """One attempt in a run of its own."""

    store: Store
    folder: Path
    attempt_id: str = field(default_factory=new_id)

    surrounding: Surrounding = Unconfined()
    looking: Looking | None = None

    def agent_run(self, agent: Program, limits: LimitsSettings = LimitsSettings()) -> AgentRun:
        task = Task("x", [FileCriteria("a")])
        run = Run("r1", task, Profile(), "/r", "b", "branch", "/w", "/a", task.budget, "2026-01-01T00:00:00.000Z")
        self.store.add_run(run, Step("s1", "r1"))
        self.store.save_attempt(Attempt(self.attempt_id, "r1", "s1", 1, "2026-01-01T00:00:00.000Z"))
        self.recorder = Recorder(self.store, run, Nobody(), self.looking)
        briefing = Briefing("", self.folder / "prompt.md", self.folder, 1)
        raw, never = self.folder / "raw", threading.Event()
        return AgentRun(agent, briefing, self.recorder, raw, never, limits, Disk(), self.surrounding)

    def go(
        self, agent: Program, limits: LimitsSettings = LimitsSettings(), budget: Budget = BUDGET
    ) -> tuple[Ending, Outcome, str, AgentRun]:
        work = self.agent_run(agent, limits)
        with work.start(self.attempt_id, self.folder):
            ending, outcome, detail = work.follow(budget, Spent(), lambda _: None)
        self.recorder.flush()
        return ending, outcome, detail, work

    def raw_size(self) -> int:
        """Count the bytes that were kept; not with gzip.decompress, which copies the rest for each block."""
        with gzip.open(self.folder / "raw" / "001.stdout.gz") as file:
            return sum(map(len, iter(lambda: file.read(1 << 20), b"")))

    def events(self, kind: EventKind) -> list[Event]:
        return [event for event in self.store.events("r1") if event.kind is kind]


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield Trial(store, tmp_path)


def flood(block: bytes, last: str) -> str:
    """Give a program that prints FLOOD bytes of a block, and then a last line."""
    return f"""
        import os
        block = {block!r} * 650
        left = {FLOOD}
        while left > 0:
            left -= os.write(1, block[:left])
        os.write(1, {last!r}.encode())
    """


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (b"", True),
        (b"a plain line, with a word or two in it", True),
        (b'{"type": "strange", "words": "of a protocol that nobody knows"}', False),
    ],
    ids=["one line", "plain lines", "unknown lines"],
)
def test_a_flood(trial: Trial, line: bytes, plain: bool) -> None:
    """Endless output takes little time, memory and room; what was left out is told, and the last word is heard."""
    block = line.ljust(99) + b"\n" if line else b"x" * 100
    began, limits = time.monotonic(), LimitsSettings(output=Size(FLOOD // 2))
    ending, outcome, _, work = trial.go(Program(flood(block, f"\n{RESULT}\n"), plain), limits)
    seconds, memory = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1000
    assert seconds < 15
    assert memory < 150_000_000 or not CHAOS  # other tests of the same process may have used more
    assert (ending, outcome.output) == (Ending.FINISHED, "all done")
    lines = FLOOD // 100 - len(trial.events(EventKind.MESSAGE if plain else EventKind.RAW)) if line else 0
    [note] = trial.events(EventKind.NOTE)
    size = lines * 100 if line else FLOOD - 4_000_000
    assert note.data == {"lines": lines, "bytes": size, "raw_bytes": FLOOD + len(RESULT) + 2 - FLOOD // 2}
    assert f"{lines:,} lines" in note.text
    assert trial.raw_size() == FLOOD // 2
    assert work.unknown_lines == (0 if plain else FLOOD // 100)


def test_a_flood_of_complaints(trial: Trial) -> None:
    """Of what is printed to stderr without end, the first and the last lines are events, and the end tells why."""
    code = """
        import os, sys
        for _ in range(3000):
            os.write(2, b"complaint\\n" * 100)
        sys.exit("the last complaint")
    """
    ending, _, detail, _ = trial.go(Program(code))
    heard = [event.text for event in trial.events(EventKind.STDERR)]
    [note] = trial.events(EventKind.NOTE)
    assert (ending, detail, heard[-1]) == (Ending.ERROR, "exit code 1: the last complaint", "the last complaint")
    assert FIRST < len(heard) == 300_001 - note.data["lines"]


def test_the_last_plain_words_are_heard_after_a_flood(trial: Trial) -> None:
    """However much a plain agent has said before, its last words are its output."""
    code = "print('word\\n' * 100_000); print('IMPOSSIBLE: the tests contradict each other')"
    _, outcome, _, _ = trial.go(Program(code))
    assert outcome.impossible == "the tests contradict each other"


def test_it_runs_when_it_is_followed(trial: Trial) -> None:
    """Between its start and the first look at it an agent has not run: who starts it can write it down."""
    agent = Program("open('begun', 'w').close()")
    work = trial.agent_run(agent)
    with work.start(trial.attempt_id, trial.folder) as pid:
        assert Path(f"/proc/{pid}").exists()
        time.sleep(0.3)
        assert not (trial.folder / "begun").exists()
        work.follow(BUDGET, Spent(), lambda _: None)
    assert (trial.folder / "begun").exists()


LINGERS = "import time; print({!r}, flush=True); time.sleep(60)"


def test_alive_after_its_result(trial: Trial) -> None:
    """An agent that stays after its final result is ended after a while, and has finished; a later word counts anew."""
    message = json.dumps({"type": "assistant", "message": {"content": "I go on"}})
    goes_on = f"import time; print({RESULT!r}, flush=True); time.sleep(0.4); print({message!r}, flush=True);"
    code = f"{goes_on} time.sleep(0.4); print({RESULT!r}, flush=True); time.sleep(60)"
    began = time.monotonic()
    ending, outcome, detail, work = trial.go(Program(code, plain=False), LimitsSettings(after_result_s=0.6))
    assert (ending, outcome.ending, outcome.output, detail) == (Ending.FINISHED, Ending.FINISHED, "all done", "")
    assert (work.end.exit_code, work.end.cause) == (None, "result")
    assert 1.4 <= time.monotonic() - began < 5


def test_a_bad_result_stays_bad(trial: Trial) -> None:
    """One that stays after it has called itself failed has failed."""
    bad = RESULT.replace("false", "true")
    ending, _, detail, _ = trial.go(Program(LINGERS.format(bad), plain=False), LimitsSettings(after_result_s=0.2))
    assert (ending, detail) == (Ending.ERROR, "all done")


CIRCLES = """
    import json, time
    def say(kind, block):
        print(json.dumps({"type": kind, "message": {"content": [block]}}), flush=True)
        time.sleep(0.05)
    for number in range(200):
        say("assistant", {"type": "tool_use", "id": str(number), "name": "Bash", "input": {"command": "make"}})
        words = "Exit code 2 make: *** No rule to make target"
        say("user", {"type": "tool_result", "tool_use_id": str(number), "content": words, "is_error": True})
"""


def test_it_goes_in_circles(trial: Trial) -> None:
    """An agent that fails at the same again and again is ended where that is asked for, and it is said at what."""
    trial.looking = Looking(Watch("r1", {"error_loop": ErrorLoop()}), end_error_loops=True)
    ending, _, detail, work = trial.go(Program(CIRCLES, plain=False))
    assert (ending, work.end.cause) == (Ending.LOOP, "stopped")
    assert detail.startswith(
        "it went in circles and was ended: Bash failed 6 times in a row with the same error: `make`"
    )
    assert len(trial.events(EventKind.TOOL_RESULT)) < 50
    [signal] = trial.store.measured.signals(["r1"])
    assert signal.severity == "high"


STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
DAEMON = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()
"""
KILLS_ITS_SHIM = """
    import os, signal, time
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
"""
BOMB = "import os, time\nfor _ in range(9): os.fork(); time.sleep(0.02)\ntime.sleep(60)"
HOG = "held = [b'x' * 200_000_000]\nimport time; time.sleep(60)"
BIG = "import os, signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); open('big', 'wb').write(bytes(2_000_000))"


@pytest.mark.parametrize(
    ("code", "ending", "detail"),
    [
        (STUBBORN, Ending.IDLE, "it said nothing for too long and was ended"),
        (DAEMON, Ending.FINISHED, ""),
        (KILLS_ITS_SHIM, Ending.ERROR, "exit code 137"),
        (BOMB, Ending.ERROR, "it had more than 100 processes at a time and was ended"),
        (HOG, Ending.ERROR, "it used more than 150 MB of memory and was ended"),
        (BIG, Ending.ERROR, "it wrote more than 1 MB to a file and was ended"),
    ],
    ids=["silent and stubborn", "daemon", "kills its shim", "fork bomb", "memory", "big file"],
)
def test_nothing_is_left(trial: Trial, code: str, ending: Ending, detail: str) -> None:
    """However an agent behaves, it ends, the attempt says how, and no process with its variable is left."""
    memory = 150_000_000 if code is HOG else 4_000_000_000  # a hundred processes have some as well
    limits = LimitsSettings(Size(memory), 100, Size(1_000_000))
    found, _, words, _ = trial.go(Program(code), limits, replace(BUDGET, idle_timeout_s=1.0))
    assert (found, words) == (ending, detail)
    assert carriers(f"LOOPWRIGHT_ATTEMPT={trial.attempt_id}") == []


def test_silence_that_the_server_asked_for_is_no_idleness(trial: Trial) -> None:
    """Who was told by the model's server to wait, and does so in silence, is ended as one without a model."""
    told = {"type": "system", "subtype": "api_retry", "error_status": 429, "error": "rate_limit"}
    code = f"import time; print({json.dumps(told)!r}, flush=True); time.sleep(60)"
    found, _, words, _ = trial.go(Program(code, plain=False), budget=replace(BUDGET, idle_timeout_s=1.0))
    assert found is Ending.UNAVAILABLE
    assert "rate_limit" in words


def carriers(entry: str) -> list[str]:
    """Find the processes that have an entry in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if entry.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
    return found


@settings(max_examples=5000 if CHAOS else 300, deadline=None)
@given(st.data(), st.booleans())
def test_any_bytes(data: st.DataObject, plain: bool) -> None:
    """Whatever comes, in whatever chunks, nothing raises, and every byte is in a line, cut, or left out and counted."""
    words = [b"\n", b"\r\n", b"\0", b"\xff", b"\xe2\x82", RESULT.encode(), RESULT.encode()[:30], b'{"type": "user"']
    words += [b'{"type": "assistant", "message": {"content": [{"type": "tool_use"}]}}', b"{" * 30, b'"\\ud800"']
    whole = b"".join(data.draw(st.lists(st.one_of(st.sampled_from(words), st.binary()))))
    stream, lines, surplus = AgentStream(plain=plain), Lines(limit=60), Surplus(first=3, last_size=20)
    given_lines: list[bytes] = []
    size, rest = len(whole), whole
    while rest:
        chunk, rest = rest[: (at := data.draw(st.integers(1, 80)))], rest[at:]
        given_lines += surplus.sift(lines.feed(chunk), stream.knows)
    unended = lines.rest()
    given_lines += surplus.sift(unended, stream.knows) + surplus.last()
    for line in given_lines:
        list(stream.feed(text(line)))
    stream.outcome(0, "")
    assert sum(len(line) + 1 for line in given_lines) + surplus.size + lines.cut - len(unended) == size


class Closed(Unconfined):
    """Surroundings that did not let it out."""

    def denials(self) -> list[str]:
        return ["it tried to reach a.example:443: denied, it is not in [run] hosts"]


TUNNEL = "API Error: Couldn't connect through your proxy (ERR_PROXY_TUNNEL)"


@pytest.mark.parametrize(
    ("words", "surrounding", "expected"),
    [
        (TUNNEL, Unconfined(), Ending.UNAVAILABLE),
        (TUNNEL, Closed(), Ending.ERROR),
        ("API Error: 429 rate_limit_error", Closed(), Ending.UNAVAILABLE),
    ],
)
def test_what_we_deny_is_not_waited_for(trial: Trial, words: str, surrounding: Surrounding, expected: Ending) -> None:
    """A way that is closed by us is no outage, and the end says whom it could not reach; a busy server is one."""
    trial.surrounding = surrounding
    result = json.dumps({"type": "result", "is_error": True, "result": words})
    ending, _, detail, _ = trial.go(Program(f"print({result!r}); raise SystemExit(1)", plain=False))
    assert ending is expected
    assert ("a.example:443: denied" in detail) is (expected is Ending.ERROR)
