"""The first lines of a file tell what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.claude import call, prompt, result, said
from loopwright.ingest.formats.claude_code import ClaudeCode
from loopwright.ingest.formats.codex import Codex
from loopwright.ingest.formats.gemini import Gemini
from loopwright.ingest.formats.opencode import Opencode
from loopwright.ingest.formats.otlp import Otlp
from loopwright.ingest.formats.swe_agent import SweAgent
from loopwright.ingest.lines import BOM
from loopwright.ingest.ports import Format
from loopwright.ingest.sniffing import head_of, objects_in
from observing import SESSIONS, kinds
from otlp_spans import agent_at_work, request


def test_only_whole_objects_are_looked_at() -> None:
    """What is cut, empty or no object is passed over."""
    assert list(objects_in(b'\n[1]\n{"a":1}\nno\n{"b":2}\n{"c":')) == [{"a": 1}, {"b": 2}]


def test_only_the_first_lines_are_looked_at() -> None:
    """A file is not read to its end to know what it is."""
    assert len(list(objects_in(b'{"a":1}\n' * 1000))) == 20


CLAUDE = [prompt("Fix it"), said(call("c1", command="ls")), result("c1", "a")]
SAMPLES: list[tuple[Format, bytes]] = [
    (Codex(), (SESSIONS.parent / "codex_rollouts" / "main.jsonl").read_bytes()),
    (Gemini(), next((SESSIONS / "gemini" / "chats").glob("*.jsonl")).read_bytes()),
    (Opencode(), next((SESSIONS / "opencode").glob("*.json")).read_bytes()),
    (
        ClaudeCode(),
        b"\n".join(json.dumps(line).encode() for line in CLAUDE),
    ),
    (Otlp(), json.dumps(request(*agent_at_work())).encode()),
    (SweAgent(), json.dumps({"trajectory": [{"action": "ls", "observation": "a"}]}).encode()),
]


@pytest.mark.parametrize(("kind", "text"), SAMPLES, ids=lambda one: type(one).__name__)
def test_a_mark_of_its_encoding_loses_nothing(kind: Format, text: bytes, tmp_path: Path) -> None:
    """With the three bytes that some editors put before UTF-8, a file holds the same session with the same events."""
    told = []
    for number, start in enumerate((b"", BOM)):
        path = tmp_path / str(number) / "one.json"
        path.parent.mkdir()
        path.write_bytes(start + text)
        assert kind.recognises(head_of(path))
        (name,) = kind.sessions(path)
        told.append((name, kinds(list(kind.read(name, [path]).events()))))
    assert told[0] == told[1]
    assert "raw" not in told[0][1]
