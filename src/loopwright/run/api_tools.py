"""The tools of the agent `api`: read, write, edit and run, below one folder and within limits.

What a command does is not confined here, only how long it takes and how much of its output comes back.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.process.command import run_command
from loopwright.run.enclosure import Denied, Enclosure
from loopwright.text.excerpt import shortened

TEXT_LIMIT = 40_000
"""Characters of one result, whatever the tool."""
ENTRIES_LIMIT = 1000
COMMAND_S, COMMAND_LIMIT_S = 120.0, 300.0

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer", "minimum": 1}
_PATH = {"type": "string", "description": "relative to the root of the repository"}


@dataclass(frozen=True)
class Tool:
    """What the model is told of a tool."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    optional: frozenset[str] = frozenset()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        required = [name for name in self.parameters if name not in self.optional]
        return {
            "type": "object",
            "properties": dict(self.parameters),
            "required": required,
            "additionalProperties": False,
        }


TOOLS = (
    Tool(
        "Read",
        "Read a file, with line numbers, or list a folder. Of a long one, name the first line and how many.",
        {"file_path": _PATH, "offset": _NUMBER, "limit": _NUMBER},
        frozenset({"offset", "limit"}),
    ),
    Tool("Write", "Write a whole file; folders are made.", {"file_path": _PATH, "content": _TEXT}),
    Tool(
        "Edit",
        "Replace a text in a file. It has to stand there exactly once, unless all of them are to be replaced.",
        {"file_path": _PATH, "old_string": _TEXT, "new_string": _TEXT, "replace_all": {"type": "boolean"}},
        frozenset({"replace_all"}),
    ),
    Tool(
        "Bash",
        f"Run a shell command at the root of the repository; stdin is empty. It is ended after `timeout` seconds "
        f"({COMMAND_S:.0f} unless told, {COMMAND_LIMIT_S:.0f} at most), with everything that it started.",
        {"command": _TEXT, "timeout": _NUMBER},
        frozenset({"timeout"}),
    ),
)


@dataclass(frozen=True)
class Answer:
    """What came of a call."""

    text: str
    is_error: bool = False
    denied: bool = False


class Toolbox:
    """The tools of one attempt, below a folder; commands get `environment`."""

    def __init__(self, workspace: Path, environment: Mapping[str, str]) -> None:
        self._files, self._environment = Enclosure(workspace), environment

    def use(self, name: str, given: object) -> Answer:
        """Do what the model asks for; whatever is wrong with it comes back as an answer."""
        try:
            arguments = _checked(name, given)
            works: dict[str, Callable[[Mapping[str, Any]], str]] = {
                "Read": self._read,
                "Write": self._write,
                "Edit": self._edit,
                "Bash": self._run,
            }
            return Answer(shortened(works[name](arguments), TEXT_LIMIT))
        except Denied as error:
            return Answer(str(error), is_error=True, denied=True)
        except (OSError, ValueError) as error:
            return Answer(shortened(str(error), TEXT_LIMIT), is_error=True)

    def _read(self, given: Mapping[str, Any]) -> str:
        path = self._files.path(given["file_path"])
        if path.is_dir():
            names = sorted(entry.name + "/" * entry.is_dir() for entry in path.iterdir())
            more = [f"[… {len(names) - ENTRIES_LIMIT} more …]"] if len(names) > ENTRIES_LIMIT else []
            return "\n".join(names[:ENTRIES_LIMIT] + more) or "(empty folder)"
        first = given.get("offset", 1)
        lines = (
            self._files.read(given["file_path"])
            .decode("utf-8", "replace")
            .splitlines()[first - 1 :][: given.get("limit")]
        )
        return "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, first)) or "(no such lines)"

    def _write(self, given: Mapping[str, Any]) -> str:
        self._files.write(given["file_path"], given["content"].encode("utf-8", "replace"))
        return f"The file {given['file_path']} was written."

    def _edit(self, given: Mapping[str, Any]) -> str:
        path, old = given["file_path"], given["old_string"]
        # Bytes that are no text stay as they are.
        text = self._files.read(path).decode("utf-8", "surrogateescape")
        found = text.count(old) if old else 0
        if not found:
            raise ValueError("the text to replace was not found in the file")
        if found > 1 and not given.get("replace_all"):
            raise ValueError(f"the text to replace stands there {found} times: give more of what is around it")
        self._files.write(path, text.replace(old, given["new_string"]).encode("utf-8", "surrogateescape"))
        return f"The file {path} was changed."

    def _run(self, given: Mapping[str, Any]) -> str:
        limit = min(float(given.get("timeout", COMMAND_S)), COMMAND_LIMIT_S)
        argv = [shutil.which("bash") or "/bin/sh", "-c", given["command"]]
        done = run_command(argv, cwd=self._files.root, env=self._environment, timeout_s=limit, keep=TEXT_LIMIT // 2)
        output = done.output.rstrip("\n")
        if done.timed_out:
            raise ValueError(f"It took longer than {limit:g} s and was ended.\n{output}")
        if done.exit_code != 0:
            raise ValueError(f"Exit code {done.exit_code}\n{output}".rstrip("\n"))
        return output or "(no output)"


def _checked(name: str, given: object) -> Mapping[str, Any]:
    """See that a call names a tool of ours and has what it needs."""
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        raise ValueError(f"there is no tool `{name}`; there are: {', '.join(tool.name for tool in TOOLS)}")
    arguments = {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else {}
    for key, schema in tool.parameters.items():
        if key not in arguments and key not in tool.optional:
            raise ValueError(f"`{name}` needs `{key}`")
        if key in arguments and not _fits(arguments[key], schema["type"]):
            raise ValueError(f"`{key}` of `{name}` has to be of type {schema['type']}")
    return arguments


def _fits(value: object, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    return isinstance(value, bool if kind == "boolean" else str)
