"""Versions of prompts, profiles and library entries, and which of them is in use."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["prompt", "profile", "entry"]
COMMANDS: dict[str, str] = {"prompt": "prompts", "profile": "profiles", "entry": "library"}
"""Kind -> the command that shows its versions."""
Role = Literal["worker", "planner", "verifier", "critic"]
ROLES: tuple[Role, ...] = get_args(Role)
Author = Literal["template", "human", "patch", "registry"]


@dataclass(frozen=True)
class Version:
    """One state of a prompt, a profile or a library entry; it never changes."""

    id: str
    kind: Kind
    name: str
    """A role and a task type: `worker/bug_fix`; of an entry, as its file is called."""
    number: int
    content: str
    """A prompt's text; of a profile, what it sets, as JSON; of an entry, its Markdown."""
    parent: int | None
    depth: int
    """How many versions it is away from one that a human stands for as a whole."""
    author: Author
    reason: str
    created_at: str

    @property
    def hash(self) -> str:
        return content_hash(self.content)

    @property
    def title(self) -> str:
        """Name it as people do."""
        return f"{self.name}@{self.number}"


def content_hash(content: str) -> str:
    """Name what a version says, whatever its number."""
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Release:
    """A version put into use. Undoing one is a release, too: what was in use at any time can be read from them."""

    id: str
    kind: Kind
    name: str
    number: int
    previous: int | None
    """What is in use again when it is taken back."""
    at: str
    by: str
    """Who says so: a human, or the rule that let it."""
    reason: str
    experiment: str = ""
    """What has proven it; empty where it is in use on somebody's word."""
    undoes: str = ""
    """The release that it takes back."""
    guardrails: int = 0
    """The version of the guardrails under which it was made."""
