"""Tools that are offered and never called: whole servers of them, and those whose work a shell is made to do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from loopwright.diagnose.grouping import FEWEST, MOST_RUNS, plain
from loopwright.records.finding import Finding
from loopwright.records.window import Looked, Offered, Window
from loopwright.statistics.intervals import lower_bound
from loopwright.text.commands import parts_of
from loopwright.text.relevance import words_of
from loopwright.text.tool_names import DOES, server_of

NAME = "unused_tool"
FEWEST_OFFERED = 5
"""In so many sessions it was there."""
_BY_SHELL = 2
"""So often a session's shell did its work."""
_TOKENS = 150
"""What the description of one tool takes, about."""
_NAMED = 6


def unused_tool(window: Window) -> Iterator[Looked]:
    """Look at servers of tools, and at tools for which there is a program."""
    called = {(use.run_id, use.tool.lower()) for use in window.used if use.calls}
    yield from _servers(window, called)
    did = _programs(window)
    for tool, programs in DOES.items():
        sessions = [one for one in window.offered if tool in {name.lower() for name in one.tools}]
        if sessions:
            times = {one.run_id: sum(did[one.run_id][program] for program in programs) for one in sessions}
            yield _by_shell(tool, times, {run_id for run_id, name in called if name == tool})


def _servers(window: Window, called: set[tuple[str, str]]) -> Iterator[Looked]:
    groups: dict[str, list[Offered]] = defaultdict(list)
    for one in window.offered:
        for server in {plain(server_of(tool)) for tool in one.tools} - {""}:
            groups[server].append(one)
    for server, sessions in sorted(groups.items()):
        yield _server(server, sessions, called)


def _server(server: str, sessions: Sequence[Offered], called: set[tuple[str, str]]) -> Looked:
    tools = sorted({tool for one in sessions for tool in one.tools if plain(server_of(tool)) == server})
    idle = [one for one in sessions if not any((one.run_id, tool.lower()) in called for tool in tools)]
    named = set(words_of(server))
    fitting = [one for one in idle if named & set(words_of(one.goal))]
    tokens, listed = len(tools) * _TOKENS, ", ".join(map(plain, tools[:_NAMED]))
    finding = Finding(
        key=f"{NAME}/server/{server}",
        goal="capabilities" if fitting else "cost",
        rule=NAME,
        title=f"The tools of `{server}` are offered and not called{', though tasks name it' if fitting else ''}",
        detail=f"offered in {len(sessions):,} sessions, not called in {len(idle):,}, {len(fitting):,} of which name it "
        f"in their goal; about {tokens:,} tokens of descriptions in every request: {listed}",
        sessions=len(idle),
        of=len(sessions),
        certainty=_certainty(len(idle), len(sessions)),
        target=f"tool {server}",
        waste_tokens=tokens * len(idle),
        runs=[one.run_id for one in (*fitting, *(one for one in idle if one not in fitting))][:MOST_RUNS],
    )
    return Looked(finding, len(idle) == len(sessions) >= FEWEST_OFFERED)


def _programs(window: Window) -> Mapping[str, Counter[str]]:
    """Count the programs that each session's shell looked into files with; behind a pipe none is read."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for command in window.commands:
        found[command.run_id].update(part.program for part in parts_of(command.text) if not part.is_piped)
    return found


def _by_shell(tool: str, times: Mapping[str, int], called: Collection[str]) -> Looked:
    often = [run_id for run_id, count in times.items() if count >= _BY_SHELL and run_id not in called]
    programs = ", ".join(f"`{name}`" for name in sorted(DOES[tool]))
    finding = Finding(
        key=f"{NAME}/{tool}",
        goal="capabilities",
        rule=NAME,
        title=f"The tool `{tool}` is offered and not called, and a shell does its work",
        detail=f"offered in {len(times):,} sessions, called in {sum(run_id in called for run_id in times):,}; commands "
        f"such as {programs} did its work {sum(times[run_id] for run_id in often):,} times in {len(often):,}",
        sessions=len(often),
        of=len(times),
        certainty=_certainty(len(often), len(times)),
        target=f"tool {tool}",
        runs=sorted(often, key=lambda run_id: (-times[run_id], run_id))[:MOST_RUNS],
    )
    never = not any(run_id in called for run_id in times)
    return Looked(finding, never and len(times) >= FEWEST_OFFERED and len(often) >= FEWEST)


def _certainty(hits: int, tries: int) -> float:
    return round(0.5 + 0.4 * lower_bound(hits, tries), 4)
