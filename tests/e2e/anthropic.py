"""A scripted server on loopback that speaks Anthropic's Messages, streaming and not: what a real Claude Code talks to.

A script says what is answered to each request. Whatever is asked is kept, and so is what the answers claim to cost.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from loopback import Handler, on_loopback
from loopwright.records.budget import Usage

Body = Mapping[str, Any]
Block = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request for a message."""

    number: int
    body: Body
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """All that was sent, as JSON with its words readable."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def prompt(self) -> str:
        """What the conversation began with, in the user's role."""
        content = self.body["messages"][0]["content"]
        return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)

    @property
    def system(self) -> str:
        """What the model is told besides the conversation."""
        told = self.body["system"]
        return told if isinstance(told, str) else "\n".join(block["text"] for block in told)

    @property
    def tools(self) -> set[str]:
        return {tool["name"] for tool in self.body.get("tools", ())}

    @property
    def conversation(self) -> str:
        """The conversation that it is of, as the program calls it."""
        return self.headers["X-Claude-Code-Session-Id"]

    @property
    def results(self) -> list[Block]:
        """The results of tools that came with it since the last answer."""
        found: list[Block] = []
        for message in reversed(self.body["messages"]):
            if message["role"] == "assistant":
                break
            blocks = [] if isinstance(message["content"], str) else message["content"]
            found = [block for block in blocks if block.get("type") == "tool_result"] + found
        return found


@dataclass(frozen=True)
class Answer:
    """What the server does with a request."""

    blocks: Sequence[Block] = ()
    stop_reason: str = "end_turn"
    usage: Usage = Usage(input=100, output=20)
    status: int = 200
    error: str = ""
    """The kind of error, where the status is one."""
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    flaw: Literal["", "garbage", "cut", "silent"] = ""
    """What goes wrong on the way: bytes that are no JSON, an end in the middle, or nothing at all."""


Script = Callable[[Asked], Answer]


def says(text: str) -> Answer:
    """Answer with words; the agent's turn ends with that."""
    return Answer(({"type": "text", "text": text},))


def uses(tool: str, **arguments: Any) -> Answer:
    """Answer with a call of a tool."""
    return Answer(({"type": "tool_use", "name": tool, "input": arguments},), stop_reason="tool_use")


def fails(status: int, error: str, message: str = "the script says so", **headers: str) -> Answer:
    """Answer with an error of HTTP; an underscore in the name of a header is a dash."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, error=error, message=message, headers=named)


def flawed(flaw: Literal["garbage", "cut", "silent"]) -> Answer:
    """Answer with something that is no answer."""
    return replace(says("half of this never arrives, and nobody should take it for whole"), flaw=flaw)


def in_turn(*answers: Answer) -> Script:
    """Answer one after the other, and say so when there are no more."""
    return lambda asked: answers[asked.number] if asked.number < len(answers) else says("(the script is at its end)")


def at_first(trouble: Answer, after: Script) -> Script:
    """Answer with trouble for the whole of the first conversation, however often it asks; then as another script does.

    That one counts its requests from 0.
    """
    failed: dict[str, list[int]] = {}

    def answer(asked: Asked) -> Answer:
        if not failed or asked.conversation in failed:
            failed.setdefault(asked.conversation, []).append(asked.number)
            return trouble
        return after(replace(asked, number=asked.number - sum(map(len, failed.values()))))

    return answer


class Server:
    """A server at work; `requests` and `usage` may be looked at at any time."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Asked] = []
        self.usage = Usage()
        """What the answers that arrived in full claimed, all together."""
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self.url = ""
        """Known while it is running."""

    def ask(self, body: Body, headers: Mapping[str, str]) -> Asked:
        """Keep a request."""
        with self._lock:
            asked = Asked(len(self.requests), body, headers)
            self.requests.append(asked)
        return asked

    def count(self, answer: Answer) -> None:
        """Add what an answer claims to have used."""
        with self._lock:
            self.usage += answer.usage

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Serve until the block ends."""
        with on_loopback(_handler(self), self.ended) as self.url:
            yield self


def _handler(server: Server) -> type[Handler]:
    class Model(Handler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def post(self) -> None:
            body = json.loads(self.body())
            if self.path.partition("?")[0] == "/v1/messages":
                asked = server.ask(body, dict(self.headers))
                self._answer(asked, server.script(asked))
            else:
                self._whole(200, b'{"input_tokens": 100}')

        def _answer(self, asked: Asked, answer: Answer) -> None:
            if answer.flaw == "silent":
                server.ended.wait()
                self.close_connection = True
            elif answer.status != 200:
                self._whole(answer.status, _error(answer), answer.headers)
            elif answer.flaw == "garbage":
                self._whole(200, b"<html>a portal of somebody's network</html>", {"Content-Type": "text/html"})
            else:
                message = _message(answer, asked)
                if asked.body.get("stream"):
                    self._send(answer, _streamed(message), "text/event-stream")
                else:
                    self._send(answer, json.dumps(message).encode(), "application/json")

        def _send(self, answer: Answer, content: bytes, kind: str) -> None:
            if answer.flaw != "cut":
                server.count(answer)
                self._whole(200, content, {"Content-Type": kind})
                return
            self._head(200, len(content), {"Content-Type": kind})
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True

        def _whole(self, status: int, content: bytes, headers: Mapping[str, str] = {}) -> None:
            self._head(status, len(content), headers)
            self.wfile.write(content)

        def _head(self, status: int, length: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            told = {"Content-Type": "application/json", "Content-Length": str(length), "request-id": "req_1"}
            for name, value in {**told, **headers}.items():
                self.send_header(name, value)
            self.end_headers()

    return Model


def _error(answer: Answer) -> bytes:
    return json.dumps({"type": "error", "error": {"type": answer.error, "message": answer.message}}).encode()


def _message(answer: Answer, asked: Asked) -> Body:
    blocks = [_with_id(block, f"toolu_{asked.number}_{place}") for place, block in enumerate(answer.blocks)]
    return {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": blocks,
        "stop_reason": answer.stop_reason,
        "stop_sequence": None,
        "usage": _usage(answer.usage),
    }


def _with_id(block: Block, name: str) -> Block:
    return {**block, "id": name} if block["type"] == "tool_use" else block


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
    }


def _streamed(message: Body) -> bytes:
    return b"".join(f"event: {line['type']}\ndata: {json.dumps(line)}\n\n".encode() for line in _lines(message))


def _lines(message: Body) -> Iterator[dict[str, Any]]:
    """Take a message apart into the events of a stream; its output is only counted at the end."""
    usage = {**message["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}}
    for index, block in enumerate(message["content"]):
        empty, delta = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _pieces(block: Block) -> tuple[Block, Block]:
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
