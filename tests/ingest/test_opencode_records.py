"""OpenCode's places: what is known for one of its files, and in which order a session is put together."""

from __future__ import annotations

import json
from pathlib import Path

from loopwright.ingest.opencode_records import in_files, is_record, session_in

PART = {"id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1", "type": "text", "text": "Hi"}


def test_its_files_are_known_by_what_is_in_them() -> None:
    """A session, a message and a part; what it keeps of projects is none of them."""
    session = {"id": "ses_1", "projectID": "p", "directory": "/a"}
    message = {"id": "msg_1", "sessionID": "ses_1", "role": "user"}
    assert all(is_record(json.dumps(value).encode()) for value in (session, message, PART))
    assert not is_record(json.dumps({"id": "p", "worktree": "/a"}).encode())


def test_a_session_is_named_by_what_is_no_text(tmp_path: Path) -> None:
    """Words that look like a name are words; a name that comes late is found as well."""
    late = {"type": "text", "text": '"sessionID": "ses_wrong"' + "x" * 100_000, "id": "prt_1", "sessionID": "ses_1"}
    path = tmp_path / "prt_1.json"
    path.write_text(json.dumps(late))
    assert session_in(path, path.read_bytes()[:65_536]) == "ses_1"


def test_messages_come_in_the_order_of_their_time(tmp_path: Path) -> None:
    """Parts without their message are given where their id stands, and strangers are kept."""
    messages = [
        {"id": "msg_2", "sessionID": "ses_1", "role": "user", "time": {"created": 2}},
        {"id": "msg_3", "sessionID": "ses_1", "role": "assistant", "time": {"created": 1}},
    ]
    for number, value in enumerate([PART, {**PART, "id": "prt_0"}, *messages, [1]]):
        (tmp_path / f"{number}.json").write_text(json.dumps(value))
    record = in_files(sorted(tmp_path.iterdir()))
    assert [message.info["id"] for message in record.messages] == ["msg_1", "msg_3", "msg_2"]
    assert [part["id"] for message in record.messages for part in message.parts] == ["prt_0", "prt_1"]
    assert record.strange == [[1]]
