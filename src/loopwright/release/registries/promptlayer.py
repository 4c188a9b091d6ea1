"""Prompts in PromptLayer: the newest version is in use, or the one with a release label; a write is a new version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.errors import RegistryError
from loopwright.records.registry import RegistrySettings, Remote
from loopwright.release.calling import Server, key_of

_MOST_PAGES = 300
_LONGEST_NOTE = 72


class Promptlayer:
    """The registry `promptlayer`."""

    joint = "-"
    """A slash in a name does not survive the way through an address."""

    def __init__(self, settings: RegistrySettings, root: Path | None, environment: Mapping[str, str]) -> None:
        self._url = settings.url or "https://api.promptlayer.com"
        self._label, self._timeout_s = settings.label, settings.timeout_s
        self._environment = environment

    def names(self, prefix: str) -> Sequence[str]:
        found: list[str] = []
        for page in range(1, _MOST_PAGES + 1):
            answer = self._server().get("prompt-templates", page=page, name=prefix)
            rows, more = _listed(answer)
            found += [name for name in rows if name.startswith(prefix)]
            if not more:
                break
        return sorted(set(found))

    def takes(self, name: str) -> bool:
        return True

    def read(self, name: str) -> Remote | None:
        found = self._raw(name, self._label)
        return None if found is None else Remote(_text(name, found), f"version {found.get('version')}")

    def write(self, name: str, text: str, note: str) -> None:
        before = self._raw(name, self._label) or (self._raw(name, "") if self._label else None) or {}
        template = _shaped(name, before, text)
        # A new version has nothing of the one before but what it is told: its model is somebody's choice.
        kept = {"metadata": before["metadata"]} if before.get("metadata") else {}
        tags = {"tags": before["tags"]} if before.get("tags") else {}
        body: dict[str, Any] = {
            "prompt_template": {"prompt_name": name, **tags},
            "prompt_version": {"prompt_template": template, "commit_message": note[:_LONGEST_NOTE], **kept},
        }
        if self._label:
            body["release_labels"] = [self._label]
        self._server().post("rest", "prompt-templates", body=body)

    def _raw(self, name: str, label: str) -> dict[str, Any] | None:
        found = self._server().get("prompt-templates", name, label=label, resolve_snippets="false")
        if found is not None and not isinstance(found, dict):
            raise RegistryError(f"PromptLayer's answer on `{name}` is not understood", "is [registry] url right?")
        return found

    def _server(self) -> Server:
        key = key_of(self._environment, "PROMPTLAYER_API_KEY")
        return Server(self._url, {"X-API-KEY": key}, (key,), self._timeout_s)


def _listed(answer: Any) -> tuple[list[str], bool]:
    try:
        return [str(row["prompt_name"]) for row in answer["items"]], bool(answer["has_next"])
    except (KeyError, TypeError):
        raise RegistryError("PromptLayer's list of prompts is not understood", "is [registry] url right?") from None


def _text(name: str, found: Mapping[str, Any]) -> str:
    """Read the one text of a template: a completion, or a chat of one message."""
    if found.get("snippets"):
        raise RegistryError(f"`{name}` is put together of snippets", "write it out in PromptLayer")
    if (said := _said(found.get("prompt_template"))) is None:
        hint = "make it a completion, or a chat of one message"
        raise RegistryError(f"`{name}` is not one text in PromptLayer", hint)
    return said


def _said(template: Any) -> str | None:
    if not isinstance(template, dict):
        return None
    try:
        (holder,) = template.get("messages", (template,))
        (part,) = holder["content"]
        said = part["text"]
    except (KeyError, TypeError, ValueError):
        return None
    return said if isinstance(said, str) else None


def _shaped(name: str, before: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Keep a template's shape with other words in it; a new one is a chat with a system message."""
    part = {"type": "text", "text": text}
    if not before:
        message = {"role": "system", "content": [part], "input_variables": [], "template_format": "jinja2"}
        return {"type": "chat", "messages": [message]}
    _text(name, before)
    template: dict[str, Any] = before["prompt_template"]
    if "messages" in template:
        return {**template, "messages": [{**template["messages"][0], "content": [part]}]}
    return {**template, "content": [part]}
