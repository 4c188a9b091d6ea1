"""What Codex told its model of a tool call -> the text, and whether it failed; only Codex's own words are trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from loopwright.text.amounts import amount, exit_code
from loopwright.text.bounded import bounded, field, items, mapping
from loopwright.text.fingerprint import fingerprint

_HEADED = ("Chunk ID: ", "Exit code: ", "Wall time", "Process ", "Command: ", "Script ")
_HEADER = 2000
_OUTPUT = "\nOutput:\n"
_CODES = ("Process exited with code ", "Exit code: ")
_FAILED = (
    *("apply_patch verification failed", "unsupported call: ", "unsupported custom tool call: ", "exec_command failed"),
    *("failed to parse function arguments", "write_stdin failed", "execution error: ", "unable to locate image at"),
    *("patch rejected", "exec command rejected", "rejected by user", "err: ", "tool call error: ", "Script failed"),
    *("collab spawn failed", "user rejected MCP tool call", "user cancelled MCP tool call", "failed in sandbox"),
    *("sandbox denied exec error", "approval policy is ", "command rejected"),
)
_REJECTED = (
    *("exec command rejected by user", "patch rejected by user", "rejected by user"),
    *("user rejected MCP tool call", "user cancelled MCP tool call"),
)
_BY_RULE = ("rejected by user approval settings", "blocked by policy", "approval policy is ", "patch rejected: ")
_ABORTED = ("aborted by user", "aborted")


@dataclass(frozen=True)
class Output:
    """The result of a call, as far as its text tells."""

    text: str
    said: str = ""
    """The text without what Codex put before it."""
    exit_code: int | None = None
    duration_s: float | None = None
    is_error: bool = False
    is_rejected: bool = False
    """Whether a human said no."""
    is_denied: bool = False
    """Whether the agent's own rules said no."""
    head: str = ""
    """What Codex put before it."""

    @property
    def words(self) -> str:
        """What the tool itself gave; where that is nothing, how it ended."""
        ended = f"exit code {self.exit_code}" if self.exit_code else ""
        return self.said or ended or ("" if self.head and not self.is_error else self.text)

    def fingerprint(self) -> str:
        """Give what like errors share."""
        return fingerprint(bounded(self.words) or f"exit code {self.exit_code}")


def read_output(given: object) -> Output:
    """Read a result in any of the shapes that it had: text, JSON in text, a list of parts, an object."""
    text, failed = _text(given)
    if text.startswith('{"output":') and (packed := _packed(text)):
        return packed
    if text.startswith(_HEADED):
        return _headed(text, failed)
    if failed or text.startswith(_FAILED) or "blocked by policy" in text[:_HEADER]:
        start = text[:_HEADER]
        by_rule = any(words in start for words in _BY_RULE)
        return Output(text, text, None, None, True, not by_rule and start.startswith(_REJECTED), by_rule)
    return Output(text, text)


def is_aborted(output: Output) -> bool:
    """Say whether a human stopped the agent before the call had ended."""
    return output.exit_code is None and output.text.startswith(_ABORTED) and len(output.text) < 100


def _text(given: object) -> tuple[str, bool]:
    """Give the text of a result, and whether it is said to have failed."""
    if isinstance(given, str):
        return given, False
    if isinstance(given, dict):
        text, _ = _text(given.get("content"))
        return text, given.get("success") is False
    parts = [mapping(part) for part in items(given)]
    return "\n".join(_part(part) for part in parts), False


def _part(part: Any) -> str:
    text = part.get("text")
    return text if isinstance(text, str) else f"[{field(part.get('type'), 100)}]"


def _packed(text: str) -> Output | None:
    """Read `{"output": …, "metadata": {"exit_code": …, "duration_seconds": …}}`."""
    try:
        told = mapping(orjson.loads(text))
    except ValueError:
        return None
    said, about = told.get("output"), mapping(told.get("metadata"))
    if not isinstance(said, str):
        return None
    code = exit_code(about.get("exit_code"))
    return Output(said, said, code, amount(about.get("duration_seconds")) or None, bool(code))


def _headed(text: str, failed: bool) -> Output:
    head, found, _ = text[:_HEADER].partition(_OUTPUT)
    said = text[len(head) + len(_OUTPUT) :] if found else ""
    code, took = None, None
    for line in head.split("\n"):
        if line.startswith(_CODES):
            code = _whole(line.rpartition(" ")[2])
        elif line.startswith("Wall time"):
            took = _seconds(line)
    is_error = failed or bool(code) or text.startswith(_FAILED)
    return Output(text, said, code, took, is_error, head=head if found else "")


def _whole(word: str) -> int | None:
    return exit_code(int(word)) if len(word) < 12 and word.removeprefix("-").isdecimal() and word.isascii() else None


def _seconds(line: str) -> float | None:
    """Read `Wall time: 0.6197 seconds`."""
    for word in line.split()[2:3]:
        try:
            return amount(float(word))
        except ValueError:
            return None
    return None
