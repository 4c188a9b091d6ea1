"""What Claude Code says of tokens and cost -> each of them counted once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from loopwright.records.budget import Spent, Usage

_OPEN_MESSAGES = 1000
_MOST = 10**15


class Tally:
    """What a stream has used: what its results said, and a provisional count of the messages since."""

    def __init__(self) -> None:
        self._session: object = None
        self._earlier = Spent()
        self._current = Spent()
        self._messages: dict[str, Usage] = {}
        self._provisional = Usage()

    def saw(self, message_id: object, usage: object) -> None:
        """Note a message's usage. Its lines repeat it, so only the highest counts."""
        if not isinstance(message_id, str):
            return
        old = self._messages.pop(message_id, Usage())
        new = self._messages[message_id] = _each(max, _usage(usage), old)
        self._provisional += _each(int.__sub__, new, old)
        if len(self._messages) > _OPEN_MESSAGES:
            del self._messages[next(iter(self._messages))]

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
        tokens = _each(lambda now, then: max(0, now - then), self._current.tokens, before.tokens)
        return Spent(cost_usd=max(0.0, self._current.cost_usd - before.cost_usd), tokens=tokens)

    def total(self) -> Spent:
        """Give tokens and cost so far. The cost is only known once a result has said it."""
        return self._earlier + self._current + Spent(tokens=self._provisional)


def _cumulative(before: Spent, result: Mapping[str, Any]) -> Spent:
    # `usage` leaves out subagents and, after a limit, the last turn; modelUsage and the cost do not.
    tokens = _models(result.get("modelUsage")).tokens
    if not tokens.total:
        tokens = before.tokens + _usage(result.get("usage"))
    return Spent(cost_usd=max(before.cost_usd, _number(result.get("total_cost_usd"))), tokens=tokens)


def _models(models: object) -> Spent:
    spent = Spent()
    for model in models.values() if isinstance(models, Mapping) else ():
        if isinstance(model, Mapping):
            spent += Spent(cost_usd=_number(model.get("costUSD")), tokens=_usage(model))
    return spent


def _usage(usage: object) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage()

    def count(*names: str) -> int:
        return next((int(_number(usage[name])) for name in names if name in usage), 0)

    return Usage(
        input=count("input_tokens", "inputTokens"),
        output=count("output_tokens", "outputTokens"),
        cache_read=count("cache_read_input_tokens", "cacheReadInputTokens"),
        cache_write=count("cache_creation_input_tokens", "cacheCreationInputTokens"),
    )


def _each(combine: Callable[[int, int], int], one: Usage, other: Usage) -> Usage:
    return Usage(
        combine(one.input, other.input),
        combine(one.output, other.output),
        combine(one.cache_read, other.cache_read),
        combine(one.cache_write, other.cache_write),
    )


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return value if 0 <= value <= _MOST else 0.0
