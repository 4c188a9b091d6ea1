"""The file in which Codex keeps a conversation, as it grows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.budget import Usage
from loopwright.run.codex_rollout import Rollout

NAME = "01a1e219-c95c-71c2-8184-2f675acfd197"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions" / "2026" / "11" / "16"
    folder.mkdir(parents=True)
    return folder / f"rollout-2026-11-16T02-05-03-{NAME}.jsonl"


def line(kind: str, **payload: object) -> str:
    return json.dumps({"timestamp": "2026-11-16T02:05:03.243Z", "type": kind, "payload": payload}) + "\n"


def count(number: int) -> str:
    usage = {"input_tokens": 10 * number, "cached_input_tokens": 2 * number, "output_tokens": number}
    return line("event_msg", type="token_count", info={"total_token_usage": usage})


def test_it_is_read_as_it_grows(tmp_path: Path, file: Path) -> None:
    """Each look takes what has come since the last, a line in its middle not before its end."""
    rollout = Rollout(tmp_path)
    rollout.look(NAME)
    assert rollout.used == Usage()
    file.write_text(line("session_meta", cli_version="0.166.0") + line("turn_context", model="gpt-5.5") + count(1))
    rollout.look(NAME)
    assert (rollout.version, rollout.model, rollout.used) == ("0.166.0", "gpt-5.5", Usage(8, 1, 2))
    half = count(2)
    with file.open("a") as growing:
        growing.write(half[:40])
        growing.flush()
        rollout.look(NAME)
        assert rollout.used == Usage(8, 1, 2)
        growing.write(half[40:])
    rollout.look(NAME)
    assert rollout.used == Usage(16, 2, 4)


def test_the_model_can_t_write_its_own_bill(tmp_path: Path, file: Path) -> None:
    """What the model or a tool says in a line does not count, even where it looks like a count."""
    said = line("response_item", role="assistant", content="x" * 400 + '{"type": "token_count"}')
    file.write_text(count(1) + said + line("event_msg", type="token_count", info=None))
    rollout = Rollout(tmp_path)
    rollout.look(NAME)
    assert rollout.used == Usage(8, 1, 2)


@pytest.mark.parametrize("name", ["", "*", "../../etc/passwd", "0" * 100])
def test_a_name_that_is_none_finds_nothing(tmp_path: Path, file: Path, name: str) -> None:
    """Only an id names a file."""
    file.write_text(count(1))
    rollout = Rollout(tmp_path)
    rollout.look(name)
    assert rollout.used == Usage()


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "folder"])
def test_what_is_no_file_is_not_read(tmp_path: Path, file: Path, kind: str) -> None:
    """A pipe, a device, a link or a folder in its place neither holds us up nor tells anything."""
    (tmp_path / "real").write_text(count(1))
    {
        "pipe": lambda: os.mkfifo(file),
        "device": lambda: file.symlink_to("/dev/zero"),
        "link": lambda: file.symlink_to(tmp_path / "real"),
        "folder": file.mkdir,
    }[kind]()
    rollout = Rollout(tmp_path)
    rollout.look(NAME)
    assert rollout.used == Usage()


@given(st.binary(max_size=300))
def test_no_content_breaks_it(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever is in the file, what is known before and after it is read."""
    home = tmp_path_factory.mktemp("codex")
    folder = home / "sessions" / "a" / "b" / "c"
    folder.mkdir(parents=True)
    marked = b'{"type": "token_count"' + content.replace(b"\n", b"")
    (folder / f"rollout-{NAME}.jsonl").write_bytes(marked + b"\n" + count(3).encode())
    rollout = Rollout(home)
    rollout.look(NAME)
    assert rollout.used == Usage(24, 3, 6)
