"""What a run may use, and what it has used."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """Tokens, counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    def __sub__(self, other: Usage) -> Usage:
        """What came on top of another count; none falls below nothing."""
        return Usage(
            max(0, self.input - other.input),
            max(0, self.output - other.output),
            max(0, self.cache_read - other.cache_read),
            max(0, self.cache_write - other.cache_write),
        )

    @property
    def total(self) -> int:
        return self.input + self.output + self.cache_read + self.cache_write


@dataclass(frozen=True)
class Spent:
    """What was used so far."""

    iterations: int = 0
    cost_usd: float = 0.0
    tokens: Usage = Usage()
    seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.iterations + other.iterations,
            self.cost_usd + other.cost_usd,
            self.tokens + other.tokens,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class Budget:
    """The limits of a run, over all its attempts. None means no limit."""

    max_iterations: int = 12
    max_cost: float | None = None
    """In US dollars."""
    max_tokens: int | None = None
    timeout_s: float = 7200.0
    """Wall time of the whole run while it works; waiting for a human does not count."""
    idle_timeout_s: float = 600.0
    """An agent that says nothing for this long is ended."""

    def exhausted(self, spent: Spent) -> str:
        """Say which limit of money, tokens or time has been reached; empty while there is room."""
        if self.max_cost is not None and spent.cost_usd >= self.max_cost:
            return f"${spent.cost_usd:.2f} spent of ${self.max_cost:.2f}"
        if self.max_tokens is not None and spent.tokens.total >= self.max_tokens:
            return f"{spent.tokens.total:,} tokens used of {self.max_tokens:,}"
        if spent.seconds >= self.timeout_s:
            return f"{spent.seconds:.0f} s used of {self.timeout_s:.0f} s"
        return ""
