"""Call a function in an interpreter of its own: what hangs there is ended, and holds up nothing here.

A regular expression that backtracks keeps the interpreter's lock, so that neither a thread nor a signal handler of the
same process could end it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from loopwright.errors import SetupError
from loopwright.process.tool import call

P = ParamSpec("P")
T = TypeVar("T")

# The alarm is the kernel's: it ends the child at its limit also when nobody is left to kill it.
_CHILD = """
import importlib, json, signal, sys
order = json.load(sys.stdin)
signal.setitimer(signal.ITIMER_REAL, order["limit_s"])
sys.path[:] = order["path"]
function = getattr(importlib.import_module(order["module"]), order["name"])
json.dump(function(*order["arguments"]), sys.stdout)
"""


def aside(timeout_s: float, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
    """Call a module's function; TimeoutError when it takes longer. What goes in and comes out is plain data."""
    order = order_of(timeout_s, function, arguments, named)
    argv = [sys.executable, "-I", "-S", "-c", _CHILD]
    done = call(argv, environment=os.environ, limit_s=timeout_s, stdin=json.dumps(order).encode())
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise SetupError(f"`{function.__name__}` failed in its own interpreter: {last[:500] or done.returncode}")
    answer: T = json.loads(done.stdout)
    return answer


def order_of(
    timeout_s: float, function: Callable[..., object], arguments: Sequence[object], named: Mapping[str, object]
) -> dict[str, Any]:
    """Say what another interpreter has to do."""
    if named:
        raise TypeError("arguments are given by position")
    return {
        "module": function.__module__,
        "name": function.__name__,
        "arguments": arguments,
        "path": sys.path,
        "limit_s": timeout_s + 1,
    }
