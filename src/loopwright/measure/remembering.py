"""A model that is asked the same thing once: the same question to the same model has the same answer ever after.

Secrets are masked in whatever goes out.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from loopwright.guard.redact import Masker
from loopwright.ports import Model
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.asking import schema_of


class AnswerStore(Protocol):
    """Where answers are kept."""

    def answer(self, key: str) -> Mapping[str, Any] | None: ...

    def keep_answer(self, key: str, model: str, answer: Mapping[str, Any], cost_usd: float | None) -> None: ...


class Remembering:
    """A model with a memory, made when it is first asked. Satisfies ports.Model."""

    def __init__(self, name: str, make: Callable[[], Model], answers: AnswerStore | None, masker: Masker) -> None:
        self.name, self._make, self._answers, self._masker = name, make, answers, masker

    @functools.cached_property
    def _model(self) -> Model:
        return self._make()

    @property
    def priced_as(self) -> str:
        return self._model.priced_as

    def ask(self, question: Question[Shape]) -> Reply[Shape]:
        """Ask, unless the answer is known: that costs nothing."""
        question = dataclasses.replace(question, prompt=self._masker.text(question.prompt))
        if self._answers is None:
            return self._model.ask(question)
        key = _key(question, self.name)
        if (known := self._recall(question, key)) is not None:
            return Reply(known, cost_usd=0.0, model=self.name)
        reply = self._model.ask(question)
        self._answers.keep_answer(key, self.name, reply.answer.model_dump(mode="json"), reply.cost_usd)
        return reply

    def _recall(self, question: Question[Shape], key: str) -> Shape | None:
        kept = self._answers.answer(key) if self._answers else None
        try:
            return None if kept is None else question.shape.model_validate(kept)
        except ValueError:  # kept by another version
            return None


def _key(question: Question[Any], model: str) -> str:
    told = "\x1f".join((model, question.system, question.prompt, schema_of(question)))
    return hashlib.sha256(told.encode(errors="replace")).hexdigest()
