"""Codex's rollouts become events: each call and each token once, and nothing makes the reader fail."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.codex import (
    SESSION,
    call,
    exited,
    item,
    line,
    meta,
    news,
    of_kind,
    output,
    said,
    spent,
    texts,
    tokens,
    turn,
    usage,
    write,
)
from ingest.mutating import MANY, mutated_file
from ingest.transcripts import real_sessions
from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.formats.codex import Codex
from loopwright.ingest.once import counted_once
from loopwright.ingest.ports import Reading
from loopwright.ingest.report import report_of
from loopwright.ingest.scan import Scan
from loopwright.records.event import Event, EventKind
from loopwright.store.store import Store

GOLDEN = Path(__file__).parents[2] / "golden" / "codex_rollouts"
SUBAGENT = "01a1e2cc-7bb2-7d93-88ef-eeb6f610544e"
WHOLE = [
    *(meta(), turn(), said("user", "Fix it"), news("user_message", message="Fix it"), call("call_" + "1" * 20, "make")),
    *(output("call_" + "1" * 20, exited(2, "no")), said("assistant", "Done."), spent(usage(100, 10, 40))),
]


def read(*paths: Path) -> tuple[list[Event], Reading]:
    reading = Codex().read(SESSION, paths)
    return list(reading.events()), reading


def scanned(store: Store, folder: Path) -> list[str]:
    """Bring what is below a folder into the store."""
    return Scan(store.observed, {"codex": Codex()}, Masker({})).scan(list(find_files([folder]))).runs


def test_its_places_are_known(tmp_path: Path) -> None:
    """Rollouts are below its home, which can be named; archived ones are beside them."""
    assert Codex().places(tmp_path, {}) == [tmp_path / ".codex" / name for name in ("sessions", "archived_sessions")]
    assert Codex().places(tmp_path, {"CODEX_HOME": "/c"})[0] == Path("/c/sessions")


def test_what_the_real_codex_wrote_is_read() -> None:
    """Each call of a session of two processes has its result, and all tokens that the model's server gave are there."""
    events, reading = read(GOLDEN / "main.jsonl")
    results = {event.call_id: event for event in of_kind(events, EventKind.TOOL_RESULT)}
    calls = of_kind(events, EventKind.TOOL_CALL)
    assert [event.command or event.path or event.tool for event in calls] == [
        *("cat answer", "exit 3", "answer", "nothing", "update_plan", "no_such_tool", "grep -c 42 answer"),
    ]
    assert [results[event.call_id].is_error for event in calls] == [False, True, False, True, True, True, False]
    assert (results["call_1_3"].exit_code, results["call_1_2"].exit_code) == (3, 0)
    assert tokens(events) == [896, 168, 364]
    assert texts(events, EventKind.PROMPT) == ["Make the answer 42.", "Is it still 42?"]
    assert texts(events, EventKind.MESSAGE) == ["I will look at the file.", "It is 42 now.", "Still 42."]
    assert not of_kind(events, EventKind.RAW)
    assert (reading.about.agent_version, reading.about.model) == ("0.166.0", "gpt-5.5")


def test_a_real_fork_adds_only_what_is_its_own() -> None:
    """Its file says from which session it goes on, and has none of its lines."""
    events, reading = read(GOLDEN / "fork.jsonl")
    assert tokens(events) == [221, 43, 89]
    assert texts(events, EventKind.PROMPT) == ["Go another way."]
    assert reading.about.attributes["forked_from_id"] not in reading.about.heads


def test_a_real_subagent_belongs_to_the_call_that_started_it() -> None:
    """Its file is part of the session of who started it; its words are no prompts, its end is no interrupt."""
    paths = [GOLDEN / "subagent.jsonl", GOLDEN / "parent.jsonl"]
    assert len({name for path in paths for name in Codex().sessions(path)}) == 1
    events, reading = read(*paths)
    spawn = next(event for event in of_kind(events, EventKind.TOOL_CALL) if event.tool == "multi_agent_v1.spawn_agent")
    assert {event.parent_call_id for event in events} == {None, spawn.call_id}
    assert sum(event.parent_call_id == spawn.call_id for event in events) == 4
    assert not of_kind(events, EventKind.INTERRUPT)
    assert texts(events, EventKind.PROMPT) == [reading.about.goal] == ["Use a subagent."]
    assert [event.at for event in events] == sorted(event.at for event in events)


