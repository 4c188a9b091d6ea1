"""What Claude Code says of tokens and cost -> each of them counted once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loopwright.records.budget import Spent, Usage
from loopwright.text.amounts import amount, count_of
from loopwright.text.bounded import forget_oldest, mapping


class Tally:
    """What a stream has used: what its results said, and a provisional count of the messages since."""

    def __init__(self) -> None:
        self._session: object = None
        self._earlier = Spent()
        self._current = Spent()
        self._messages: dict[str, Usage] = {}
        self._provisional = Usage()

    def saw(self, message_id: object, usage: object) -> None:
        """Note a message's usage. Its lines repeat it, so only what is higher than before counts."""
        if not isinstance(message_id, str):
            return
        before = self._messages.pop(message_id, Usage())
        more = _usage_of(usage) - before
        self._messages[message_id] = before + more
        self._provisional += more
        forget_oldest(self._messages)

    def settle(self, result: Mapping[str, Any]) -> Spent:
        """Let a result replace the provisional count; give what it added."""
        if result.get("session_id") != self._session:
            self._session = result.get("session_id")
            self._earlier, self._current = self._earlier + self._current, Spent()
        before = self._current
        since = result.get("model_usage_since_last_result")
        # total_cost_usd and modelUsage also hold what came before a --resume, or an earlier result of the stream.
        self._current = before + _models(since) if isinstance(since, Mapping) else _cumulative(before, result)
        self._messages, self._provisional = {}, Usage()
        more = self._current.tokens - before.tokens
        return Spent(cost_usd=max(0.0, self._current.cost_usd - before.cost_usd), tokens=more)

    def total(self) -> Spent:
        """Give tokens and cost so far. The cost is only known once a result has said it."""
        return self._earlier + self._current + Spent(tokens=self._provisional)


def _cumulative(before: Spent, result: Mapping[str, Any]) -> Spent:
    # `usage` leaves out subagents and, after a limit, the last turn; modelUsage and the cost do not.
    tokens = _models(result.get("modelUsage")).tokens
    if not tokens.total:
        tokens = before.tokens + _usage_of(result.get("usage"))
    return Spent(cost_usd=max(before.cost_usd, amount(result.get("total_cost_usd"))), tokens=tokens)


def _models(models: object) -> Spent:
    spent = Spent()
    for model in models.values() if isinstance(models, Mapping) else ():
        if isinstance(model, Mapping):
            spent += Spent(cost_usd=amount(model.get("costUSD")), tokens=_usage_of(model))
    return spent


def _usage_of(value: object) -> Usage:
    told = mapping(value)
    return Usage(
        input=count_of(told, "input_tokens", "inputTokens"),
        output=count_of(told, "output_tokens", "outputTokens"),
        cache_read=count_of(told, "cache_read_input_tokens", "cacheReadInputTokens"),
        cache_write=count_of(told, "cache_creation_input_tokens", "cacheCreationInputTokens"),
    )
