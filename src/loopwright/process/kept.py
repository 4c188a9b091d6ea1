"""Calls in an interpreter of its own (see aside.py) that is kept for the next one: most take less than a start.

Only for functions that depend on nothing but what they are given: they share modules, environment and memory.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from loopwright.errors import SetupError
from loopwright.process.aside import order_of

P = ParamSpec("P")
T = TypeVar("T")

# The alarm is the kernel's: what hangs is ended also when nobody is left to kill it. Without us there is no more input.
_CHILD = """
import importlib, json, signal, sys
for line in sys.stdin:
    order = json.loads(line)
    signal.setitimer(signal.ITIMER_REAL, order["limit_s"])
    sys.path[:] = order["path"]
    try:
        function = getattr(importlib.import_module(order["module"]), order["name"])
        told = {"answer": function(*order["arguments"])}
    except Exception as error:
        told = {"failed": f"{type(error).__name__}: {error}"}
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps(told), flush=True)
"""
_MOST_CALLS = 500
"""Then a fresh one is taken, so that none grows for ever."""


class _Interpreter:
    """One that waits for orders."""

    def __init__(self) -> None:
        pipe, argv = subprocess.PIPE, [sys.executable, "-I", "-S", "-c", _CHILD]
        # A group of its own: Ctrl-C is for us, and we see to it that it ends.
        self._process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, process_group=0)
        self.calls = 0

    def ask(self, order: bytes, timeout_s: float) -> Any:
        """Give what it tells; TimeoutError where it takes longer, OSError where it has ended."""
        assert self._process.stdin and self._process.stdout
        self.calls += 1
        until, told = time.monotonic() + timeout_s, b""
        self._process.stdin.write(order + b"\n")
        self._process.stdin.flush()
        news = select.poll()
        news.register(self._process.stdout, select.POLLIN)
        while not told.endswith(b"\n"):
            if not news.poll(max(0.0, until - time.monotonic()) * 1000):
                raise TimeoutError(f"took longer than {timeout_s:g} s")
            chunk = os.read(self._process.stdout.fileno(), 1_000_000)
            if not chunk:
                raise BrokenPipeError("the interpreter has ended")
            told += chunk
        return json.loads(told)

    def end(self) -> None:
        self._process.kill()
        with suppress(OSError), self._process:
            pass


_FREE: list[_Interpreter] = []


def kept(timeout_s: float, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
    """Call a module's function; TimeoutError when it takes longer. What goes in and comes out is plain data."""
    order = json.dumps(order_of(timeout_s, function, arguments, named)).encode()
    told = _asked(order, timeout_s)
    if "failed" in told:
        raise SetupError(f"`{function.__name__}` failed in its own interpreter: {told['failed'][:500]}")
    answer: T = told["answer"]
    return answer


def _asked(order: bytes, timeout_s: float) -> Any:
    while _FREE:
        with suppress(IndexError, BrokenPipeError):  # another thread has it; somebody has ended it
            return _ask(_FREE.pop(), order, timeout_s)
    try:
        return _ask(_Interpreter(), order, timeout_s)
    except BrokenPipeError as error:
        raise SetupError(f"a call in an interpreter of its own failed: {error}") from None


def _ask(interpreter: _Interpreter, order: bytes, timeout_s: float) -> Any:
    try:
        told = interpreter.ask(order, timeout_s)
    except BaseException:
        interpreter.end()
        raise
    if interpreter.calls < _MOST_CALLS:
        _FREE.append(interpreter)
    else:
        interpreter.end()
    return told


@atexit.register
def _end_all() -> None:
    while _FREE:
        _FREE.pop().end()
