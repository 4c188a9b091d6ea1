"""A model that answers from a file, for tests and demos: `scripted:answers.json`."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

from loopwright.errors import ModelError
from loopwright.records.budget import Usage
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.asking import Said, asked

_HINT = 'write a list `answers` of tables: {"when": "words of the question", "answer": {…}}'
_FIELDS = {"when": "text", "answer": "an object, or text", "error": "text", "cost_usd": "a number from 0 on"}
"""What an entry may have, and what each is."""
_SHOWN = 60


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
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"the script `{path}` can't be read: {error}", _HINT) from None
    entries = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise ModelError(f"`{path}` is no script of answers", _HINT)
    for number, entry in enumerate(entries, 1):
        if wrong := _wrong(entry):
            raise ModelError(f"the script `{path}`, entry {number}: {wrong}", _HINT)
    return entries


def _wrong(entry: object) -> str:
    """Say what is wrong with an entry; nothing where it is right."""
    if not isinstance(entry, dict):
        return f"`{str(entry)[:_SHOWN]}` is no table"
    for name, value in entry.items():
        if name not in _FIELDS:
            return f"there is no field `{str(name)[:_SHOWN]}`, only {', '.join(_FIELDS)}"
        if not _fits(name, value):
            return f"`{name}` is `{str(value)[:_SHOWN]}`; it must be {_FIELDS[name]}"
    return "" if {"answer", "error"} & entry.keys() else "it has neither `answer` nor `error`"


def _fits(name: str, value: object) -> bool:
    if name == "cost_usd":
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf
    return isinstance(value, str) or (name == "answer" and isinstance(value, dict))
