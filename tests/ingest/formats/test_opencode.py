"""OpenCode's sessions: exports and a database that the real one wrote, small files, real ones of others."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from loopwright.ingest.formats.opencode import Opencode
from loopwright.ingest.ports import About
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from observing import SESSIONS, anything, broken, fuzzed, kinds, of, read, real_sessions, spent

GOLDEN = SESSIONS / "opencode"
REJECTED, PARENT = "ses_e1d344fc2ffeLLly4aeym1JIjO", "ses_e1d334dd5fferB00lpg4LH98fD"
CHILD, STOPPED = "ses_e1d332595ffewX0CEiST5uo9ZB", "ses_e1d2655b8ffeZdXY1gxZC9Op7W"
TOKENS = {"input": 60, "output": 10, "reasoning": 5, "cache": {"read": 40, "write": 2}}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """Give a database that its program has open, with all that it was told in the log beside it."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript((GOLDEN / "database.sql").read_text())
        connection.commit()
        yield path


def _session(path: Path, name: str) -> tuple[list[Event], About]:
    kind = Opencode()
    assert name in kind.sessions(path)
    reading = kind.read(name, [path])
    return list(reading.events()), reading.about


def _part(kind: str, name: str = "prt_1", **told: Any) -> dict[str, Any]:
    return {"id": name, "messageID": "msg_1", "sessionID": "ses_1", "type": kind, **told}


def _tool(tool: str, name: str = "prt_1", **state: Any) -> dict[str, Any]:
    time = {"start": 1794806362000, "end": 1794806363500}
    return _part("tool", name, tool=tool, callID=f"call_{name}", state={"time": time, **state})


def _info(role: str = "assistant", **told: Any) -> dict[str, Any]:
    time = {"created": 1794806361000, "completed": 1794806364000}
    return {"id": "msg_1", "sessionID": "ses_1", "role": role, "time": time, "modelID": "gpt-5.5", **told}


def _export(*parts: Any, **told: Any) -> dict[str, Any]:
    info = {"id": "ses_1", "projectID": "p", "directory": "/a", "title": "T", "version": "1.18.33", "parentID": None}
    return {"info": info, "messages": [{"info": _info(**told), "parts": list(parts)}]}


def _read(folder: Path, document: object) -> tuple[list[Event], About]:
    path = folder / "export.json"
    path.write_text(json.dumps(document, indent=2))
    return read(Opencode(), path)


def test_the_real_database_is_read_without_being_touched(database: Path) -> None:
    """Sessions that are only in the log are found, and no file beside it is made, changed or locked."""
    before = {path.name: path.read_bytes() for path in database.parent.iterdir()}
    events, about = _session(database, REJECTED)
    assert [call.tool for call in of(events, EventKind.TOOL_CALL)] == ["read", "edit", "read"]
    assert [result.is_error for result in of(events, EventKind.TOOL_RESULT)] == [True, False, True]
    assert [(event.tool, event.path) for event in of(events, EventKind.REJECTION)] == [("read", "/etc/hostname")]
    assert spent(events) == Usage(62 + 63 + 64, 22 + 23 + 24, 120, 0)
    assert (about.project, about.agent_version, about.model) == ("/home/dev/answer", "1.18.33", "m")
    assert about.attributes == {"provider": "stub", "cost_usd": 0.001638}
    assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == before


def test_a_change_that_is_only_in_the_log_is_seen(database: Path) -> None:
    """The log stands for its database, and what was added since is read."""
    kind, log = Opencode(), database.with_name("opencode.db-wal")
    assert kind.recognises(log.read_bytes()[:100])
    assert list(kind.sessions(log)) == list(kind.sessions(database))
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM session WHERE id = ?", [CHILD])
        connection.commit()
        assert CHILD not in list(kind.sessions(log))


def test_a_child_names_its_parent_and_is_named_by_it(database: Path) -> None:
    """A subagent's session is one of its own, whose words no human said; the call that started it names it."""
    events, about = _session(database, CHILD)
    assert about.attributes["parent_session"] == PARENT
    assert kinds(events) == ["system", "tool_call", "tool_result", "usage", "message", "usage"]
    above, _ = _session(database, PARENT)
    assert [call.data["session"] for call in of(above, EventKind.TOOL_CALL)] == [CHILD]


def test_a_human_who_stops_it_interrupts(database: Path) -> None:
    """The real one says that a message was aborted."""
    events, _ = _session(database, STOPPED)
    assert kinds(events) == ["prompt", "tool_call", "tool_result", "interrupt"]


@pytest.mark.parametrize("name", [REJECTED, CHILD])
def test_an_export_says_the_same_as_the_database(database: Path, name: str) -> None:
    """What `opencode export` wrote has the same events; both together are told once."""
    export, kind = GOLDEN / f"{name}.json", Opencode()
    exported, about = read(kind, export)
    stored, same = _session(database, name)
    assert exported == stored
    assert (about.heads, about.attributes) == (same.heads, same.attributes)
    assert list(kind.read(name, [database, export]).events()) == stored


