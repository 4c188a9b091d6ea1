"""A model that answers from a file, for tests and demos: `scripted:answers.json`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from loopwright.errors import ModelError
from loopwright.records.budget import Usage
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.asking import Said, asked

_HINT = 'write a list `answers` of tables: {"when": "words of the question", "answer": {…}}'
_FIELDS = {"when", "answer", "error", "cost_usd"}


class Scripted:
    """The model `scripted`. The first entry whose `when` is in the question answers it; none of them: an error.

    Entries that follow each other with the same `when` are used one after the other, the last of them again and again.
    """

    def __init__(self, given: str, timeout_s: float = 60.0) -> None:
        self.name, self.priced_as = f"scripted:{given}", ""
        self._entries = _read(Path(given).expanduser())
        self._used: dict[str, int] = {}
        self.questions: list[str] = []
        """What it was asked, with what it was told besides."""

    def ask(self, question: Question[Shape]) -> Reply[Shape]:
        return asked(question, self.name, lambda prompt: self._say(question.system, prompt))

    def _say(self, system: str, prompt: str) -> Said:
        self.questions.append(f"{system}\n\n{prompt}")
        entry = self._entry(self.questions[-1])
        if error := entry.get("error"):
            raise ModelError(f"the model `{self.name}` can't be asked: {error}", "its script says so")
        used = Usage(input=len(self.questions[-1]) // 4, output=20)
        return Said(entry.get("answer"), used, entry.get("cost_usd", 0.0), self.name)

    def _entry(self, asked_for: str) -> dict[str, Any]:
        for entry in self._entries:
            when = entry.get("when", "")
            if when in asked_for:
                alike = [other for other in self._entries if other.get("when", "") == when]
                place = self._used.get(when, 0)
                self._used[when] = place + 1
                return alike[min(place, len(alike) - 1)]
        raise ModelError(f"the script `{self.name}` has no answer to this question", _HINT)


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError) as error:
        raise ModelError(f"the script `{path}` can't be read: {error}", _HINT) from None
    entries = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and entry.keys() <= _FIELDS for entry in entries
    ):
        raise ModelError(f"`{path}` is no script of answers", _HINT)
    return entries
