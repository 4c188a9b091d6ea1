"""The program behind the agent `scripted`: plays one attempt of a TOML script and tells of it in stream-json.

[[attempt]]
actions = [{ say = "…" }, { read = "a.py" }, { write = "a.py", content = "…" }, { run = "pytest -q" },
           { edit = "a.py", old = "…", new = "…" }, { delete = "a.py" }, { wait = 0.2 },
           { impossible = "reason" }, { fail = "message" }]
says = "Done."                        # all of these are optional
cost_usd = 0.01
tokens = { input = 1200, output = 300 }
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Tool = tuple[str, dict[str, Any], Callable[[], str]]
"""Its name, its input, and what it does; a mistake is raised as a ValueError or an OSError."""


_ACTIONS = frozenset({"say", "read", "write", "edit", "run", "delete", "wait", "impossible", "fail"})
_INIT = {"tools": ["Read", "Write", "Edit", "Bash"], "permissionMode": "acceptEdits", "claude_code_version": "scripted"}


class Apprentice:
    """One attempt, played."""

    def __init__(self, attempt: Mapping[str, Any], number: int) -> None:
        self._attempt = attempt
        self._number = number
        self._model = os.environ.get("LOOPWRIGHT_MODEL", "scripted")
        self._session = f"apprentice-{number}"
        self._messages = 0
        self._said = ""
        self._started = time.monotonic()
        tokens = attempt.get("tokens", {})
        self._input, self._output = int(tokens.get("input", 0)), int(tokens.get("output", 0))

    def play(self) -> int:
        """Do all actions and give the exit code."""
        self._emit("system", subtype="init", cwd=str(Path.cwd()), model=self._model, **_INIT)
        for action in self._attempt.get("actions", []):
            if "impossible" in action:
                return self._close(f"impossible, because {action['impossible']}")
            if "fail" in action:
                return self._close("", action["fail"])
            self._act(action)
        return self._close(self._attempt.get("says", ""))

    def _act(self, action: Mapping[str, Any]) -> None:
        if "say" in action:
            self._said = action["say"]
            self._speak({"type": "text", "text": self._said})
        elif "wait" in action:
            time.sleep(action["wait"])
        else:
            self._use(*_tool(action))

    def _use(self, tool: str, given: dict[str, Any], work: Callable[[], str]) -> None:
        call_id = f"toolu_{self._number}_{self._messages + 1}"
        self._speak({"type": "tool_use", "id": call_id, "name": tool, "input": given})
        try:
            text, is_error = work(), False
        except (OSError, ValueError) as error:
            text, is_error = str(error), True
        result = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}
        self._emit("user", message={"role": "user", "content": [result]}, **_stamp())

    def _speak(self, block: dict[str, Any]) -> None:
        self._messages += 1
        usage = _usage(self._input // max(1, len(self._attempt.get("actions", []))), 1)
        message = {"id": f"msg_{self._number}_{self._messages}", "role": "assistant", "model": self._model}
        self._emit("assistant", message={**message, "content": [block], "usage": usage}, **_stamp())

    def _close(self, words: str, failure: str = "") -> int:
        if words:
            self._said = words
            self._speak({"type": "text", "text": words})
        self._emit(
            "result",
            **({"subtype": "error_during_execution", "errors": [failure]} if failure else {"subtype": "success"}),
            is_error=bool(failure),
            result=self._said,
            num_turns=self._messages,
            duration_ms=round((time.monotonic() - self._started) * 1000),
            total_cost_usd=float(self._attempt.get("cost_usd", 0)),
            usage=_usage(self._input, self._output),
            permission_denials=[],
        )
        return 1 if failure else 0

    def _emit(self, kind: str, **fields: Any) -> None:
        print(json.dumps({"type": kind, **fields, "session_id": self._session}), flush=True)


def _tool(action: Mapping[str, Any]) -> Tool:
    if "run" in action or "delete" in action:
        command = action["run"] if "run" in action else f"rm -r -- {shlex.quote(action['delete'])}"
        return "Bash", {"command": command}, lambda: _run(command)
    name = next(name for name in ("read", "write", "edit") if name in action)
    path = Path.cwd() / action[name]
    given = {"file_path": str(path)}
    if name == "read":
        return "Read", given, lambda: _read(path)
    if name == "write":
        content = action.get("content", "")
        return "Write", {**given, "content": content}, lambda: _write(path, content)
    old, new = action["old"], action["new"]
    return "Edit", {**given, "old_string": old, "new_string": new}, lambda: _edit(path, old, new)


def _run(command: str) -> str:
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["/bin/sh", "-c", command], **streams, check=False)
    output = done.stdout.decode("utf-8", "replace").rstrip("\n")
    if done.returncode:
        # A shell names the signal n that ended a command as 128 + n.
        code = done.returncode if done.returncode > 0 else 128 - done.returncode
        raise ValueError(f"Exit code {code}\n{output}".rstrip("\n"))
    return output or "(Bash completed with no output)"


def _read(path: Path) -> str:
    lines = _text(path).splitlines()
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))


def _write(path: Path, content: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")
    return f"File created successfully at: {path}"


def _edit(path: Path, old: str, new: str) -> str:
    text = _text(path)
    found = text.count(old) if old else 0
    if found != 1:
        problem = f"Found {found} matches of the string to replace" if found else "String to replace not found in file"
        raise ValueError(f"{problem}.\nString: {old}")
    _write(path, text.replace(old, new))
    return f"The file {path} has been updated successfully."


def _text(path: Path) -> str:
    if not path.exists():
        raise ValueError(f"File does not exist: {path}")
    return path.read_bytes().decode("utf-8", "replace")


def _usage(input: int, output: int) -> dict[str, int]:
    return {"input_tokens": input, "output_tokens": output}


def _stamp() -> dict[str, Any]:
    return {"parent_tool_use_id": None, "timestamp": datetime.now(UTC).isoformat()}


def _attempt(script: Path, number: int) -> Mapping[str, Any]:
    attempts = tomllib.loads(script.read_text(encoding="utf-8")).get("attempt")
    if not attempts:
        raise ValueError("it has no [[attempt]]")
    attempt: Mapping[str, Any] = attempts[min(number, len(attempts)) - 1]
    for action in attempt.get("actions", []):
        if len(_ACTIONS.intersection(action)) != 1:
            raise ValueError(f"`{action}` is not one action; each has one of: {', '.join(sorted(_ACTIONS))}")
    return attempt


def main(arguments: list[str]) -> int:
    """Play the attempt that LOOPWRIGHT_ITERATION names; past the end, the last one again."""
    try:
        number = int(os.environ.get("LOOPWRIGHT_ITERATION", "1"))
        return Apprentice(_attempt(Path(arguments[0]), number), number).play()
    except (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError) as error:
        print(f"the script can't be played: {type(error).__name__}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
