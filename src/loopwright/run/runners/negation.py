"""A Python test that passes -> one that fails, by its syntax tree and in its own file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from loopwright.run.runners.sources import is_own, write_text

_Function = ast.FunctionDef | ast.AsyncFunctionDef

_FAILING = {
    "assertEqual": "0, 1",
    "assertTrue": "False",
    "assertFalse": "True",
    "assertIn": "0, []",
    "assertIs": "0, None",
    "assertIsNone": "0",
    "assertIsNotNone": "None",
    "assertAlmostEqual": "0, 1",
    "assertGreater": "0, 1",
    "assertLess": "1, 0",
    "assertDictEqual": "{}, {0: 0}",
    "assertListEqual": "[], [0]",
}
"""How the assertions of unittest are made to fail."""


def negate(root: Path, file: str, names: Sequence[str], *, plain: bool) -> bool:
    """Make a test fail: `names` lead to it, classes first. False where it is not in the file, or that not in the tree.

    It fails by what it uses itself, which somebody may have patched: an assertion of unittest, or (`plain`) an assert.
    """
    if not is_own(root, file):
        return False
    try:
        module = ast.parse((root / file).read_bytes())  # as bytes: a file says itself how it is encoded
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    function = _find(module, names)
    if function is None:
        return False
    failing = _assertion(function) or ("assert False" if plain else "raise AssertionError")
    text = _with_a_line(root / file, function, failing) or _rewritten(module, function, failing)
    if text:
        write_text(root, file, text)
    return bool(text)


def _with_a_line(path: Path, function: _Function, failing: str) -> str:
    """Add a line at the end of a test, and change nothing else, for other tests may look at the file; else empty."""
    first, last = function.body[0], function.body[-1]
    leaves = any(isinstance(node, ast.Return | ast.Raise) for node in ast.walk(function))
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return ""
    indent = lines[first.lineno - 1][: first.col_offset]
    if leaves or first.lineno == function.lineno or indent.strip() or "coding" in "".join(lines[:2]):
        return ""
    lines.insert(last.end_lineno or last.lineno, indent + failing)
    return "\n".join(lines)


def _rewritten(module: ast.Module, function: _Function, failing: str) -> str:
    """Let the test run to its end, whatever way it ends, and fail only then."""
    function.body = [ast.Try(function.body, [], [], ast.parse(failing).body)]
    try:
        return ast.unparse(ast.fix_missing_locations(module))
    except RecursionError:
        return ""


def _assertion(function: _Function) -> str:
    """The last assertion of unittest's that a test makes, made to fail; empty where it makes none that we know."""
    if not function.args.args:
        return ""
    instance = function.args.args[0].arg
    used = [
        node.func.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == instance
        and node.func.attr in _FAILING
    ]
    return f"{instance}.{used[-1]}({_FAILING[used[-1]]})" if used else ""


def _find(module: ast.Module, names: Sequence[str]) -> _Function | None:
    body: Sequence[ast.stmt] = module.body
    for number, name in enumerate(names):
        # The last of that name: it is the one that counts.
        found = [node for node in body if isinstance(node, _Function | ast.ClassDef) and node.name == name]
        if not found:
            return None
        node = found[-1]
        if number == len(names) - 1:
            return node if isinstance(node, _Function) and not _yields(node) else None
        body = node.body if isinstance(node, ast.ClassDef) else []
    return None


def _yields(function: _Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
