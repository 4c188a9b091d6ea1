"""The lines of Claude Code's transcripts, as far as anybody wants to know them."""

from __future__ import annotations

from typing import Any

import msgspec

from loopwright.ingest.reading import parsed
from loopwright.ingest.typed import lenient


class Block(msgspec.Struct):
    """A part of a message."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: Any = None
    is_error: bool | None = None


class Written(msgspec.Struct):
    """How long what was written to a cache is kept there."""

    ephemeral_1h_input_tokens: int | None = 0


class Usage(msgspec.Struct):
    """The tokens of a message; its lines repeat them."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_creation: Written | None = None


class Message(msgspec.Struct):
    """What the model or the user said."""

    content: str | list[Block] | None = None
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None


class Line(msgspec.Struct, rename="camel"):
    """One line; most kinds have only some of these."""

    type: str = ""
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    message: Message | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw()
    parent_tool_use_id: str | None = msgspec.field(default=None, name="parentToolUseID")
    data: Progress | None = None
    content: str | None = None
    summary: str | None = None
    ai_title: str | None = None
    custom_title: str | None = None


class Progress(msgspec.Struct):
    """What a tool that is still at work has to say: a subagent's messages, among others."""

    type: str = ""
    message: Line | None = None


class Ran(msgspec.Struct, rename="camel"):
    """What Claude Code notes of a command besides what it printed."""

    background_task_id: str | None = None
    interrupted: bool | None = None
    return_code_interpretation: str | None = None


_decode = msgspec.json.Decoder(Line).decode
_decode_ran = msgspec.json.Decoder(Ran).decode


def line_of(raw: bytes) -> Line | None:
    """Read a line; None where it is no object. A field of another type than it should be is left out."""
    try:
        return _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = parsed(raw)
        return lenient(value, Line) if isinstance(value, dict) else None


def ran(raw: msgspec.Raw) -> Ran:
    """Read what is noted of a command; often it is a text or a list."""
    try:
        return _decode_ran(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Ran()