@pytest.mark.parametrize("name", [REJECTED, CHILD])
def test_small_files_say_the_same_as_an_export(tmp_path: Path, name: str) -> None:
    """A session is gathered from its files, in whichever order they come."""
    told = json.loads((GOLDEN / f"{name}.json").read_bytes())
    files = [told["info"], *(message["info"] for message in told["messages"])]
    files += [part for message in told["messages"] for part in message["parts"]]
    paths = [tmp_path / f"{value['id']}.json" for value in files]
    for path, value in zip(paths, files, strict=True):
        path.write_text(json.dumps({"id": value["id"], **value}, indent=2))
    assert read(Opencode(), *reversed(paths))[0] == read(Opencode(), GOLDEN / f"{name}.json")[0]


@pytest.mark.parametrize("number", range(4))
def test_real_exports_are_counted_as_a_simple_count_has_it(number: int) -> None:
    """Calls, errors, prompts and tokens of a real session are what a few lines of code count."""
    path = real_sessions("opencode")[number]
    told = json.loads(path.read_bytes())["messages"]
    tools = [part for message in told for part in message["parts"] if part["type"] == "tool"]
    failed = [part for part in tools if part["state"]["status"] == "error" or part["state"]["metadata"].get("exit")]
    tokens = [message["info"]["tokens"] for message in told if message["info"]["role"] == "assistant"]
    events, _ = read(Opencode(), path)
    assert len(of(events, EventKind.TOOL_CALL)) == len({part["callID"] for part in tools})
    assert len(of(events, EventKind.TOOL_RESULT)) == len(tools)
    assert sum(event.is_error for event in events) == len(failed)
    assert len(of(events, EventKind.PROMPT)) == sum(message["info"]["role"] == "user" for message in told)
    assert spent(events) == Usage(
        sum(one["input"] for one in tokens),
        sum(one["output"] + one["reasoning"] for one in tokens),
        sum(one["cache"]["read"] for one in tokens),
        sum(one["cache"]["write"] for one in tokens),
    )
    assert "raw" not in kinds(events)


def test_a_command_that_fails_is_an_error(tmp_path: Path) -> None:
    """OpenCode calls it completed; its exit code says otherwise."""
    bash = _tool("bash", status="completed", input={"command": "make"}, output="no", metadata={"exit": 2})
    events, _ = _read(tmp_path, _export(bash))
    assert (events[1].command, events[1].exit_code, events[1].is_error, events[1].duration_s) == ("make", 2, True, 1.5)
    assert events[1].at == "2026-11-16T05:19:23.500Z"


def test_a_call_that_has_not_ended_has_no_result(tmp_path: Path) -> None:
    """A session that was killed leaves its last call open."""
    assert kinds(_read(tmp_path, _export(_tool("bash", status="running", input={})))[0]) == ["tool_call"]


def test_a_rule_denies_and_a_human_rejects(tmp_path: Path) -> None:
    """Both are errors to OpenCode, and told apart by its words."""
    rule = _tool("bash", "prt_1", status="error", error="The user has specified a rule which prevents you from …")
    human = _tool("edit", "prt_2", status="error", error="The user rejected permission to use this tool call.")
    events, _ = _read(tmp_path, _export(rule, human))
    assert kinds(events) == ["tool_call", "tool_result", "denial", "tool_call", "tool_result", "rejection"]


def test_tokens_of_several_steps_are_added(tmp_path: Path) -> None:
    """A message of older versions says what its last step used; a message of one step counts once."""
    step = _part("step-finish", tokens=TOKENS, cost=0.1)
    events, about = _read(tmp_path, _export(step, {**step, "id": "prt_2"}, tokens=TOKENS, cost=0.2))
    assert spent(events) == Usage(120, 30, 80, 4)
    assert about.attributes["cost_usd"] == events[0].data["cost_usd"] == 0.2
    assert spent(_read(tmp_path, _export(step, tokens=TOKENS))[0]) == Usage(60, 15, 40, 2)


def test_other_parts_are_told_for_what_they_are(tmp_path: Path) -> None:
    """Thoughts, retries, files and compactions; what only serves OpenCode is silent, and errors end a message."""
    parts = [
        _part("reasoning", "prt_1", text="Hm."),
        _part("retry", "prt_2", attempt=1, error={"name": "APIError", "data": {"message": "529"}}),
        _part("file", "prt_3", filename="a.png"),
        _part("step-start", "prt_4"),
        _part("patch", "prt_5", files=["a"]),
        _part("compaction", "prt_6", auto=True),
    ]
    error = {"name": "ProviderAuthError", "data": {"message": "no key"}}
    events, _ = _read(tmp_path, _export(*parts, error=error))
    assert [(event.kind.value, event.text) for event in events] == [
        *(("thinking", "Hm."), ("retry", "529"), ("system", "a.png"), ("system", "compaction"), ("error", "no key"))
    ]


