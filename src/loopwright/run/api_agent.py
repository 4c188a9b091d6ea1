"""The program behind the agent `api`: asks a model, runs the tools that it wants, and tells of it in stream-json.

The prompt is on stdin, the settings are its argument. Cost is what the tokens are worth by the list, where it is known.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from loopwright.endpoint import Trouble
from loopwright.records.budget import Usage
from loopwright.run.api_model import Call, Chat, Reply
from loopwright.run.api_settings import ApiSettings
from loopwright.run.api_tools import TOOLS, Answer, Toolbox
from loopwright.run.enclosure import Enclosure
from loopwright.text.prices import dollars, unknown_cost

INSTRUCTIONS = """\
You are a software engineer at work in a repository, whose root is the current folder. Nobody can answer questions:
decide yourself. Look at the code before you change it, make the change that the task asks for with your tools, and run
what shows that it works. Tools only reach files of the repository. When you are done, say in a few sentences what you
did; an answer without a tool call ends your work."""
_LONGEST_WAIT_S = 30.0
_FIRST_WAIT_S = 0.5


class ApiAgent:
    """One attempt of a model."""

    def __init__(self, settings: ApiSettings, environment: Mapping[str, str], workspace: Path) -> None:
        self._settings, self._started = settings, time.monotonic()
        instructions = instructions_of(settings)
        key, self._lost = environment.get(settings.key, ""), ""
        try:
            self._chat = Chat(settings, key, instructions, _history(settings))
            self._session = settings.conversation or uuid.uuid4().hex
        except (OSError, ValueError) as error:
            self._chat, self._session, self._lost = Chat(settings, key, instructions), uuid.uuid4().hex, str(error)
        self._files = Enclosure(workspace)
        # What a command prints ends in the record and with the model: the key is none of its business.
        self._tools = Toolbox(workspace, {name: value for name, value in environment.items() if name != settings.key})
        self._model, self._usage, self._turns, self._said = settings.model, Usage(), 0, ""
        self._denials: list[dict[str, Any]] = []

    async def work(self, prompt: str) -> int:
        """Go on until the model has nothing more to do; give the exit code."""
        self._emit("system", **_init(self._settings))
        if self._lost:
            words = f"the conversation `{self._settings.conversation}` can't be gone on with: {self._lost[:500]}"
            self._emit("system", subtype="conversation_lost", message=words)
        self._chat.tell(prompt)
        while self._turns < self._settings.max_turns:
            self._keep()
            try:
                reply = await self._ask()
            except Trouble as trouble:
                return self._close(trouble.words, status=trouble.status or None, terminal_reason="api_error")
            self._say(reply)
            if self._settings.answer or reply.stop != "end_turn" or not reply.calls:
                return self._end(reply)
            self._chat.answer([(call, self._use(call)) for call in reply.calls])
        self._keep()
        words = f"Reached maximum number of turns ({self._settings.max_turns})"
        return self._close(words, subtype="error_max_turns", terminal_reason="max_turns")

    async def _ask(self) -> Reply:
        """Ask the model, and once more where the trouble may be gone in a moment."""
        self._turns += 1
        retries, attempt = self._settings.retries, 0
        while True:
            try:
                return await self._chat.ask()
            except Trouble as trouble:
                attempt += 1
                wait = trouble.retry_after or _FIRST_WAIT_S * 2 ** (attempt - 1)
                if not trouble.passing or attempt > retries or wait > _LONGEST_WAIT_S:
                    raise
                told = {"attempt": attempt, "max_retries": retries, "retry_delay_ms": round(wait * 1000)}
                self._emit(
                    "system", subtype="api_retry", error=trouble.words, error_status=trouble.status or None, **told
                )
            await asyncio.sleep(wait)

    def _say(self, reply: Reply) -> None:
        self._usage, self._model, self._said = self._usage + reply.usage, reply.model or self._model, reply.text
        message = {"id": f"{self._session}-{self._turns}", "role": "assistant", "model": self._model}
        self._emit("assistant", message={**message, "content": reply.blocks, "usage": _tokens(reply.usage)})

    def _use(self, call: Call) -> Answer:
        answer = self._tools.use(call.name, call.arguments)
        if answer.denied:
            self._denials.append({"tool_name": call.name, "tool_use_id": call.id})
            self._emit("system", subtype="permission_denied", message=answer.text, **self._denials[-1])
        result = {"type": "tool_result", "tool_use_id": call.id, "content": answer.text, "is_error": answer.is_error}
        self._emit("user", message={"role": "user", "content": [result]})
        return answer

    def _end(self, reply: Reply) -> int:
        if reply.stop == "refusal":
            return self._close(reply.refusal or reply.text or "the model refused to go on", stop_reason="refusal")
        if reply.stop == "max_tokens":
            return self._close("the answer was cut: it is longer than the model may write", stop_reason="max_tokens")
        if not reply.text.strip():
            return self._close("the model answered with nothing", stop_reason="end_turn")
        self._keep()
        return self._close(self._answer(reply.text) if self._settings.answer else "", stop_reason="end_turn")

    def _answer(self, text: str) -> str:
        """Write the answer where it is looked for; say why that can't be done."""
        try:
            self._files.write(self._settings.answer, text.encode(errors="replace"))
        except (OSError, ValueError) as error:
            return f"the answer can't be written to `{self._settings.answer}`: {error}"
        return ""

    def _close(self, failure: str, *, subtype: str = "", status: int | None = None, **why: str) -> int:
        cost = self._cost()  # says so where nobody knows it
        self._emit(
            "result",
            subtype=subtype or ("error_during_execution" if failure else "success"),
            is_error=bool(failure),
            result=self._said,
            errors=[failure] if failure else [],
            api_error_status=status,
            num_turns=self._turns,
            duration_ms=round((time.monotonic() - self._started) * 1000),
            total_cost_usd=cost,
            usage=_tokens(self._usage),
            permission_denials=self._denials,
            **why,
        )
        return 1 if failure else 0

    def _cost(self) -> float:
        priced = (dollars(name, self._usage) for name in (self._model, self._settings.model))
        cost = next((price for price in priced if price is not None), None)
        if cost is None:
            self._emit("system", subtype="cost_unknown", message=unknown_cost(self._model))
        return cost or 0.0

    def _keep(self) -> None:
        """Keep the conversation; only where every call has its answer, else no server would take it."""
        path = _place(self._settings, self._session)
        try:
            path.with_suffix(".new").write_bytes(self._chat.dump())
            path.with_suffix(".new").replace(path)
        except OSError as error:
            self._emit("system", subtype="conversation_not_kept", message=f"`{path}`: {error.strerror}")

    def _emit(self, kind: str, **fields: Any) -> None:
        stamp = {"timestamp": datetime.now(UTC).isoformat(), "session_id": self._session, "parent_tool_use_id": None}
        print(json.dumps({"type": kind, **fields, **stamp}), flush=True)


def instructions_of(settings: ApiSettings) -> str:
    """Give what the model is told before the task: nothing of ours where it has no tools."""
    return "\n\n".join(filter(None, ("" if settings.answer else INSTRUCTIONS, settings.system_prompt)))


def _place(settings: ApiSettings, conversation: str) -> Path:
    folder = Path(settings.conversations) if settings.conversations else Path.home()
    return folder / f"conversation-{conversation}.json"


def _history(settings: ApiSettings) -> bytes:
    return _place(settings, settings.conversation).read_bytes() if settings.conversation else b""


def _init(settings: ApiSettings) -> dict[str, Any]:
    names = [] if settings.answer else [tool.name for tool in TOOLS]
    told = {"subtype": "init", "cwd": str(Path.cwd()), "model": settings.model, "tools": names}
    return {**told, "claude_code_version": f"pydantic-ai {version('pydantic-ai-slim')}", "api": settings.api}


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
    }


def main(arguments: list[str]) -> int:
    """Work on the prompt that stdin holds."""
    settings = ApiSettings.load(arguments[0])
    return asyncio.run(ApiAgent(settings, os.environ, Path.cwd()).work(sys.stdin.read()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
