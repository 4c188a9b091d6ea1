"""What the process behind the agent `api` is told, on its command line. A key is named, and never in it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass

from loopwright.endpoint import Kind

MAX_TURNS = 100


@dataclass(frozen=True)
class ApiSettings:
    """One attempt's settings."""

    model: str
    api: Kind
    base_url: str
    key: str
    """The variable that holds the key."""
    conversations: str
    """The folder where they are kept; empty: the home, which is the run's own in a sandbox."""
    conversation: str = ""
    """The one to go on with."""
    system_prompt: str = ""
    temperature: float | None = None
    max_turns: int = MAX_TURNS
    retries: int = 2
    answer: str = ""
    """The file that gets the model's answer, which has no tools then; empty: it works with them."""

    def dump(self) -> str:
        """Write them as JSON."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def load(cls, text: str) -> ApiSettings:
        """Read what `dump` wrote."""
        return cls(**json.loads(text))