def test_a_real_subagent_that_has_copied_the_conversation_tells_only_its_own() -> None:
    """Calls and tokens are those that there were, the prompt is the user's, and each is with who did it."""
    for paths in ([GOLDEN / "team.jsonl", GOLDEN / "member.jsonl"], [GOLDEN / "member.jsonl", GOLDEN / "team.jsonl"]):
        events, _ = read(*paths)
        assert tokens(events) == [605, 115, 245]
        calls = [(event.command, event.parent_call_id) for event in of_kind(events, EventKind.TOOL_CALL)]
        assert calls == [(None, None), ("sleep 1; echo a", None), ("sleep 1; echo b", "call_1_0")]
        assert [(event.text, event.parent_call_id) for event in of_kind(events, EventKind.PROMPT)] == [
            ("Use agents.", None)
        ]
        assert not of_kind(events, EventKind.RAW)


def test_a_copy_of_the_file_adds_nothing(tmp_path: Path) -> None:
    """A session that is archived and still among the others is one session."""
    one, two = write(tmp_path / "a.jsonl", *WHOLE, b"{cut"), write(tmp_path / "b.jsonl", *WHOLE, b"{cut")
    assert [event.kind for event in read(one, two)[0]] == [event.kind for event in read(one)[0]]


def test_a_history_that_was_copied_counts_once(store: Store, tmp_path: Path) -> None:
    """A fork begins with the lines of the other session at the time of the fork: only what is new is added."""
    child = meta("019ed936-c4f5-7a21-ad41-d1eed95dc4df", forked_from_id=SESSION)
    copied = [{**one, "timestamp": child["timestamp"]} for one in WHOLE]
    more = [said("user", "Again"), call("call_" + "2" * 20, "ls"), spent(usage(150, 15, 40), usage(50, 5))]
    write(tmp_path / "parent.jsonl", *WHOLE)
    write(tmp_path / "child.jsonl", child, *copied, *more)
    runs = scanned(store, tmp_path)
    assert len(runs) == 2
    totals = report_of(counted_once(store.observed.summaries(runs))).totals
    assert (totals.tool_calls, totals.prompts) == (2, 2)
    assert (totals.input_tokens, totals.output_tokens) == (110, 15)


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """Lines that are cut, of unknown kinds or no JSON at all are in the record as they were."""
    wrong = [b"{", b"[1]", b"\xff\xfe{}", b'{"type":"event_msg","payload":{"type":"hologram"}}', b'"x"']
    events, _ = read(write(tmp_path / "a.jsonl", meta(), *wrong))
    assert [event.kind for event in events] == [EventKind.RAW] * 5


def test_bad_text_costs_only_itself(tmp_path: Path) -> None:
    """Bad UTF-8 and half of a surrogate pair are replaced."""
    raw = b'{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}'
    events, _ = read(write(tmp_path / "a.jsonl", meta(), raw % b"a\xff", raw % rb"b \ud800"))
    assert texts(events, EventKind.MESSAGE) == ["a\ufffd", "b \ufffd"]


def test_a_file_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    """Its name does not matter; other JSON is not taken for it."""
    old = {"id": SESSION, "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None}
    known: list[Any] = [meta(), turn(), call("c", "ls"), spent(usage(1, 1)), old]
    assert all(Codex().recognises(json.dumps(one).encode()) for one in known)
    long = json.dumps(meta(base_instructions={"text": "x" * 100_000}), separators=(",", ":")).encode()[:65_536]
    assert Codex().recognises(long)
    others: list[Any] = [
        *({"type": "thread.started", "thread_id": "x"}, {"type": "session.start", "data": {}}, [1], {"id": 1}),
        *({"type": "user", "message": {}}, {"session_id": "x", "ts": 1, "text": "history"}, {"type": {}}),
    ]
    assert not any(Codex().recognises(json.dumps(one).encode()) for one in others)


def test_a_session_has_its_name_from_its_first_line(tmp_path: Path) -> None:
    """The session of a subagent is that of its parent; without a line that says so, the file's name counts."""
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "p" * 20}}}
    cases = [
        ([meta()], SESSION),
        ([line("session_meta", id="s", source=spawned)], "p" * 20),
        ([turn()], "a"),
        ([], "a"),
    ]
    for lines, name in cases:
        assert list(Codex().sessions(write(tmp_path / "a.jsonl", *lines))) == [name]


