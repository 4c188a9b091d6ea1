"""Prompts in Langfuse: the version with a label is in use; what is put into use is a new version with that label."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.errors import RegistryError
from loopwright.records.registry import RegistrySettings, Remote
from loopwright.release.calling import Server, key_of

_PROMPTS = ("api", "public", "v2", "prompts")
_PAGE, _MOST_PAGES = 100, 100
_NEWEST = "latest"
"""The label that Langfuse itself keeps at the newest version."""


class Langfuse:
    """The registry `langfuse`."""

    joint = "/"

    def __init__(self, settings: RegistrySettings, root: Path | None, environment: Mapping[str, str]) -> None:
        host = environment.get("LANGFUSE_HOST") or environment.get("LANGFUSE_BASE_URL")
        self._url = settings.url or host or "https://cloud.langfuse.com"
        self._label, self._timeout_s = settings.label or "production", settings.timeout_s
        self._environment = environment

    def names(self, prefix: str) -> Sequence[str]:
        found: list[str] = []
        for page in range(1, _MOST_PAGES + 1):
            answer = self._server().get(*_PROMPTS, page=page, limit=_PAGE)
            if answer is None:
                raise RegistryError(f"`{self._url}` is not the address of Langfuse's API", "mend [registry] url")
            rows, pages = _listed(answer)
            found += [name for name in rows if name.startswith(prefix)]
            if page >= pages:
                break
        return sorted(set(found))

    def takes(self, name: str) -> bool:
        return True

    def read(self, name: str) -> Remote | None:
        found = self._server().get(*_PROMPTS, name, label=self._label)
        return None if found is None else Remote(_text(name, found), f"version {found.get('version')}")

    def write(self, name: str, text: str, note: str) -> None:
        server = self._server()
        before = server.get(*_PROMPTS, name, label=self._label) or server.get(*_PROMPTS, name, label=_NEWEST) or {}
        # A new version has nothing of the one before but what it is told: its settings are somebody's work.
        kept = {key: before[key] for key in ("config", "tags") if before.get(key)}
        labels = [] if self._label == _NEWEST else [self._label]
        server.post(
            *_PROMPTS, body={"name": name, **_shaped(before, text), "labels": labels, "commitMessage": note, **kept}
        )

    def _server(self) -> Server:
        public, secret = (key_of(self._environment, f"LANGFUSE_{word}_KEY") for word in ("PUBLIC", "SECRET"))
        basic = base64.b64encode(f"{public}:{secret}".encode()).decode()
        return Server(self._url, {"Authorization": f"Basic {basic}"}, (basic, secret), self._timeout_s)


def _listed(answer: Any) -> tuple[list[str], int]:
    try:
        return [str(row["name"]) for row in answer["data"]], int(answer["meta"]["totalPages"])
    except (KeyError, TypeError, ValueError):
        raise RegistryError("Langfuse's list of prompts is not understood", "is [registry] url right?") from None


def _text(name: str, found: Any) -> str:
    """Read the one text of a prompt: it is a text, or a chat of one message."""
    if not isinstance(found, dict):
        raise RegistryError(f"Langfuse's answer on `{name}` is not understood", "is [registry] url right?")
    if found.get("resolutionGraph"):
        raise RegistryError(f"`{name}` is put together of other prompts", "write it out in Langfuse")
    said = found.get("prompt")
    if isinstance(said, list) and len(said) == 1 and isinstance(said[0], dict):
        said = said[0].get("content")
    if not isinstance(said, str):
        raise RegistryError(f"`{name}` is not one text in Langfuse", "make it a text prompt, or a chat of one message")
    return said


def _shaped(before: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Keep a prompt's type: Langfuse refuses to change it."""
    if before.get("type") != "chat":
        return {"type": "text", "prompt": text}
    _text(str(before.get("name")), before)
    return {"type": "chat", "prompt": [{**before["prompt"][0], "content": text}]}
