"""Files with traces, as the collector writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.files import find_files
from loopwright.ingest.formats.otlp import Otlp
from loopwright.records.event import EventKind
from loopwright.taking import make_scan
from loopwright.wire import open_record
from observing import totals
from otlp_spans import TRACE, agent_at_work, request, span
from strangers import ANY_JSON, FUZZ, mutated

OTHER = "1" * 32


def write(path: Path, *documents: Any, indent: int | None = None) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one, indent=indent) + "\n" for one in documents))
    return path


def kinds(found: Otlp, session_id: str, *paths: Path) -> list[EventKind]:
    return [event.kind for event in found.read(session_id, paths).events()]


def test_lines_and_documents_are_the_same(tmp_path: Path) -> None:
    """One document over many lines, and one request a line, give the same sessions and events."""
    spans = agent_at_work()
    one = write(tmp_path / "one.json", request(*spans), indent=2)
    many = write(tmp_path / "many.jsonl", *(request(found) for found in reversed(spans)))
    otlp = Otlp()
    assert list(otlp.sessions(one)) == list(otlp.sessions(many)) == ["chat-1"]
    assert kinds(otlp, "chat-1", one) == kinds(otlp, "chat-1", many)
    assert len(kinds(otlp, "chat-1", one)) == 9


def test_what_is_in_two_files_is_told_once(tmp_path: Path) -> None:
    """A file that was copied, or rotated in the middle, adds only what is new."""
    spans = agent_at_work()
    first = write(tmp_path / "a.jsonl", request(*spans[:3]))
    second = write(tmp_path / "b.jsonl", request(*spans[1:]))
    whole = write(tmp_path / "c.jsonl", request(*spans))
    otlp = Otlp()
    for path in (first, second, whole):
        otlp.sessions(path)
    assert kinds(otlp, "chat-1", first, second, whole) == kinds(Otlp(), "chat-1", whole)


def test_sessions_are_conversations_else_traces(tmp_path: Path) -> None:
    """Spans without a conversation have that of what they are within; a trace that names none is a session."""
    batch = span(9, "batch", 0, 99, trace=OTHER)
    one = [{**found, "parentSpanId": found["parentSpanId"] or batch["spanId"]} for found in agent_at_work(OTHER, "x")]
    two = [
        {
            **found,
            "spanId": f"2{found['spanId'][1:]}",
            "parentSpanId": f"2{found['parentSpanId'][1:]}" if found["parentSpanId"] else batch["spanId"],
        }
        for found in agent_at_work(OTHER, "y", prefix="other_")
    ]
    path = write(tmp_path / "t.jsonl", request(batch, *one, *two), request(*agent_at_work(conversation="")))
    otlp = Otlp()
    assert sorted(otlp.sessions(path)) == ["0af7651916cd43dd8448eb211c80319c", "x", "y"]
    assert kinds(otlp, "y", path).count(EventKind.TOOL_CALL) == 1
    assert kinds(otlp, "y", path).count(EventKind.USAGE) == 2


def test_traces_without_an_agent_are_no_sessions(tmp_path: Path) -> None:
    """The spans of a web server make no session."""
    path = write(tmp_path / "t.jsonl", request(span(1, "GET /", 0, 1, http__method="GET")))
    assert list(Otlp().sessions(path)) == []


def test_lines_that_are_cut_are_kept_raw(tmp_path: Path) -> None:
    """What can't be read is told of with the first session, and counted."""
    path = write(tmp_path / "t.jsonl", request(*agent_at_work()))
    with path.open("ab") as file:
        file.write(b'{"resourceSpans": [{"scope\xff\n{"resourceMetrics": []}\n')
    otlp = Otlp()
    assert list(otlp.sessions(path)) == ["chat-1"]
    assert kinds(otlp, "chat-1", path).count(EventKind.RAW) == 2


def test_it_is_known_by_how_it_begins(tmp_path: Path) -> None:
    """A request to export is recognised, and nothing that speaks of one."""
    assert Otlp().recognises(b'{"resourceSpans":[{')
    assert Otlp().recognises(b' {\n  "resourceSpans": [')
    assert not Otlp().recognises(b'{"type":"user","text":"{\\"resourceSpans\\":"}')


def test_calls_without_an_id_are_no_copies(tmp_path: Path) -> None:
    """Spans of two traces may have the same numbers and times: each tool that was run counts."""
    for trace in (TRACE, OTHER):
        write(
            tmp_path / "in" / f"{trace}.jsonl",
            request(span(1, "execute_tool ls", 0, 1, trace=trace, gen_ai__operation__name="execute_tool")),
        )
    assert totals(Otlp(), tmp_path / "in").tool_calls == 2


@FUZZ
@given(st.data())
def test_no_file_makes_it_fail(tmp_path: Path, data: st.DataObject) -> None:
    """Files with anything in them are read to their end."""
    document = data.draw(mutated(request(*agent_at_work())) | ANY_JSON)
    path = tmp_path / "t.jsonl"
    path.write_bytes(json.dumps(document).encode() + b"\n" + data.draw(st.binary(max_size=50)))
    otlp = Otlp()
    for session_id in otlp.sessions(path):
        assert kinds(otlp, session_id, path) is not None


def test_a_file_is_scanned_into_the_store(tmp_path: Path) -> None:
    """The same records as of any agent; a second scan reads nothing, and what a file has grown by is added once."""
    path = write(tmp_path / "in" / "t.jsonl", request(*agent_at_work()[:3]))
    record = open_record(tmp_path, str(tmp_path / "home"))
    first = make_scan(record).scan(list(find_files([path])))
    assert (first.new, first.notes) == (1, [])
    assert make_scan(record).scan(list(find_files([path]))).new == 0
    with path.open("a") as file:
        file.write(json.dumps(request(*agent_at_work()[2:])) + "\n")
    again = make_scan(record).scan(list(find_files([path])))
    assert (again.new, again.changed, again.runs) == (0, 1, first.runs)
    run = record.store.run(first.runs[0])
    assert (run.source, run.spent.tokens.input, record.store.last_seq(run.id)) == ("otlp", 240, 9)
    record.close()
