"""Calls in an interpreter that is kept for the next one."""

from __future__ import annotations

import os
import re
import signal
import textwrap
import threading
import time

import pytest

from loopwright.errors import SetupError
from loopwright.process.kept import kept


def test_the_same_interpreter_answers_again() -> None:
    """The second call needs no new one, and it is not ours."""
    first = kept(10, os.getpid)
    assert kept(10, os.getpid) == first != os.getpid()


def test_two_at_once_have_one_each() -> None:
    """Nobody waits for somebody else's call."""
    started = time.monotonic()
    threads = [threading.Thread(target=kept, args=(10, time.sleep, 0.5)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - started < 1.8


def test_what_hangs_is_ended_and_the_next_call_works() -> None:
    """What holds the interpreter's lock is ended at the limit, with its interpreter."""
    with pytest.raises(TimeoutError, match=r"0\.3 s"):
        kept(0.3, re.fullmatch, "(a+)+", "a" * 60 + "b")
    assert kept(10, os.path.basename, "/a/b") == "b"


def test_a_failure_is_told_and_is_not_the_end() -> None:
    """An exception there is an error here, and the interpreter goes on."""
    pid = kept(10, os.getpid)
    with pytest.raises(SetupError, match="FileNotFoundError"):
        kept(10, os.listdir, "/no/such/folder")
    assert kept(10, os.getpid) == pid


def test_one_that_was_killed_is_replaced() -> None:
    """Somebody else's kill costs a start and no answer."""
    pid = kept(10, os.getpid)
    os.kill(pid, signal.SIGKILL)
    assert kept(10, os.getpid) != pid


def test_a_long_text_comes_through() -> None:
    """Neither pipe is a limit."""
    text = "ä\n" * 2_000_000
    assert kept(30, textwrap.dedent, text) == text


def test_arguments_by_name_are_refused() -> None:
    """They would be lost."""
    with pytest.raises(TypeError, match="by position"):
        kept(10, os.listdir, path="/")
