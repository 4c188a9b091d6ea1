"""Runs to export: one of ours with attempts and checks, one that was observed, and words that mean harm."""

from __future__ import annotations

import dataclasses
from typing import Any

from loopwright.export import counting
from loopwright.export.analysis import Analysis
from loopwright.records.budget import Spent, Usage
from loopwright.records.bundle import Bundle
from loopwright.records.environment import Environment
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Acceptance, Attempt, Comment, Ending, Run, Status, Step
from loopwright.records.session import DailyUsage, Session
from loopwright.records.task import Observed
from loopwright.text.agent_habits import habits
from store.samples import full_attempt, full_check, full_comment, full_event, full_run, make_run

STARTED = 1_760_000_000.0
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "</pre></details></body><iframe src=javascript:alert(1)>",
    '" onmouseover="alert(1)',
    "<!-- --><style>*{display:none}</style>",
    "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m \x1b[38;5;200mx\x1b[48;2;1;2;3my",
    "a\u202egpj.exe\u202c\u2066b\u2069 \u200bzero\ufeff\x00\ud800\U000e0041",
    "&lt;b&gt; &#x3c;script&#x3e;",
    "javascript:alert(1) https://example.com/?<svg/onload=alert(1)>",
)


def event(kind: EventKind, text: str = "", **told: Any) -> Event:
    return Event(kind, text, **told)


def numbered(events: list[Event], attempt_id: str, step_s: float = 2.0) -> list[Event]:
    """Give events numbers, times and an attempt."""
    return [
        dataclasses.replace(item, seq=number, at=timestamp(STARTED + step_s * number), attempt_id=attempt_id)
        for number, item in enumerate(events, 1)
    ]


def used(message: str, *counts: int, parent: str | None = None) -> Event:
    told = dict(zip(("input", "output", "cache_read", "cache_write"), counts, strict=True))
    data = {"message": message, "model": "claude-opus-4-6", **told}
    return Event(EventKind.USAGE, data=data, parent_call_id=parent)


def called(tool: str, call_id: str, parent: str | None = None, **told: Any) -> Event:
    given = {name: value for name, value in told.items() if name in ("command", "path")}
    return Event(EventKind.TOOL_CALL, tool=tool, call_id=call_id, parent_call_id=parent, data={"input": given}, **told)


def returned(tool: str, call_id: str, text: str = "ok", parent: str | None = None, **told: Any) -> Event:
    return Event(EventKind.TOOL_RESULT, text, tool=tool, call_id=call_id, parent_call_id=parent, **told)


FAILED = {"is_error": True, "error_kind": "EXIT_ERROR", "fingerprint": "feed0123feed0123", "exit_code": 1}


def story() -> list[Event]:
    """Give what happens in a session: reads, an edit, a failing test run twice, a subagent, a human's no."""
    return [
        event(EventKind.PROMPT, "Fix the login"),
        event(EventKind.THINKING, "Where is it?"),
        event(EventKind.MESSAGE, "I look."),
        used("m1", 10, 20, 300, 4),
        called("Read", "c1", path="/p/login.py"),
        returned("Read", "c1", "def login(): ...", duration_s=0.5, path="/p/login.py"),
        called("Task", "c2"),
        event(EventKind.MESSAGE, "I am the helper.", parent_call_id="c2"),
        called("Grep", "s1", parent="c2"),
        returned("Grep", "s1", "login.py", parent="c2"),
        used("m2", 1, 2, 3, 4, parent="c2"),
        returned("Task", "c2", "found", duration_s=9.0),
        called("Edit", "c3", path="/p/login.py"),
        returned("Edit", "c3", path="/p/login.py"),
        called("Bash", "c4", command="pytest -q"),
        returned("Bash", "c4", "\x1b[31m1 failed\x1b[0m", command="pytest -q", **FAILED),
        called("Bash", "c5", command="pytest -q"),
        returned("Bash", "c5", "1 failed", command="pytest -q", **FAILED),
        event(EventKind.REJECTION, "no", call_id="c6"),
        event(EventKind.RETRY, "overloaded"),
        event(EventKind.RAW, '{"odd": 1}'),
        returned("Odd", "never called", "?"),
        event(EventKind.MESSAGE, "Done."),
        used("m3", 5, 6, 7, 8),
    ]


