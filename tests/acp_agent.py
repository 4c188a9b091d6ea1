"""An agent for tests that speaks the Agent Client Protocol: it plays the scenes that its arguments name, in order."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from acp import (
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    RequestError,
    run_agent,
    text_block,
    tool_diff_content,
    update_agent_message,
    update_agent_message_text,
    update_tool_call,
)
from acp import start_tool_call as start
from acp.schema import (
    AgentCapabilities,
    Implementation,
    PermissionOption,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SetSessionConfigOptionResponse,
    ToolCallUpdate,
    Usage,
)

OPTIONS = [
    PermissionOption(option_id="always", name="Always", kind="allow_always"),
    PermissionOption(option_id="once", name="Once", kind="allow_once"),
    PermissionOption(option_id="no", name="No", kind="reject_once"),
]


class Player:
    """Plays scenes; a scene is a method, with what stands behind a colon as its argument."""

    def __init__(self, scenes: list[str]) -> None:
        self._scenes, self._stop, self._model = scenes, "end_turn", "small"
        self._cancelled = asyncio.Event()

    def on_connect(self, conn: Any) -> None:
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        if "banner" in self._scenes:
            print("Welcome! A new version is there.", flush=True)
        if "crash" in self._scenes:
            print("it crashed", file=sys.stderr)
            os._exit(7)
        capabilities = AgentCapabilities(load_session="no_load" not in self._scenes)
        who = Implementation(name="player", version="1.2")
        return InitializeResponse(protocol_version=protocol_version, agent_capabilities=capabilities, agent_info=who)

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        if "login" in self._scenes:
            raise RequestError.auth_required()
        return NewSessionResponse(session_id="session-1", config_options=self._options())

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> LoadSessionResponse:
        if session_id != "session-1":
            raise RequestError.resource_not_found(session_id)
        await self._client.session_update(session_id, update_agent_message_text("said long ago"))
        return LoadSessionResponse(config_options=self._options())

    async def set_config_option(self, config_id: str, session_id: str, value: Any, **_: Any) -> Any:
        if value not in ("small", "large"):
            raise RequestError.invalid_params({"details": f"there is no model `{value}`"})
        self._model = value
        return SetSessionConfigOptionResponse(config_options=self._options())

    async def prompt(self, session_id: str, prompt: Any, **_: Any) -> PromptResponse:
        self._session = session_id
        for scene in self._scenes:
            name, _, argument = scene.partition(":")
            if play := getattr(self, f"play_{name}", None):
                await play(argument)
        await self._say(f"Done with {self._model}, asked: {prompt[0].text.strip()[:20]}")
        used = Usage(total_tokens=150, input_tokens=100, output_tokens=30, cached_read_tokens=20)
        return PromptResponse(stop_reason=self._stop, usage=used)

    async def cancel(self, session_id: str, **_: Any) -> None:
        self._cancelled.set()

    async def play_write(self, argument: str) -> None:
        """Write a file through the client: `NAME=CONTENT`."""
        name, _, content = argument.partition("=")
        diff = tool_diff_content(name, content)
        await self._tell(start("call-w", "Write", kind="edit", status="in_progress", content=[diff]))
        await self._client.write_text_file(session_id=self._session, path=name, content=content)
        await self._tell(update_tool_call("call-w", status="completed"))

    async def play_read(self, name: str) -> None:
        """Read a file through the client, and say what is in it or what is wrong."""
        try:
            found = await self._client.read_text_file(session_id=self._session, path=name, line=1, limit=1)
            await self._say(f"read: {found.content}")
        except RequestError as error:
            await self._say(f"error: {error} {json.dumps(error.data)}")

    async def play_permission(self, path: str) -> None:
        """Ask whether a file may be edited, and write it ourselves if so."""
        call = ToolCallUpdate(
            tool_call_id="call-p", title=f"Write {path}", kind="edit", content=[tool_diff_content(path, "x")]
        )
        answer = await self._client.request_permission(session_id=self._session, tool_call=call, options=OPTIONS)
        allowed = answer.outcome.outcome == "selected" and answer.outcome.option_id == "once"
        if allowed:
            Path(path).write_text("x")
        await self._tell(update_tool_call("call-p", status="completed" if allowed else "failed"))

    async def play_run(self, command: str) -> None:
        """Have the client run a command."""
        await self._tell(start("call-t", command, kind="execute", status="in_progress", raw_input={"command": command}))
        terminal = await self._client.create_terminal(session_id=self._session, command=command)
        ended = await self._client.wait_for_terminal_exit(session_id=self._session, terminal_id=terminal.terminal_id)
        shown = await self._client.terminal_output(session_id=self._session, terminal_id=terminal.terminal_id)
        await self._client.release_terminal(session_id=self._session, terminal_id=terminal.terminal_id)
        told = {"output": shown.output, "exit_code": ended.exit_code}
        await self._tell(update_tool_call("call-t", status="completed", raw_output=told))

    async def play_stop(self, reason: str) -> None:
        self._stop = reason

    async def play_fail(self, words: str) -> None:
        raise RequestError.internal_error({"details": words})

    async def play_strange(self, _: str) -> None:
        """Send an update that nobody knows."""
        params = {"sessionId": self._session, "update": {"sessionUpdate": "from_the_future", "x": 1}}
        await self._client._conn.send_notification("session/update", params)

    async def play_hang(self, _: str) -> None:
        """Wait until it is cancelled."""
        await self._say("waiting")
        await self._cancelled.wait()
        self._stop = "cancelled"

    async def play_die(self, _: str) -> None:
        os._exit(9)

    async def _say(self, text: str) -> None:
        for word in text.partition(" "):
            await self._tell(update_agent_message(text_block(word)))

    async def _tell(self, update: Any) -> None:
        await self._client.session_update(self._session, update)

    def _options(self) -> list[SessionConfigOptionSelect]:
        options = [SessionConfigSelectOption(value=name, name=name) for name in ("small", "large")]
        return [
            SessionConfigOptionSelect(
                id="model", name="Model", category="model", type="select", current_value=self._model, options=options
            )
        ]


if __name__ == "__main__":
    asyncio.run(run_agent(Player(sys.argv[1:])))
