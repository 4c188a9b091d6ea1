"""A Python test that passes -> one that fails, by its syntax tree and in its own file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def negate(path: Path, names: Sequence[str]) -> bool:
    """Make a test fail: `names` lead to it, classes first. False where it is not in the file."""
    try:
        module = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    function = _find(module, names)
    if function is None:
        return False
    # The test runs to its end, whatever way it ends; only then it fails.
    failing = ast.Raise(ast.Call(ast.Name("AssertionError", ast.Load()), [], []), None)
    function.body = [ast.Try(function.body, [], [], [failing])]
    try:
        text = ast.unparse(ast.fix_missing_locations(module))
    except RecursionError:
        return False
    path.write_text(text, encoding="utf-8")
    return True


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