def observed(events: list[Event] | None = None, **changes: Any) -> Bundle:
    run_id, attempt_id = new_id(), new_id()
    happened = numbered(story() if events is None else events, attempt_id)
    spent = Spent(1, 0.25, Usage(16, 28, 310, 16), 46.0)
    run = Run(
        id=run_id,
        task=Observed(changes.pop("goal", "Fix the login"), task_type="bug_fix"),
        profile=Profile(agent="claude_code", model="claude-opus-4-6"),
        repository="/p",
        base="",
        branch="main",
        workspace="",
        artifacts="",
        budget=Observed("x").budget,
        started_at=timestamp(STARTED),
        status=Status.OBSERVED,
        ended_at=timestamp(STARTED + 60),
        spent=spent,
        source="claude_code",
        prompt_version="v7",
    )
    step = Step(new_id(), run_id)
    attempt = Attempt(
        attempt_id,
        run_id,
        step.id,
        1,
        run.started_at,
        ended_at=run.ended_at,
        ending=Ending.FINISHED,
        output="Done.",
        conversation="s-1",
        tokens=spent.tokens,
        environment=Environment(agent="claude_code", agent_version="2.1.0", model="claude-opus-4-6"),
    )
    session = Session(
        run_id,
        "claude_code",
        "s-1",
        "/s.jsonl",
        "/p",
        "2.1.0",
        40.5,
        *(1, 0, 1, 1, 2),
        reread={"/p/login.py": 3},
        attributes={"title": "x"},
        usage=[DailyUsage("", "odd", Usage(1)), DailyUsage("2025-10-09", "claude-opus-4-6", spent.tokens, 0.25)],
    )
    made = Bundle(run, [step], [attempt], rollups=counting.rollups(happened), session=session, events=happened)
    return dataclasses.replace(made, **changes)


def ours() -> Bundle:
    """Give a run of ours in which nothing is left at its default."""
    run = full_run()
    step = Step(new_id(), run.id, 1, run.task.goal)
    attempt = full_attempt(step)
    happened = [dataclasses.replace(full_event(), attempt_id=attempt.id)]
    acceptance = Acceptance(new_id(), run.id, timestamp(STARTED), "Ada", "it was wrong", {"tests/test_a.py": "f" * 40})
    comments: list[Comment] = [full_comment(run.id)]
    diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-<b>old</b>\n+new \u202e\n"
    rollups = counting.rollups(happened)
    return Bundle(run, [step], [attempt], [full_check(attempt)], comments, [acceptance], rollups, None, happened, diff)


def hostile() -> Bundle:
    """Give a run in which every word that somebody else wrote means harm."""
    events = [
        event(kind, words, tool=words, call_id=words, command=words, path=words, data={"input": {words: words}},
              is_error=True, error_kind="PARSED_ERROR", fingerprint="f" * 16)
        for words in HOSTILE
        for kind in EventKind
    ]  # fmt: skip
    all_words = "\n".join(HOSTILE)
    made = observed(events, goal=all_words)
    run = dataclasses.replace(made.run, detail=all_words, branch=all_words, repository=all_words, base=all_words)
    run = dataclasses.replace(run, profile=Profile(name=all_words, agent=all_words, model=all_words))
    attempt = dataclasses.replace(made.attempts[0], output=all_words, detail=all_words, files_changed=all_words)
    check = dataclasses.replace(
        full_check(attempt), run_id=run.id, attempt_id=attempt.id, evidence=all_words, criterion=all_words
    )
    attempts = [attempt, dataclasses.replace(attempt, id=new_id(), number=2)]
    comment = Comment(new_id(), run.id, run.started_at, all_words)
    diff = f"diff --git a/{HOSTILE[0]} b/{HOSTILE[0]}\n@@ -1 +1 @@\n+{HOSTILE[0]}\n-{HOSTILE[1]}\n {all_words}"
    judged = [dataclasses.replace(one, run_id=run.id) for one in evaluated(all_words, HOSTILE[0]).evaluations]
    made = dataclasses.replace(made, run=run, attempts=attempts, evaluations=judged)
    return dataclasses.replace(made, checks=[check], comments=[comment], diff=diff)


def evaluated(reason: str = "two tests fail", by: str = "nightly") -> Bundle:
    """Give a run that another program has judged."""
    made = observed()
    told = Evaluation(new_id(), made.run.id, made.run.started_at, "bug_fix", "3f2a", False, 0.25, reason, "a diff", by)
    return dataclasses.replace(made, evaluations=[told])


def analysis_of(bundle: Bundle) -> Analysis:
    return Analysis(bundle, counting.errors(bundle.events), habits(bundle.events))


__all__ = ["HOSTILE", "analysis_of", "hostile", "make_run", "observed", "ours", "story"]
