"""What rules read of sessions, from their tables."""

from __future__ import annotations

import dataclasses

from loopwright.records.event import Event, EventKind
from loopwright.records.practice import Failing, Practice
from loopwright.records.profile import Profile
from loopwright.records.session import Observation
from loopwright.records.window import Command, Erred, Offered, Request, Used
from loopwright.store import Store

from .samples import make_run, make_step, numbered
from .test_sessions import observation

CALL, RESULT, PROMPT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.PROMPT


def ran(store: Store, *events: Event, **profile: str) -> str:
    run = make_run(profile=Profile(**profile))  # type: ignore[arg-type]
    store.add_run(run, make_step(run))
    store.append_events(run.id, numbered(*events))
    return run.id


def said(name: str, *events: Event, prompts: int) -> Observation:
    one = observation(name)
    session = dataclasses.replace(one.session, prompts=prompts)
    return dataclasses.replace(one, session=session, events=numbered(*events))


def test_tools_and_errors_by_session(store: Store) -> None:
    """Calls, failures and time of each tool, and errors that are alike, of the sessions that are asked for alone."""
    calls = [Event(CALL, tool="Fetch", call_id="1"), Event(RESULT, call_id="1", is_error=True, duration_s=2.5)]
    one, other = ran(store, *calls, *calls), ran(store, *calls)
    store.measured.save([], Practice(one, [Failing("f00d", "Fetch", 2, "no route")]), "d")
    assert store.windows.used([one]) == [Used(one, "Fetch", 2, 2, 5.0)]
    assert {use.run_id for use in store.windows.used([one, other])} == {one, other}
    assert store.windows.errors([one, other]) == [Erred(one, "f00d", "Fetch", 2, "no route")]
    assert store.windows.used([]) == store.windows.errors([]) == []


def test_what_an_agent_says_it_has(store: Store) -> None:
    """Names of tools, from among the first events; what is no list of names is nothing."""
    one = ran(store, Event(EventKind.SYSTEM, data={"tools": ["Read", 3, "Bash"]}))
    other = ran(store, Event(EventKind.SYSTEM, data={"tools": "Read"}), Event(EventKind.SYSTEM))
    assert store.windows.offered([one, other]) == [Offered(one, "Fix the login", ("Read", "Bash"))]


def test_commands_and_what_calls_touch(store: Store) -> None:
    """Commands are cut; of a call its path is given, or its command."""
    one = ran(store, Event(CALL, command="x" * 9000), Event(CALL, path="a.py"), Event(CALL), Event(RESULT, command="y"))
    assert store.windows.commands([one]) == [Command(one, "x" * 2000)]
    assert store.windows.touched([one]) == [(one, "x" * 2000), (one, "a.py"), (one, "")]


def test_what_humans_say(store: Store) -> None:
    """Of sessions in which they do so more than once; not what a subagent is told, nor who is told all the time."""
    words = [Event(PROMPT, "first"), Event(PROMPT, "inner", parent_call_id="c"), Event(PROMPT, "second")]
    talk = said("a", *words, prompts=2)
    once, machine = said("b", words[0], prompts=1), said("c", words[0], prompts=9000)
    store.observed.save_observations([talk, once, machine])
    ids = [one.run.id for one in (talk, once, machine)]
    assert store.windows.requests(ids) == [Request(ids[0], 1, "first"), Request(ids[0], 3, "second")]


def test_runs_whose_prompt_brings_files_along(store: Store) -> None:
    """Only those of ours whose profile says so."""
    one, other = ran(store, context="full_files"), ran(store)
    assert store.windows.contexts([one, other]) == [(one, "/artifacts")]
