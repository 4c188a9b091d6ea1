"""The file in which Codex keeps a conversation -> its model, its version and the tokens so far.

Its stream tells tokens only at the end of a turn, and never the model. Who is ended in the middle has used some, too.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from loopwright.records.budget import Usage
from loopwright.text.bounded import field, mapping, parse
from loopwright.text.codex_lines import usage_of

_NAME = re.compile(r"[0-9a-fA-F-]{8,64}")
_TELLING = (b'"session_meta"', b'"turn_context"', b'"token_usage_record"', b'"token_count"')
_AT_ONCE, _CHUNKS, _LONGEST = 8_000_000, 20, 20_000_000
_SEARCHES = 50
_HEAD = 400
"""A line says what it is within so many bytes; what the model wrote comes later."""


class Rollout:
    """One conversation's file, read as it grows. It holds what an agent could have written: numbers for limits only."""

    def __init__(self, home: Path) -> None:
        self._sessions = home / "sessions"
        self._file: Path | None = None
        self._offset = self._searches = 0
        self._rest = b""
        self.model = self.version = ""
        self.used = Usage()
        """In the whole conversation, also before it was taken up again."""

    def look(self, conversation: str) -> None:
        """Read what has come since the last look."""
        for _ in range(_CHUNKS):
            if not (chunk := self._next(self._find(conversation))):
                return
            *lines, rest = (self._rest + chunk).split(b"\n")
            self._rest = rest[-_LONGEST:]
            for line in lines:
                if any(word in line[:_HEAD] for word in _TELLING):
                    self._take(line)

    def _find(self, conversation: str) -> Path | None:
        if self._file is None and self._searches < _SEARCHES and _NAME.fullmatch(conversation):
            self._searches += 1
            self._file = next(self._sessions.glob(f"*/*/*/rollout-*{conversation}.jsonl"), None)
        return self._file

    def _next(self, file: Path | None) -> bytes:
        if file is None:
            return b""
        try:
            # An agent can put anything in its place: what is no plain file is not read, and never waited for.
            with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
                if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                    return b""
                opened.seek(self._offset)
                chunk = opened.read(_AT_ONCE)
        except OSError:
            return b""
        self._offset += len(chunk)
        return chunk

    def _take(self, line: bytes) -> None:
        try:
            told = mapping(parse(line.decode(errors="replace")))
        except ValueError:
            return
        payload = mapping(told.get("payload"))
        match told.get("type"):
            case "session_meta":
                self.version = field(payload.get("cli_version"), 100)
            case "turn_context":
                self.model = field(payload.get("model"), 200) or self.model
            case "token_usage_record":
                self._count(payload.get("thread_token_usage"))
            case "event_msg" if payload.get("type") == "token_count":
                self._count(mapping(payload.get("info")).get("total_token_usage"))

    def _count(self, usage: object) -> None:
        if isinstance(usage, Mapping):
            self.used = usage_of(usage)
