"""What an agent asks of its client, over the Agent Client Protocol -> our answers: permissions, files, commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from acp import RequestError
from acp.schema import (
    AllowedOutcome,
    CreateTerminalResponse,
    DeniedOutcome,
    EnvVariable,
    KillTerminalResponse,
    PermissionOption,
    ReadTextFileResponse,
    ReleaseTerminalResponse,
    RequestPermissionResponse,
    TerminalExitStatus,
    TerminalOutputResponse,
    ToolCallUpdate,
    WaitForTerminalExitResponse,
    WriteTextFileResponse,
)

from loopwright.run.acp_terminals import Terminals
from loopwright.run.enclosure import Denied, Enclosure
from loopwright.text.bounded import mapping

Found = TypeVar("Found")

_PATHS = ("file_path", "filePath", "path", "abs_path", "cwd")


class Replies:
    """Our side of a session. `free`: a sandbox is around the agent, and nothing has to be denied."""

    def __init__(
        self, workspace: Path, environment: Mapping[str, str], emit: Callable[[str, object], None], *, free: bool
    ) -> None:
        self._files, self._terminals, self._emit, self._free = (
            Enclosure(workspace),
            Terminals(environment),
            emit,
            free,
        )

    def close(self) -> None:
        """End what is still running."""
        self._terminals.close()

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **_: Any
    ) -> RequestPermissionResponse:
        tool = tool_call.model_dump(mode="json", by_alias=True, exclude_none=True)
        denied = "" if self._free else self._outside(tool)
        kinds = ("reject_once", "reject_always") if denied else ("allow_once", "allow_always")
        answer = next((option.option_id for kind in kinds for option in options if option.kind == kind), "")
        named = [option.model_dump(mode="json", by_alias=True, exclude_none=True) for option in options]
        why = denied or ("" if answer else "there is no way to allow it")
        self._emit("PERMISSION", {"tool": tool, "options": named, "answer": answer, "denied": why})
        if not answer:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=answer))

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Nothing: updates were printed as they came."""

    async def read_text_file(
        self, session_id: str, path: str, line: int | None = None, limit: int | None = None, **_: Any
    ) -> ReadTextFileResponse:
        text = self._guarded("read", path, lambda: self._files.read(path).decode("utf-8", "replace"))
        if line is not None or limit is not None:
            first = max(0, (line or 1) - 1)
            text = "".join(text.splitlines(keepends=True)[first:][:limit])
        return ReadTextFileResponse(content=text)

    async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> WriteTextFileResponse:
        self._guarded("edit", path, lambda: self._files.write(path, content.encode("utf-8", "replace")))
        return WriteTextFileResponse()

    async def create_terminal(
        self,
        session_id: str,
        command: str,
        args: list[str] | None = None,
        env: list[EnvVariable] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
        **_: Any,
    ) -> CreateTerminalResponse:
        folder = self._guarded("execute", cwd or ".", lambda: self._files.path(cwd or "."))
        variables = {variable.name: variable.value for variable in env or ()}
        name = self._terminals.create(command, args or (), variables, folder, output_byte_limit)
        return CreateTerminalResponse(terminal_id=name)

    async def terminal_output(self, session_id: str, terminal_id: str, **_: Any) -> TerminalOutputResponse:
        terminal = self._guarded("execute", terminal_id, lambda: self._terminals.find(terminal_id))
        ended = TerminalExitStatus(exit_code=terminal.exit_code) if terminal.ended else None
        return TerminalOutputResponse(output=terminal.output, truncated=terminal.truncated, exit_status=ended)

    async def wait_for_terminal_exit(self, session_id: str, terminal_id: str, **_: Any) -> WaitForTerminalExitResponse:
        terminal = self._guarded("execute", terminal_id, lambda: self._terminals.find(terminal_id))
        await asyncio.to_thread(terminal.wait)
        return WaitForTerminalExitResponse(exit_code=terminal.exit_code)

    async def kill_terminal(self, session_id: str, terminal_id: str, **_: Any) -> KillTerminalResponse:
        self._guarded("execute", terminal_id, lambda: self._terminals.find(terminal_id).kill())
        return KillTerminalResponse()

    async def release_terminal(self, session_id: str, terminal_id: str, **_: Any) -> ReleaseTerminalResponse:
        self._guarded("execute", terminal_id, lambda: self._terminals.find(terminal_id))
        await asyncio.to_thread(self._terminals.release, terminal_id)
        return ReleaseTerminalResponse()

    def _guarded(self, kind: str, path: str, work: Callable[[], Found]) -> Found:
        """Do what was asked for; what can't be done is an error that the agent is told."""
        try:
            return work()
        except Denied as error:
            tool = {"kind": kind, "title": path, "locations": [{"path": path}]}
            self._emit("PERMISSION", {"tool": tool, "options": [], "answer": "", "denied": str(error)})
            raise RequestError.invalid_params({"details": str(error)}) from None
        except FileNotFoundError:
            raise RequestError.resource_not_found(path) from None
        except (OSError, ValueError) as error:
            raise RequestError.invalid_params({"details": str(error)}) from None

    def _outside(self, tool: Mapping[str, Any]) -> str:
        """Say which file of a tool call is not in the workspace; empty where all are."""
        for path in _paths(tool):
            try:
                self._files.path(path)
            except Denied as error:
                return str(error)
            except (OSError, ValueError):
                return f"`{path}` is no path"
        return ""


def _paths(tool: Mapping[str, Any]) -> Sequence[str]:
    given = mapping(tool.get("rawInput"))
    places = [*(tool.get("locations") or ()), *(tool.get("content") or ())]
    found = [place.get("path") for place in map(mapping, places)] + [given.get(name) for name in _PATHS]
    return [path for path in found if isinstance(path, str) and path]
