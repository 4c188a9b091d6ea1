"""Cursor's transcripts of plain text, block by block."""

from __future__ import annotations

from loopwright.text.bounded import TEXT_LIMIT
from loopwright.text.cursor_text import Block, arguments_of, blocks_of


def _blocks(*lines: str) -> list[Block]:
    return list(blocks_of(f"{line}\n" for line in lines))


def test_marks_begin_blocks() -> None:
    """Who speaks, what was thought, called and answered."""
    assert _blocks(
        "user:", "Hi", "A:", "[Thinking] Hm.", "", "Hello", "[Tool call] Read", "[Tool result] Read", "x"
    ) == [
        Block("user", "", "Hi"),
        Block("thinking", "", "Hm."),
        Block("assistant", "", "Hello"),
        Block("call", "Read", ""),
        Block("result", "Read", "x"),
    ]


def test_a_mark_in_what_a_human_asked_is_none() -> None:
    """Between the tags of a query everything is the human's."""
    assert [
        block.kind for block in _blocks("user:", "<user_query>", "assistant:", "</user_query>", "assistant:", "x")
    ] == [*("user", "assistant")]


def test_a_long_block_is_cut() -> None:
    """A result of any length does not fill the memory."""
    found = _blocks("[Tool result] Shell", *["x" * 999] * 1000)
    assert TEXT_LIMIT < len(found[0].text) < TEXT_LIMIT + 1000


def test_arguments_are_read_line_by_line() -> None:
    """A line without a name belongs to the argument before it."""
    assert arguments_of("  command: ls\n  -la: x\nmore\n  path: a") == {"command": "ls\n  -la: x\nmore", "path": "a"}
    assert arguments_of("nothing") == {}
