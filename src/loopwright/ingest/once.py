"""Sessions in short, which may have parts of each other -> the same, with each event counted for one of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from loopwright.ingest.report import merged_tools
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Portion, Summary
from loopwright.text.amounts import elapsed, moment

_SUMS = ("active_s", "prompts", "interrupts", "rejections", "raw_lines")


def counted_once(sessions: Sequence[Summary]) -> list[Summary]:
    """Leave out of each session what an earlier one of these has, and sessions of which nothing is left.

    Whichever were scanned before, and in whichever order: only those that are given decide.
    """
    earliest = sorted(sessions, key=lambda one: (one.started_at, one.ended_at, one.session_id, one.run_id))
    places = {session.run_id: place for place, session in enumerate(earliest)}
    reduced = [_without_others(session, places) for session in sessions]
    return [session for session in reduced if session is not None]


def _without_others(session: Summary, places: dict[str, int]) -> Summary | None:
    mine = [portion for portion in session.portions if _first(portion, places) == places[session.run_id]]
    if len(mine) == len(session.portions):
        return session
    return _sum(session, mine) if mine else None


def _first(portion: Portion, places: dict[str, int]) -> int:
    return min(places[run_id] for run_id in portion.runs if run_id in places)


def _sum(session: Summary, portions: Sequence[Portion]) -> Summary:
    started = min((portion.started_at for portion in portions if portion.started_at), default="")
    ended = max(portion.ended_at for portion in portions)
    usage = _usage(used for portion in portions for used in portion.usage)
    reread: Counter[str] = Counter()
    for portion in portions:
        reread.update(portion.reread)
    return replace(
        session,
        started_at=started,
        ended_at=ended,
        duration_s=elapsed(moment(started), moment(ended)) or 0.0,
        cost_usd=sum(used.cost_usd or 0.0 for used in usage),
        tokens=sum((used.tokens for used in usage), Usage()),
        reread=dict(reread.most_common()),
        usage=usage,
        tools=sorted(merged_tools(use for portion in portions for use in portion.tools), key=lambda use: use.tool),
        **{name: sum(getattr(portion, name) for portion in portions) for name in _SUMS},
    )


def _usage(used: Iterable[DailyUsage]) -> list[DailyUsage]:
    found: dict[tuple[str, str], list[DailyUsage]] = defaultdict(list)
    for one in used:
        found[one.day, one.model].append(one)
    return [_day(*key, some) for key, some in sorted(found.items())]


def _day(day: str, model: str, some: Sequence[DailyUsage]) -> DailyUsage:
    costs = [one.cost_usd for one in some if one.cost_usd is not None]
    return DailyUsage(day, model, sum((one.tokens for one in some), Usage()), sum(costs) if costs else None)
