"""A model behind an endpoint, against servers on loopback."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from loopwright.errors import ModelError
from loopwright.models.api import Api
from loopwright.records.budget import Usage
from model_servers import INPUT, OUTPUT, Fails, Garbage, ModelServer, Says, Step, model_server
from models.marks import QUESTION, Mark

NAMES = {True: "anthropic/claude-haiku-4-5", False: "openai/gpt-4o-mini"}
GOOD = Says(calls=[("final_result", {"value": 5, "reason": "so so"})])
VENDORS = pytest.mark.parametrize("anthropic", [True, False])


class Asking:
    """A server, and the model that is asked there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, anthropic: bool) -> None:
        self._monkeypatch, self._anthropic = monkeypatch, anthropic

    def ask(self, *steps: Step) -> tuple[Mark, Usage, float | None, ModelServer]:
        with model_server(*steps, anthropic=self._anthropic) as server:
            vendor = "ANTHROPIC" if self._anthropic else "OPENAI"
            self._monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
            self._monkeypatch.setenv(f"{vendor}_API_KEY", "sk-secret")
            reply = Api(NAMES[self._anthropic], 5).ask(QUESTION)
            return reply.answer, reply.usage, reply.cost_usd, server


@VENDORS
def test_an_answer_with_its_usage_and_cost(monkeypatch: pytest.MonkeyPatch, anthropic: bool) -> None:
    """The answer is an instance of the type; it is asked for at temperature 0, and paid for by the list."""
    answer, usage, cost, server = Asking(monkeypatch, anthropic).ask(GOOD)
    assert answer == Mark(value=5, reason="so so")
    assert usage == Usage(INPUT, OUTPUT)
    assert cost is not None and 0 < cost < 0.01
    assert server.requests[0]["temperature"] == 0.0
    assert QUESTION.most_tokens in server.requests[0].values()
    assert "Be strict." in str(server.requests[0]) and "What is it worth?" in str(server.requests[0]["messages"])


@VENDORS
def test_what_does_not_fit_is_asked_for_once_more(monkeypatch: pytest.MonkeyPatch, anthropic: bool) -> None:
    """A value that is not possible is told to the model, whose next answer counts; both are paid for."""
    wrong = Says(calls=[("final_result", {"value": 7, "reason": "so so"})])
    answer, usage, _, server = Asking(monkeypatch, anthropic).ask(wrong, GOOD)
    assert (answer.value, len(server.requests), usage) == (5, 2, Usage(2 * INPUT, 2 * OUTPUT))


@VENDORS
@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([Says("it is fine"), Says("really")], "answered twice with what does not fit"),
        ([Fails(401, "no such key")], "can't be asked: API Error: 401 no such key"),
        ([Fails(529, "too busy")], "can't be asked: API Error: 529 too busy"),
        ([Garbage()], "JSON"),
    ],
)
def test_what_is_no_answer_is_an_error(
    monkeypatch: pytest.MonkeyPatch, anthropic: bool, steps: Sequence[Step], words: str
) -> None:
    """Words instead of an answer, an error of the server and garbage become one kind of error, with a hint."""
    with pytest.raises(ModelError, match=words) as raised:
        Asking(monkeypatch, anthropic).ask(*steps)
    assert raised.value.hint and "sk-secret" not in str(raised.value)


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer is named."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    with pytest.raises(ModelError, match=r"nobody answers at 127\.0\.0\.1:1"):
        Api("openai/m", 5).ask(QUESTION)


def test_a_question_may_not_be_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would cost too much is refused before anybody is asked."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    with pytest.raises(ModelError, match="is too long"):
        Api("openai/m", 5).ask(dataclasses.replace(QUESTION, prompt="x" * 200_000))


@pytest.mark.parametrize(
    ("given", "words"), [("", "names no model"), ("anthropic/claude-haiku-4-5", "there is no key")]
)
def test_what_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch, given: str, words: str) -> None:
    """A model without a name or a key is refused before it is asked."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match=words):
        Api(given)
