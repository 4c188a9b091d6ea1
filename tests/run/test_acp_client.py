"""The program behind the agent `acp`, with a real agent of a few lines that speaks the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loopwright.run.acp_client import AcpClient, Settings
from world import alive, wait_for

PLAYER = [sys.executable, str(Path(__file__).parent.parent / "acp_agent.py")]
Lines = list[dict[str, Any]]
Play = Callable[..., tuple[int, Lines]]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Give a function that plays scenes and gives the exit code and the lines."""

    def play(*scenes: str, **settings: Any) -> tuple[int, Lines]:
        client = AcpClient(Settings([*PLAYER, *scenes], **settings), os.environ, tmp_path)
        code = asyncio.run(client.work("Fix it"))
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return play


def kinds(lines: Lines) -> list[str]:
    return [line["k"] for line in lines]


def said(lines: Lines) -> str:
    updates = [line["d"] for line in lines if line["k"] == "update"]
    return "".join(update["content"]["text"] for update in updates if "message_chunk" in update["sessionUpdate"])


def test_a_prompt_is_answered(play: Play, tmp_path: Path) -> None:
    """Files, permissions and commands are answered inside of the workspace, and everything is printed as it came."""
    scenes = ("write:a.txt=one\ntwo", "read:a.txt", "read:nope", "read:/etc/passwd", "permission:b.txt")
    code, lines = play(*scenes, "permission:/outside", "run:echo hi; exit 3", "strange", model="large")
    assert code == 0
    assert kinds(lines)[:2] == ["init", "session"] and kinds(lines)[-1] == "PROMPT_RESPONSE"
    assert (tmp_path / "a.txt").read_text() == "one\ntwo"
    assert (tmp_path / "b.txt").exists()
    words = said(lines)
    assert "read: one\n" in words and "Resource not found" in words and "outside of the repository" in words
    assert "Done with large, asked: Fix it" in words
    asked = [(line["d"]["answer"], line["d"]["denied"]) for line in lines if line["k"] == "PERMISSION"]
    assert [answer for answer, _ in asked] == ["", "once", "no"]
    assert [bool(denied) for _, denied in asked] == [True, False, True]
    ended = [line["d"]["rawOutput"] for line in lines if "rawOutput" in (line["d"] or {})]
    assert ended == [{"output": "hi\n", "exit_code": 3}]
    assert {"sessionUpdate": "from_the_future", "x": 1} in [line["d"] for line in lines]


def test_a_session_is_gone_on_with(play: Play) -> None:
    """What is replayed of it is marked; one that the agent does not know any more is begun anew, and that is told."""
    code, lines = play(conversation="session-1")
    assert (code, kinds(lines)[:3]) == (0, ["init", "replay", "session"])
    assert lines[2]["d"]["resumed"] is True
    code, lines = play(conversation="session-2")
    assert code == 0
    notes = [line["d"]["text"] for line in lines if line["k"] == "note"]
    assert notes == ["the session `session-2` can't be gone on with: Resource not found"]
    assert next(line["d"]["resumed"] for line in lines if line["k"] == "session") is False


@pytest.mark.parametrize(
    ("scenes", "settings", "words"),
    [
        (["login"], {}, "Authentication required"),
        (["fail:no more quota"], {}, "Internal error: no more quota"),
        ([], {"model": "huge"}, "there is no model `huge`"),
    ],
)
def test_what_goes_wrong_is_told(play: Play, scenes: list[str], settings: dict[str, str], words: str) -> None:
    """An error of the agent is one line, in its words."""
    code, lines = play(*scenes, **settings)
    assert (code, lines[-1]["k"]) == (1, "error")
    assert words in lines[-1]["d"]["message"]


def test_an_agent_that_ends_in_the_middle(play: Play) -> None:
    """Its exit code is ours."""
    code, lines = play("die")
    assert code == 9
    assert lines[-1] == {"k": "note", "d": {"text": "the agent ended in the middle, with exit code 9"}}


def test_a_program_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is an error in one line, and no traceback."""
    code = asyncio.run(AcpClient(Settings(["/no/such/program"]), os.environ, tmp_path).work("x"))
    assert code == 1
    assert "No such file" in json.loads(capsys.readouterr().out)["d"]["message"]


def test_a_stop_that_is_no_end_is_an_error(play: Play) -> None:
    """Only the end of a turn has exit code 0."""
    assert play("stop:refusal")[0] == 1


def test_sigterm_cancels_the_prompt(tmp_path: Path) -> None:
    """The agent is asked to stop, says so, and is gone afterwards; a banner that it printed is in the lines."""
    (tmp_path / "prompt").write_text("Fix it")
    with (
        (tmp_path / "prompt").open() as stdin,
        subprocess.Popen(
            [sys.executable, "-P", "-m", "loopwright.run.acp_client", "{}", *PLAYER, "banner", "hang"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        ) as client,
    ):
        assert client.stdout is not None
        seen: Lines = []
        while "waiting" not in said(seen):
            seen.append(json.loads(client.stdout.readline()))
        children = Path(f"/proc/{client.pid}/task/{client.pid}/children").read_text().split()
        client.send_signal(signal.SIGTERM)
        rest = [json.loads(line) for line in client.stdout]
    assert client.returncode == 1
    assert seen[0]["k"] == "note" and "Welcome! A new version is there." in seen[0]["d"]["text"]
    assert rest[-1]["k"] == "PROMPT_RESPONSE" and rest[-1]["d"]["stopReason"] == "cancelled"
    wait_for(lambda: not any(alive(int(pid)) for pid in children))
