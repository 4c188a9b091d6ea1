"""The program behind the agent `acp`: drives an agent over the Agent Client Protocol and prints what it hears.

The prompt is on stdin; its arguments are the settings and the agent's command. Each line that it prints is
{"k": kind, "d": what was said}; what that means is read in text/acp_lines.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from acp import PROTOCOL_VERSION, RequestError, spawn_agent_process, text_block
from acp.client.connection import ClientSideConnection
from acp.connection import StreamDirection, StreamEvent
from acp.interfaces import Client
from acp.schema import ClientCapabilities, FileSystemCapabilities, Implementation
from pydantic import BaseModel, ValidationError

from loopwright.run.acp_replies import Replies

_LINE_LIMIT = 64_000_000
_CANCEL_S = 2.0
ANSWER_S = 120.0
"""How long an agent may take to start, or to open a session."""


@dataclass(frozen=True)
class Settings:
    """One attempt's settings."""

    command: Sequence[str]
    model: str = ""
    conversation: str = ""
    confined: bool = False


class Failure(Exception):
    """The session came to nothing."""


class AcpClient:
    """One prompt to one agent."""

    def __init__(self, settings: Settings, environment: Mapping[str, str], workspace: Path) -> None:
        self._settings, self._environment, self._workspace = settings, environment, workspace
        self._replaying, self._cancelled, self._session = False, asyncio.Event(), ""
        self._replies = Replies(workspace, environment, emit, free=settings.confined)

    async def work(self, prompt: str) -> int:
        """Let the agent answer the prompt; give the exit code."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._cancelled.set)
        try:
            async with spawn_agent_process(
                cast(Client, self._replies),  # what it does not have, nobody is told that we have
                *self._settings.command,
                env=self._environment,
                cwd=self._workspace,
                transport_kwargs={"stderr": None, "limit": _LINE_LIMIT},
                observers=[self._hear],
            ) as (connection, process):
                try:
                    return await self._converse(connection, prompt)
                except ConnectionError:
                    # What it said of that is on stderr, for the record and for who judges the end.
                    code = await process.wait()
                    emit("note", {"text": f"the agent ended in the middle, with exit code {code}"})
                    return code if 0 < code < 256 else 1
        except RequestError as error:
            emit("error", {"message": _complaint(error), "code": error.code})
        except (Failure, OSError, ValidationError) as error:
            emit("error", {"message": f"{error}"[:2000] or type(error).__name__})
        finally:
            await asyncio.to_thread(self._replies.close)
        return 1

    async def _converse(self, connection: ClientSideConnection, prompt: str) -> int:
        capabilities = ClientCapabilities(
            fs=FileSystemCapabilities(read_text_file=True, write_text_file=True), terminal=True
        )
        who = Implementation(name="loopwright", title="Loopwright", version="1")
        greeting = await self._soon("initialize", connection.initialize(PROTOCOL_VERSION, capabilities, who))
        emit("init", _plain(greeting))
        can_load = bool(greeting.agent_capabilities and greeting.agent_capabilities.load_session)
        emit("session", await self._choose_model(connection, await self._open(connection, can_load)))
        answer = await self._heed(connection.prompt(self._session, [text_block(prompt)]), connection)
        emit("PROMPT_RESPONSE", _plain(answer))
        return 0 if answer.stop_reason == "end_turn" else 1

    async def _open(self, connection: ClientSideConnection, can_load: bool) -> dict[str, Any]:
        """Open the session that is gone on with, or a new one; give what is told of it."""
        name, folder = self._settings.conversation, str(self._workspace)
        told: Any = None
        if name and can_load:
            self._replaying = True
            try:
                told = await self._soon("session/load", connection.load_session(folder, name))
                self._session = name
            except RequestError as error:
                emit("note", {"text": f"the session `{name}` can't be gone on with: {_complaint(error)}"})
            self._replaying = False
        resumed = bool(self._session)
        if not resumed:
            told = await self._soon("session/new", connection.new_session(folder))
            self._session = told.session_id
        return {**_plain(told), "sessionId": self._session, "resumed": resumed, "resumable": can_load}

    async def _choose_model(self, connection: ClientSideConnection, session: dict[str, Any]) -> dict[str, Any]:
        wanted, options = self._settings.model, session.get("configOptions", [])
        if not wanted:
            return session
        name = next((option["id"] for option in options if "model" in (option.get("category"), option["id"])), "")
        if not name:
            raise Failure(f"the agent has no way to be told the model `{wanted}`: leave it out, or set it in its files")
        told = await self._soon("session/set_config_option", connection.set_config_option(name, self._session, wanted))
        return session | _plain(told)

    async def _soon(self, method: str, request: Any) -> Any:
        """Wait for an answer that needs no model."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self._heed(request)
        except TimeoutError:
            raise Failure(f"it did not answer `{method}` in {ANSWER_S:.0f} s: does it speak ACP?") from None

    async def _heed(self, request: Any, connection: ClientSideConnection | None = None) -> Any:
        """Wait for an answer; when we are asked to end, the agent is asked to stop, and gets a moment to do so."""
        asked, cancelled = asyncio.ensure_future(request), asyncio.ensure_future(self._cancelled.wait())
        try:
            await asyncio.wait({asked, cancelled}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done() and connection is not None:
                with contextlib.suppress(ConnectionError):
                    await connection.cancel(self._session)
                await asyncio.wait({asked}, timeout=_CANCEL_S)
            if not asked.done():
                raise Failure("it was cancelled")
            return asked.result()
        finally:
            asked.cancel()
            cancelled.cancel()

    def _hear(self, event: StreamEvent) -> None:
        """Print updates as they come, also those that the library does not know."""
        if event.direction is not StreamDirection.INCOMING or "method" not in event.message or "id" in event.message:
            return
        params = event.message.get("params")
        if event.message["method"] != "session/update":
            emit("extn", {"m": event.message["method"], "p": params})
        else:
            emit("replay" if self._replaying else "update", params.get("update") if isinstance(params, dict) else None)


class Notes(logging.Handler):
    """Puts what the library complains of among our lines, in one line and without its own inner life."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if "notification" in record.getMessage():
            return  # an update that the library does not know: it was printed as it came
        line = error.doc if isinstance(error, json.JSONDecodeError) else error
        emit("note", {"text": f"{record.getMessage()}: {line!s:.2000}"})


def emit(kind: str, told: object) -> None:
    """Print one line."""
    print(json.dumps({"k": kind, "d": told}), flush=True)


def _plain(told: object) -> dict[str, Any]:
    if not isinstance(told, BaseModel):
        return {}
    return told.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True)


def _complaint(error: RequestError) -> str:
    """Put an error in words; what it is about often stands in its data."""
    details = error.data.get("details") or error.data.get("message") if isinstance(error.data, dict) else error.data
    return ": ".join(str(part) for part in (error, details) if part)[:2000]


def main(arguments: list[str]) -> int:
    """Work on the prompt that stdin holds."""
    logging.basicConfig(handlers=[Notes()])
    settings, prompt = Settings(arguments[1:], **json.loads(arguments[0])), sys.stdin.read()
    return asyncio.run(AcpClient(settings, os.environ, Path.cwd()).work(prompt))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
