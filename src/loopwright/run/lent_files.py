"""Files that an agent needs among the user's (rules, settings): there while it works, and in no commit of ours."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from loopwright.errors import AgentError
from loopwright.run.reaching import reached, read_file, write_file

NAME = "lent.json"
"""Beside the workspace: what was in the place of each file, for who comes after us should we die."""
_MOST_BYTES = 20_000_000


def lend(files: Mapping[str, str], workspace: Path, note: Path) -> None:
    """Write the files into the workspace, never through a link; what is in their place is noted first."""
    if not files:
        return
    before = {name: _content(workspace, name) for name in files}
    kept = {name: None if content is None else base64.b64encode(content).decode() for name, content in before.items()}
    note.write_text(json.dumps({"files": dict(files), "before": kept}), encoding="utf-8")
    for name, content in files.items():
        with reached(workspace, name, make=True) as (folder, last):
            write_file(folder, last, content.encode())


def give_back(workspace: Path, note: Path) -> list[str]:
    """Put things as they were; name the files that the agent has changed."""
    try:
        said = json.loads(note.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # it was not written to its end: nor was any of the files
        return []
    changed = []
    for name, content in said["files"].items():
        with suppress(OSError, AgentError):  # what is reached through a link now is not ours
            if _content(workspace, name) != content.encode():
                changed.append(name)
        with suppress(OSError):
            _restore(workspace, name, said["before"][name])
    note.unlink()
    return changed


def _restore(workspace: Path, name: str, before: str | None) -> None:
    with reached(workspace, name) as (folder, last):
        if before is None:
            os.unlink(last, dir_fd=folder)
        else:
            write_file(folder, last, base64.b64decode(before))


def _content(workspace: Path, name: str) -> bytes | None:
    """Read what is in a file's place; None where nothing is."""
    try:
        with reached(workspace, name) as (folder, last):
            content = read_file(folder, last, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AgentError(f"`{name}`, which the agent needs, can't be written: {error}", "is there a link?") from None
    if content is None:
        raise AgentError(f"`{name}`, which the agent needs, is not a file that can be put back", "move it away")
    return content
