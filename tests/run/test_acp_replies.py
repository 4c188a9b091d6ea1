"""What an agent asks of its client, and what it is answered."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from acp import RequestError
from acp.schema import PermissionOption, ToolCallUpdate

from loopwright.run.acp_replies import Replies

ALL = ("allow_always", "allow_once", "reject_always", "reject_once")


class Session:
    """Our side, and the lines that it printed."""

    def __init__(self, workspace: Path, free: bool = False) -> None:
        self.lines: list[Any] = []
        self.replies = Replies(
            workspace, {"PATH": os.environ["PATH"]}, lambda kind, told: self.lines.append(told), free=free
        )

    def permission(self, *kinds: str, **tool: Any) -> str:
        """Ask for permission and give the kind of the option that was taken."""
        options = [PermissionOption(option_id=kind, name=kind, kind=kind) for kind in kinds]  # type: ignore[arg-type]
        call = ToolCallUpdate.model_validate({"toolCallId": "c", **tool})
        outcome = asyncio.run(self.replies.request_permission("s", call, options)).outcome
        return getattr(outcome, "option_id", outcome.outcome)


@pytest.mark.parametrize(
    "tool",
    [
        {"kind": "execute", "rawInput": {"command": "rm -rf build"}},
        {"kind": "edit", "locations": [{"path": "a"}]},
        {"kind": "edit", "content": [{"type": "diff", "path": "deep/new", "newText": ""}]},
        {"kind": "other"},
    ],
)
def test_what_stays_inside_is_allowed_once(tmp_path: Path, tool: dict[str, Any]) -> None:
    """It is allowed for this time, and for good only where nothing else can be had."""
    session = Session(tmp_path)
    assert session.permission(*ALL, **tool) == "allow_once"
    assert session.permission("allow_always", "reject_once", **tool) == "allow_always"
    assert [line["denied"] for line in session.lines] == ["", ""]


@pytest.mark.parametrize(
    "tool",
    [
        {"kind": "edit", "locations": [{"path": "a"}, {"path": "/etc/passwd"}]},
        {"kind": "edit", "content": [{"type": "diff", "path": "../x", "newText": ""}]},
        {"kind": "read", "rawInput": {"file_path": "/etc/passwd"}},
        {"kind": "execute", "rawInput": {"command": "ls", "cwd": "/"}},
        {"kind": "read", "rawInput": {"path": "a\0b"}},
    ],
)
def test_what_leaves_the_workspace_is_denied(tmp_path: Path, tool: dict[str, Any]) -> None:
    """It is rejected, and that is told; in a sandbox, which sees to that itself, it is allowed."""
    session = Session(tmp_path)
    assert session.permission(*ALL, **tool) == "reject_once"
    assert session.permission("allow_once", **tool) == "cancelled"
    assert all(line["denied"] for line in session.lines)
    assert Session(tmp_path, free=True).permission(*ALL, **tool) == "allow_once"


def test_nothing_is_taken_where_nothing_can_be_allowed(tmp_path: Path) -> None:
    """A question without a way to say yes is denied, and that is told."""
    session = Session(tmp_path)
    assert session.permission("reject_once", kind="edit") == "cancelled"
    assert session.lines[0]["denied"] == "there is no way to allow it"


def test_files_are_read_in_part(tmp_path: Path) -> None:
    """Lines count from 1."""
    (tmp_path / "a").write_text("one\ntwo\nthree")
    replies = Session(tmp_path).replies
    asked = [asyncio.run(replies.read_text_file("s", "a", *part)).content for part in ((), (2,), (2, 1), (None, 1))]
    assert asked == ["one\ntwo\nthree", "two\nthree", "two\n", "one\n"]


def test_files_outside_are_a_denial(tmp_path: Path) -> None:
    """Reading, writing and a terminal out there are errors for the agent, and told as denied."""
    session = Session(tmp_path)
    for work in (
        session.replies.read_text_file("s", "/etc/passwd"),
        session.replies.write_text_file("s", "../x", "y"),
        session.replies.create_terminal("s", "ls", cwd="/"),
    ):
        with pytest.raises(RequestError, match="Invalid params"):
            asyncio.run(work)
    assert [line["tool"]["kind"] for line in session.lines] == ["read", "edit", "execute"]
    with pytest.raises(RequestError, match="Resource not found"):
        asyncio.run(session.replies.read_text_file("s", "nope"))
    assert len(session.lines) == 3


def test_a_terminal_has_its_life(tmp_path: Path) -> None:
    """It is started, looked at, ended and forgotten; another's name is an error."""
    replies = Session(tmp_path).replies

    async def live() -> tuple[object, int | None]:
        name = (await replies.create_terminal("s", "sleep 300")).terminal_id
        running = (await replies.terminal_output("s", name)).exit_status
        await replies.kill_terminal("s", name)
        code = (await replies.wait_for_terminal_exit("s", name)).exit_code
        await replies.release_terminal("s", name)
        with pytest.raises(RequestError):
            await replies.terminal_output("s", name)
        return running, code

    assert asyncio.run(live()) == (None, None)
    replies.close()
