"""Sessions in short -> a report of where they spent time and money. How it looks is left to others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from loopwright.ingest.outliers import Outlier, medians, outliers
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse


@dataclass(frozen=True)
class Totals:
    """What all sessions come to."""

    sessions: int = 0
    new_sessions: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0
    raw_lines: int = 0
    duration_s: float = 0.0
    active_s: float = 0.0
    prompts: int = 0
    interrupts: int = 0
    rejections: int = 0

    @property
    def tokens(self) -> Usage:
        return Usage(self.input_tokens, self.output_tokens, self.cache_read_tokens, self.cache_write_tokens)


@dataclass(frozen=True)
class Part:
    """What one day or one model comes to."""

    name: str
    sessions: int
    tokens: Usage
    cost_usd: float
    unpriced: int
    """Tokens of models whose prices nobody knows."""

    @property
    def unknown(self) -> int:
        """Say how much of its cost is not known: all of it where nothing was told of tokens."""
        return self.unpriced or int(not self.tokens.total)


@dataclass(frozen=True)
class Group(Part):
    """What the sessions of one project or one agent come to."""

    active_s: float
    tool_calls: int
    tool_errors: int


@dataclass(frozen=True)
class Reread:
    """A file that was read again and again."""

    path: str
    times: int
    sessions: int


@dataclass(frozen=True)
class Report:
    """Where the sessions spent time and money."""

    totals: Totals
    sessions: Sequence[Summary] = ()
    days: Sequence[Part] = ()
    """In their order; those on which nothing happened are left out."""
    projects: Sequence[Group] = ()
    """The dearest first, as agents and models."""
    agents: Sequence[Group] = ()
    models: Sequence[Part] = ()
    tools: Sequence[ToolUse] = ()
    """The most used first."""
    reread: Sequence[Reread] = ()
    medians: Mapping[str, float] = field(default_factory=dict)
    """The cost, time and tool errors of the user's median session; none with too few sessions."""
    outliers: Sequence[Outlier] = ()
    unpriced: Mapping[str, int] = field(default_factory=dict)
    """The models whose prices nobody knows, with their tokens."""

    @property
    def dearest(self) -> Sequence[Summary]:
        """Give the sessions that cost anything, the dearest first."""
        spent = [session for session in self.sessions if session.tokens.total]
        return sorted(spent, key=lambda session: (-session.cost_usd, -session.tokens.total))

    @property
    def stopped(self) -> Sequence[Summary]:
        """Give the sessions in which a human said no, the most often first."""
        found = [session for session in self.sessions if session.interrupts or session.rejections]
        return sorted(found, key=lambda session: -(session.interrupts + session.rejections))

    @property
    def not_understood(self) -> Sequence[Summary]:
        return [session for session in self.sessions if not session.is_understood]


def report_of(sessions: Sequence[Summary], new: int = 0) -> Report:
    """Put a report together; `new` says how many of the sessions were not known before."""
    return Report(
        totals=_totals(sessions, new),
        sessions=sessions,
        days=sorted(_parts(sessions, lambda used: used.day), key=lambda part: part.name),
        projects=_groups(sessions, lambda session: session.project),
        agents=_groups(sessions, lambda session: session.agent),
        models=sorted(_parts(sessions, lambda used: used.model), key=_dearest),
        tools=merged_tools(use for session in sessions for use in session.tools),
        reread=_reread(sessions),
        medians=medians(sessions),
        outliers=outliers(sessions),
        unpriced=_unpriced(used for session in sessions for used in session.usage),
    )


def _totals(sessions: Sequence[Summary], new: int) -> Totals:
    tokens = sum((session.tokens for session in sessions), Usage())
    names = ("tool_calls", "tool_errors", "raw_lines", "prompts", "interrupts", "rejections")
    times = ("duration_s", "active_s", "cost_usd")
    return Totals(
        sessions=len(sessions),
        new_sessions=new,
        **{f"{name}_tokens": count for name, count in vars(tokens).items()},
        **{name: sum(getattr(session, name) for session in sessions) for name in names},
        **{name: round(sum(getattr(session, name) for session in sessions), 6) for name in times},
    )


def _dearest(part: Part) -> tuple[float, int, str]:
    return (-part.cost_usd, -part.tokens.total, part.name)


def _parts(sessions: Iterable[Summary], key: Callable[[DailyUsage], str]) -> Iterator[Part]:
    """Sum up what was used, by day or by model."""
    found: dict[str, list[DailyUsage]] = defaultdict(list)
    seen: Counter[str] = Counter()
    for session in sessions:
        for used in session.usage:
            found[key(used)].append(used)
        seen.update({key(used) for used in session.usage})
    for name, some in found.items():
        yield Part(name, seen[name], *_spent(some))


def _spent(used: Sequence[DailyUsage]) -> tuple[Usage, float, int]:
    tokens = sum((one.tokens for one in used), Usage())
    cost = round(sum(one.cost_usd or 0.0 for one in used), 6)
    return tokens, cost, sum(_unpriced(used).values())


def _groups(sessions: Iterable[Summary], key: Callable[[Summary], str]) -> list[Group]:
    """Sum up sessions, by project or by agent."""
    found: dict[str, list[Summary]] = defaultdict(list)
    for session in sessions:
        found[key(session)].append(session)
    return sorted((_group(name, some) for name, some in found.items()), key=_dearest)


def _group(name: str, sessions: Sequence[Summary]) -> Group:
    totals = _totals(sessions, 0)
    unpriced = sum(_unpriced(used for session in sessions for used in session.usage).values())
    spent = (totals.tokens, totals.cost_usd, unpriced)
    return Group(name, len(sessions), *spent, totals.active_s, totals.tool_calls, totals.tool_errors)


def _unpriced(used: Iterable[DailyUsage]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for one in used:
        if one.cost_usd is None:
            found[one.model] += one.tokens.total
    return dict(found.most_common())


def merged_tools(uses: Iterable[ToolUse]) -> list[ToolUse]:
    """Sum up uses tool by tool, the most used first."""
    found: dict[str, ToolUse] = {}
    for use in uses:
        sums = found.get(use.tool, ToolUse(use.tool))
        counts = (sums.calls + use.calls, sums.errors + use.errors, sums.timed + use.timed)
        found[use.tool] = ToolUse(use.tool, *counts, sums.seconds + use.seconds)
    return sorted(found.values(), key=lambda use: (-use.calls, use.tool))


def _reread(sessions: Iterable[Summary]) -> list[Reread]:
    times: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for session in sessions:
        times.update(session.reread)
        seen.update(session.reread.keys())
    return [Reread(path, often, seen[path]) for path, often in times.most_common()]