def test_the_first_rollouts_were_one_document(tmp_path: Path) -> None:
    """What the first Codex wrote is read as well."""
    items = [said("user", "Fix it")["payload"], {"type": "hologram"}]
    session = {"id": SESSION, "timestamp": "2025-04-20T10:00:00.000Z", "instructions": ""}
    path = tmp_path / "rollout.json"
    path.write_text(json.dumps({"session": session, "items": items}, indent=2))
    assert Codex().recognises(path.read_bytes())
    assert list(Codex().sessions(path)) == [SESSION]
    assert [event.kind for event in read(path)[0]] == [EventKind.PROMPT, EventKind.RAW]


def test_a_second_scan_reads_nothing_again(store: Store, tmp_path: Path) -> None:
    """The rollouts of the real Codex come into the store: a session with its subagent is one run."""
    shutil.copytree(GOLDEN, tmp_path / "sessions")
    first, second = scanned(store, tmp_path), scanned(store, tmp_path)
    assert sorted(first) == sorted(second)
    assert len(first) == 4


KINDS = [
    *WHOLE,
    item("custom_tool_call", name="apply_patch", call_id="p", input="*** Update File: a"),
    item("local_shell_call", call_id="l", action={"command": ["ls"]}),
    item("web_search_call", action={"type": "search", "query": "x"}),
    item("tool_search_output", call_id="t", tools=[{}]),
    news("mcp_tool_call_end", call_id="m", invocation={"server": "s", "tool": "t"}, result={"Ok": {"isError": True}}),
    news("patch_apply_end", call_id="p", success=False, changes={"a": {}}),
    news("item_completed", item={"type": "CommandExecution", "id": "x", "command": ["ls"], "duration": {"secs": 1}}),
    news("turn_aborted", reason="interrupted"),
    line("token_usage_record", usage=usage(1, 1), thread_token_usage=usage(1, 1)),
    line("session_meta", id="s", source={"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}),
    output("c", '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}'),
    output("c", [{"type": "input_text", "text": "x"}]),
]


@settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nothing_makes_it_fail(tmp_path: Path, data: st.DataObject) -> None:
    """Lines with anything in any place, cut anywhere, give events and no error; two files as well as one."""
    one, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_bytes(mutated_file(KINDS, data))
    two.write_bytes(mutated_file(KINDS, data))
    assert all(isinstance(event, Event) for event in [*read(one)[0], *read(one, two)[0]])
    assert len(list(Codex().sessions(one))) == 1
    Codex().recognises(one.read_bytes())


@pytest.mark.parametrize("path", real_sessions("codex"), ids=lambda path: path.stem)
def test_real_sessions_are_counted_right(path: Path) -> None:
    """Calls, failed commands, prompts, words and tokens are those of a plain count, and no line is lost."""
    lines = [json.loads(one) for one in path.read_text().splitlines()]
    parts = [one["payload"] for one in lines]
    kinds = Counter(part.get("type") for part in parts)
    events, _ = read(path)
    calls = [kind for kind in kinds if kind and kind.endswith("_call")]
    assert len(of_kind(events, EventKind.TOOL_CALL)) == sum(kinds[kind] for kind in calls)
    assert len(of_kind(events, EventKind.TOOL_RESULT)) == len(of_kind(events, EventKind.TOOL_CALL))
    outputs = {part["call_id"]: str(part["output"]) for part in parts if "output" in part}
    failed = {name for name, text in outputs.items() if _code(text) not in ("", "0")}
    failed |= {part["call_id"] for part in parts if part.get("result", {}).get("Ok", {}).get("isError")}
    assert {event.call_id for event in events if event.is_error} == failed
    assert len(of_kind(events, EventKind.PROMPT)) == kinds["user_message"]
    assert len(of_kind(events, EventKind.MESSAGE)) == kinds["agent_message"]
    assert len(of_kind(events, EventKind.INTERRUPT)) == kinds["turn_aborted"]
    total = [part["info"]["total_token_usage"] for part in parts if part.get("type") == "token_count"][-1]
    cached = total["cached_input_tokens"]
    assert tokens(events) == [total["input_tokens"] - cached, total["output_tokens"], cached]
    assert not of_kind(events, EventKind.RAW)


def _code(text: str) -> str:
    for row in text.splitlines()[:5]:
        for words in ("Process exited with code ", "Exit code: "):
            if row.startswith(words):
                return row.removeprefix(words)
    return ""
