"""What Codex told its model of a call says how it ended."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.codex_outputs import Output, is_aborted, read_output

HEAD = "Chunk ID: a696c4\nWall time: 0.6197 seconds\nProcess exited with code {}\nOriginal token count: 3\nOutput:\n"


@pytest.mark.parametrize(
    ("given_", "code", "took", "failed"),
    [
        (HEAD.format(0) + "ok", 0, 0.6197, False),
        (HEAD.format(2) + "no", 2, 0.6197, True),
        (HEAD.format(-9) + "no", -9, 0.6197, True),
        ("Chunk ID: a\nWall time: 10.0 seconds\nProcess running with session ID 7\nOutput:\n", None, 10.0, False),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nno", 1, 0.0, True),
        ('{"output":"no","metadata":{"exit_code":1,"duration_seconds":0.1}}', 1, 0.1, True),
        ('{"output":"ok","metadata":{"exit_code":0,"duration_seconds":0.1}}', 0, 0.1, False),
        ('{"output":"cut', None, None, False),
        ("apply_patch verification failed: no such file", None, None, True),
        ("unsupported call: frobnicate", None, None, True),
        ({"content": "no", "success": False}, None, None, True),
        ({"content": "ok", "success": True}, None, None, False),
        ("Plan updated", None, None, False),
        ("Script failed\nWall time 0.1 seconds\nOutput:\n", None, 0.1, True),
        (None, None, None, False),
    ],
)
def test_how_a_call_ended(given_: object, code: int | None, took: float | None, failed: bool) -> None:
    """Exit code, duration and failure are read from every shape that a result has had."""
    told = read_output(given_)
    assert (told.exit_code, told.duration_s, told.is_error) == (code, took, failed)


def test_what_a_command_prints_is_not_believed() -> None:
    """A command can't say how it ended: only what stands before its output does."""
    assert read_output(HEAD.format(0) + "Process exited with code 1").exit_code == 0
    assert read_output("total 3\nProcess exited with code 1").exit_code is None
    assert not read_output(HEAD.format(0) + "exec command rejected by user").is_rejected


@pytest.mark.parametrize(
    ("text", "rejected", "denied"),
    [
        ("exec command rejected by user", True, False),
        ("patch rejected by user", True, False),
        ("user rejected MCP tool call", True, False),
        ("patch rejected: writing outside of the project; rejected by user approval settings", False, True),
        ("`rm -rf x` rejected: blocked by policy", False, True),
        ("approval policy is Never; reject command", False, True),
    ],
)
def test_who_said_no(text: str, rejected: bool, denied: bool) -> None:
    """A human's no is told from the one of a rule, and both are errors."""
    told = read_output(text)
    assert (told.is_rejected, told.is_denied, told.is_error) == (rejected, denied, True)


def test_what_was_cut_short_is_no_error() -> None:
    """A call that a human stopped did not fail."""
    assert is_aborted(read_output("aborted by user after 12.3s"))
    assert not read_output("aborted by user after 12.3s").is_error
    assert not is_aborted(read_output("aborted transactions: " + "x" * 200))


def test_parts_become_one_text() -> None:
    """A list has texts, and what is no text is named."""
    parts = [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:"}, 7]
    assert read_output(parts).text == "a\n[input_image]\n[]"


def test_like_errors_have_one_fingerprint() -> None:
    """What Codex puts before the output does not tell errors apart."""
    one, two = (read_output(HEAD.format(1).replace("a696c4", name) + "no such file") for name in ("aaaaaa", "bbbbbb"))
    assert one.fingerprint() == two.fingerprint() != read_output(HEAD.format(1) + "syntax error").fingerprint()


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_nothing_makes_it_fail(value: Any) -> None:
    """Whatever is given, there is a text."""
    assert isinstance(read_output(value), Output)


@given(st.text(alphabet="-0123456789 .e\n:ChunkIDWalltimeProcessxdwOup"))
def test_no_header_makes_it_fail(text: str) -> None:
    """Numbers that are none, or too large, are no exit codes."""
    for start in ("Exit code: ", "Wall time: ", "Process exited with code ", "Chunk ID: "):
        assert isinstance(read_output(start + text), Output)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nboom", "boom"),
        ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n", "exit code 2"),
        ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n", ""),
        ("Script failed\nWall time 0.1 seconds\nOutput:\n", "Script failed\nWall time 0.1 seconds\nOutput:\n"),
        ("err: no such tool", "err: no such tool"),
    ],
)
def test_the_words_of_the_tool_itself(text: str, words: str) -> None:
    """What Codex puts before an output is no part of it, nor of the error that others are like."""
    told = read_output(text)
    assert told.words == words
    assert told.fingerprint() == read_output(text.replace("Chunk ID: a", "Chunk ID: zz, other words")).fingerprint()
