"""Records to put into a store: small ones, and ones with nothing left at its default."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from loopwright.errors import UnknownName
from loopwright.records.budget import Budget, Spent, Usage
from loopwright.records.check import Check, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile, RoleProfile
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Attempt, Comment, Ending, Reason, Run, Status, Step
from loopwright.records.tally import Counts
from loopwright.records.task import Task

AT = "2026-01-02T03:04:05.678Z"


@dataclass(frozen=True)
class Says(Criterion):
    kind: ClassVar[str] = "says"
    primary: ClassVar[str] = "word"
    word: str = ""


@dataclass(frozen=True)
class Every(Criterion):
    kind: ClassVar[str] = "every"
    primary: ClassVar[str] = "members"
    members: Sequence[Criterion] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(self.members))


def kinds(name: str) -> type[Criterion]:
    known = {cls.kind: cls for cls in (Says, Every)}
    if name not in known:
        raise UnknownName("criterion", name, known)
    return known[name]


def make_run(**changes: Any) -> Run:
    run_id = changes.pop("id", None) or new_id()
    given: dict[str, Any] = {
        "task": Task(goal=changes.pop("goal", "Fix the login"), criteria=[Says("ok")]),
        "profile": Profile(),
        "repository": "/repository",
        "base": "0" * 40,
        "branch": f"loopwright/{run_id}",
        "workspace": "/workspace",
        "artifacts": "/artifacts",
        "budget": Budget(),
        "started_at": AT,
    }
    return Run(id=run_id, **(given | changes))


def make_step(run: Run) -> Step:
    return Step(new_id(), run.id)


def make_attempt(step: Step, number: int = 1, **changes: Any) -> Attempt:
    return Attempt(new_id(), step.run_id, step.id, number, **({"started_at": AT} | changes))


def make_check(run_id: str, iteration: int = 0, verdict: Verdict = Verdict.PASS, **changes: Any) -> Check:
    given: dict[str, Any] = {
        "attempt_id": None,
        "criterion": "says ok",
        "kind": "says",
        "held_out": False,
        "self_graded": False,
        "flaky": False,
        "accounting": None,
        "evidence": "it does",
        "criterion_hash": "c" * 64,
        "tree_hash": "t" * 40,
        "command": None,
        "exit_code": None,
        "output_hash": None,
        "duration_s": 0.5,
    }
    return Check(id=new_id(), run_id=run_id, iteration=iteration, verdict=verdict, **(given | changes))


def numbered(*events: Event, first: int = 1) -> list[Event]:
    """Give events numbers and times, as the recorder does."""
    return [dataclasses.replace(event, seq=seq, at=AT) for seq, event in enumerate(events, first)]


def messages(count: int, first: int = 1) -> list[Event]:
    return numbered(*(Event(EventKind.MESSAGE, f"message {number}") for number in range(count)), first=first)


ENVIRONMENT = Environment(
    platform="Linux 6.1",
    interpreter="python 3.12.1",
    lock_hash="ab12",
    agent="claude_code",
    agent_version="2.1.0",
    model="some-model-4",
    profile="careful",
    profile_hash="cd34",
    confined=True,
)


def full_run() -> Run:
    task = Task(
        goal="Répare le « login » 🔑",
        criteria=[Says("ok"), Every([Says("a"), Every([Says("b", held_out=True)])], held_out=True)],
        task_type="bug_fix",
        base="v1.2",
        max_iterations=3,
        max_cost=1.25,
        max_tokens=1000,
        timeout_s=60.5,
        idle_timeout_s=5.5,
        escalate_on_failure=False,
        revert_when="npx tsc --noEmit",
        protect=("ci/**", "tests/*"),
        allow=("tests/new_*.py",),
        sandbox="required",
        hosts=("example.test:8443",),
        critic="gate",
    )
    return Run(
        id=new_id(),
        task=task,
        profile=Profile(
            *("careful", "command", "some-model", "Read first.", 0.5, 20, "restricted", "resume"),
            *("full_files", "plan_then_execute", "self", {"command": ["a", {"b": 1.5}], "x": None}),
            *("Plan it.", "Look at it.", {"prompt worker/docs": 3}, "t1", "c1"),
            RoleProfile("codex", "m-plan", 0.25, 3, "restricted", {"a": 1}),
            RoleProfile("api", "m-look", 0.75, 4, "all", {"b": 2}),
            said=("review", "tools"),
            library=("read-once@1",),
        ),
        repository="/home/me/répo",
        base="1" * 40,
        branch="loopwright/x",
        workspace="/cache/x",
        artifacts="/home/me/x",
        budget=Budget(9, 2.5, 5000, 90.0, 7.0),
        started_at=AT,
        status=Status.ESCALATED,
        reason=Reason.STALLED,
        detail="nothing moves",
        ended_at="2026-01-02T04:00:00.000Z",
        commit="2" * 40,
        spent=Spent(2, 0.75, Usage(1, 2, 3, 4), 12.5),
        closed_at="2026-01-03T00:00:00.000Z",
        prompt_version="v3",
        closed_reason="done by hand",
    )


def full_attempt(step: Step) -> Attempt:
    return Attempt(
        id=new_id(),
        run_id=step.run_id,
        step_id=step.id,
        number=2,
        started_at=AT,
        process="4242:7:here",
        masked=2,
        conversation="c-1",
        role="reviewer",
        ended_at="2026-01-02T03:05:00.000Z",
        ending=Ending.IDLE,
        exit_code=-9,
        detail="silent for 600 s",
        output="I think that…",
        cost_usd=0.125,
        tokens=Usage(10, 20, 2**40, 40),
        duration_s=54.25,
        commit="3" * 40,
        tree="4" * 40,
        files_changed="2 files changed",
        unknown_lines=7,
        environment=ENVIRONMENT,
    )


def full_check(attempt: Attempt) -> Check:
    return Check(
        id=new_id(),
        run_id=attempt.run_id,
        attempt_id=attempt.id,
        proof=Proof(
            place="same-path",
            judged_tree="d" * 40,
            new_tests_tree="e" * 40,
            tests=Counts(5, 3, 1, 1),
            base_tests=Counts(4, 2, 1, 1),
            tampering=(Tampering("tests/test_a.py", "changed", "f" * 40),),
            left_out=("conftest.py",),
            sabotage="`test_a` was made to fail, and was seen to",
        ),
        iteration=2,
        criterion="test pytest -q",
        kind="test",
        verdict=Verdict.TAINTED,
        held_out=True,
        self_graded=True,
        flaky=True,
        accounting="report",
        evidence="2 failed: ✗",
        criterion_hash="5" * 64,
        tree_hash="6" * 40,
        command="pytest -q",
        exit_code=1,
        output_hash="7" * 64,
        duration_s=1.5,
        advisory=True,
        environment=ENVIRONMENT,
    )


def full_event() -> Event:
    return Event(
        kind=EventKind.TOOL_RESULT,
        text="boom",
        tool="Bash",
        call_id="call_2",
        parent_call_id="call_1",
        command="make",
        exit_code=3221225477,
        path="src/x.py",
        is_error=True,
        error_kind="EXIT_ERROR",
        fingerprint="feed",
        duration_s=0.25,
        data={"nested": {"list": [1, 2.5, None, True, "é\0\ud800"]}},
        attempt_id=new_id(),
        seq=7,
        at=AT,
    )


def full_comment(run_id: str) -> Comment:
    return Comment(new_id(), run_id, AT, "Use the other table\nplease ✓")