def test_only_a_humans_words_are_a_prompt(tmp_path: Path) -> None:
    """What OpenCode adds to a human's message is its own."""
    parts = [_part("text", "prt_1", text="Fix it"), _part("text", "prt_2", text="Called the Read tool", synthetic=True)]
    events, about = _read(tmp_path, _export(*parts, role="user"))
    assert (kinds(events), about.goal, about.title) == (["prompt", "system"], "Fix it", "T")


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """A part of another kind, a message without parts and a file that is cut are there as raw."""
    export = _export(_part("else"), 5, _part("tool", "prt_2"))
    export["messages"] += ["x", {"info": {}}]
    events, _ = _read(tmp_path, export)
    assert kinds(events) == ["raw"] * 5
    (tmp_path / "cut.json").write_text('{"info": {"id": "ses_1", "title": "T"}, "messages": [{"in')
    assert kinds(read(Opencode(), tmp_path / "cut.json")[0]) == ["raw"]


def test_rows_that_are_no_json_are_kept(database: Path) -> None:
    """What stands in a database in place of a message or a part is there as raw, and the rest is read."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE part SET data = CAST(x'ff7b' AS TEXT) WHERE data LIKE '%step-start%'")
        connection.execute("UPDATE message SET data = 7 WHERE data LIKE '%\"user\"%'")
        connection.commit()
    assert kinds(_session(database, STOPPED)[0]) == ["raw", "message", "raw", "tool_call", "tool_result", "interrupt"]


@pytest.mark.parametrize("table", ["session", "message", "part"])
def test_another_programs_database_has_no_sessions(tmp_path: Path, table: str) -> None:
    """A database without the tables, or with something else in the place of one, holds nothing for us."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((GOLDEN / "database.sql").read_text())
        connection.executescript(f"DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 AS id")
    assert list(Opencode().sessions(path)) == []


def test_a_log_without_its_database_has_no_sessions(database: Path, tmp_path: Path) -> None:
    """It can't be read alone."""
    alone = tmp_path / "elsewhere" / "opencode.db-wal"
    alone.parent.mkdir()
    alone.write_bytes(database.with_name("opencode.db-wal").read_bytes())
    assert list(Opencode().sessions(alone)) == []


@pytest.mark.parametrize(
    "head",
    [
        b'{"type":"text","timestamp":1,"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_1","type":"text"}}',
        b'[{"file": "a", "sessionID": "ses_1"}]',
        b'{"info": {"id": 1}}',
        b"",
    ],
)
def test_other_files_are_no_sessions(head: bytes) -> None:
    """What `opencode run` prints, its diffs, and nothing at all are not taken for sessions."""
    assert not Opencode().recognises(head)


def test_it_looks_where_sessions_are(tmp_path: Path) -> None:
    """The folder of small files and the databases that are there, with their logs, below the data folder."""
    folder = tmp_path / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.db").touch()
    (folder / "opencode.db-wal").touch()
    assert [path.name for path in Opencode().places(tmp_path, {})] == ["storage", "opencode.db", "opencode.db-wal"]
    assert Opencode().places(tmp_path, {"XDG_DATA_HOME": "/a"}) == [Path("/a/opencode/storage")]


WHOLE = _export(
    *(_part("text", text="Hi"), _part("step-finish", "prt_2", tokens=TOKENS), _part("retry", "prt_3", error={})),
    _tool("bash", "prt_4", status="completed", input={"command": "ls"}, output="a", metadata={"exit": 1}),
    _tool("read", "prt_5", status="error", error="The user rejected permission"),
    tokens=TOKENS,
    cost=0.1,
    error={"name": "MessageAbortedError", "data": {"message": "Aborted"}},
)


@fuzzed
@given(document=broken(WHOLE))
def test_no_export_breaks_it(document: Any, tmp_path: Path) -> None:
    """Whatever stands where something else should, the rest is read."""
    path = tmp_path / "export.json"
    path.write_text(json.dumps(document))
    assert all(isinstance(event, Event) for event in Opencode().read("ses_1", [path]).events())
    assert all(isinstance(name, str) for name in Opencode().sessions(path))


@fuzzed
@given(info=anything, message=broken(_info()), part=broken(_tool("bash", status="completed", input={"command": "ls"})))
def test_no_small_file_breaks_it(info: Any, message: Any, part: Any, tmp_path: Path) -> None:
    """Files of anything are gathered as far as they say what they are."""
    paths = [tmp_path / f"{number}.json" for number in range(3)]
    for path, value in zip(paths, (info, message, part), strict=True):
        path.write_text(json.dumps(value))
    assert all(isinstance(event, Event) for event in Opencode().read("ses_1", paths).events())
