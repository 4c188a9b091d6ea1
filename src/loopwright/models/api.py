"""A model behind an Anthropic or OpenAI-compatible endpoint: `api:anthropic/claude-haiku-4-5`, through pydantic-ai."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from loopwright.endpoint import BASES, INSTALL, KEYS, PACKAGES, Endpoint, Kind, trouble_of
from loopwright.errors import ModelError
from loopwright.records.budget import Usage
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.asking import does_not_fit, refuse_too_long
from loopwright.text.prices import dollars


class Api:
    """The model `api`. The key is in the vendor's variable; a server of one's own in OPENAI_BASE_URL or the like."""

    def __init__(self, given: str, timeout_s: float = 60.0) -> None:
        kind, slash, model = given.partition("/")
        named: Kind | None = next((known for known in KEYS if slash and known == kind), None)
        self.name, self.priced_as, self._timeout_s = f"api:{given}", model if named else given, timeout_s
        if not self.priced_as:
            raise ModelError(f"`api:{given}` names no model", "such as api:anthropic/claude-haiku-4-5")
        if any(not importlib.util.find_spec(name) for name in PACKAGES):
            raise ModelError("the model `api` needs pydantic-ai", INSTALL)
        self._endpoint = Endpoint.of(self.priced_as, named)
        self._key = os.environ.get(KEYS[self._endpoint.api], "")
        if not self._key and not os.environ.get(BASES[self._endpoint.api]):
            raise ModelError(f"there is no key for `{self.name}`", f"set {KEYS[self._endpoint.api]} to your key")

    def ask(self, question: Question[Shape]) -> Reply[Shape]:
        refuse_too_long(question, self.name)
        # A thread of its own: who asks may have a loop of events already.
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(asyncio.run, self._ask(question)).result()

    async def _ask(self, question: Question[Shape]) -> Reply[Shape]:
        warnings.filterwarnings("ignore", "Sampling parameters")  # a model that reasons has no temperature to be set

        from pydantic_ai import Agent
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        client = self._endpoint.client(self._key, self._timeout_s)
        agent = Agent(client, output_type=question.shape, instructions=question.system, retries=1)
        try:
            async with asyncio.timeout(2 * self._timeout_s):
                done = await agent.run(question.prompt, model_settings=self._settings(question))
        except TimeoutError:
            raise self._silent() from None
        except ModelAPIError as error:
            raise self._trouble(trouble_of(error, self._endpoint.host).words) from error
        except UnexpectedModelBehavior as error:
            raise does_not_fit(self.name, _reason(error)) from error
        except Exception as error:  # on an answer that is none, the vendors' code raises whatever it stumbles over
            raise self._trouble(f"its answer was not understood: {type(error).__name__}: {error}"[:500]) from error
        used = _usage(done.usage)
        called = done.response.model_name or self.priced_as
        prices = (dollars(name, used) for name in (called, self.priced_as))
        return Reply(done.output, used, next((cost for cost in prices if cost is not None), None), called)

    def _settings(self, question: Question[Shape]) -> Any:
        return {"temperature": 0.0, "max_tokens": question.most_tokens, "timeout": self._timeout_s}

    def _trouble(self, words: str) -> ModelError:
        return ModelError(
            f"the model `{self.name}` can't be asked: {words}", f"is {self._endpoint.host} right, and the key?"
        )

    def _silent(self) -> ModelError:
        words = f"the model `{self.name}` gave no answer within {2 * self._timeout_s:g} s"
        return ModelError(words, "give it longer: [models] timeout")


def _reason(error: Exception) -> str:
    found = error.__cause__ or error
    return " ".join(str(found).split())[:300]


def _usage(used: Any) -> Usage:
    read, written = used.cache_read_tokens, used.cache_write_tokens
    return Usage(max(0, used.input_tokens - read - written), used.output_tokens, read, written)
