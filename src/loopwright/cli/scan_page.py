"""A report of sessions as one page that opens anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from loopwright.cli.figures import amount, count, folder, money, one_line, plural, share, shortened, time
from loopwright.cli.scan_charts import Dot, bar, columns, in_both_widths, stack, strip, swatch
from loopwright.cli.scan_style import STYLE
from loopwright.cli.scan_words import beside_median, friction_count, how_stopped, median_words, outlier_words, title
from loopwright.export.elements import Markup, document, joined, tag
from loopwright.ingest.calendar import periods
from loopwright.ingest.report import Part, Report
from loopwright.measure.friction import Felt, Friction
from loopwright.records.identity import short, timestamp
from loopwright.records.summary import Summary

_ROWS = 15
_MOST_SESSIONS = 1000
_PERIODS = 90
_LONGEST = 200
_GOAL = "what for"
_SESSION = ["", "", ">cost", ">at work", ">calls", ">errors", _GOAL]
_NAME = "Where your agents spend it"


def write_page(file: Path, report: Report, notes: Sequence[str], felt: Felt = Felt()) -> None:
    """Write the page of a report."""
    file.write_text(page_of(report, notes, felt), encoding="utf-8")


def page_of(report: Report, notes: Sequence[str], felt: Felt = Felt()) -> str:
    """Make the page of a report."""
    written = f"Written by loopwright scan on {timestamp()[:10]}. Nothing of it has left this machine."
    return document(
        _NAME,
        STYLE,
        tag("header", tag("h1", _NAME), tag("p", title(report), class_="soft")),
        _tiles(report),
        _friction("Friction", felt.friction),
        _friction("Delight", felt.delight),
        _days(report),
        _tokens(report),
        _groups("Projects", report.projects, report),
        _groups("Agents", report.agents, report) if len(report.agents) > 1 else Markup(),
        _models(report),
        _tools(report),
        _sessions(report),
        _median(report),
        _stops(report),
        _files(report),
        _all(report),
        _section("What this does not know", tag("ul", *[tag("li", note) for note in notes])) if notes else Markup(),
        tag("footer", written),
    )


def _tiles(report: Report) -> Markup:
    totals = report.totals
    failed = share(totals.tool_errors, totals.tool_calls)
    calls, stops = plural("tool call", totals.tool_calls), totals.interrupts + totals.rejections
    tiles = [
        (money(totals.cost_usd, sum(report.unpriced.values())), "at list prices"),
        (time(totals.active_s), "at work"),
        (amount(totals.tokens.total), "tokens"),
        (f"{totals.tool_calls:,}", f"{calls}, {failed} failed" if failed else calls),
        (f"{totals.prompts:,}", plural("prompt", totals.prompts)),
        (f"{stops:,}", "interrupt or rejection" if stops == 1 else "interrupts and rejections"),
    ]
    return tag(
        "div", *[tag("div", tag("b", big), tag("span", small), class_="tile") for big, small in tiles], class_="tiles"
    )


def _friction(name: str, groups: Sequence[Friction]) -> Markup:
    rows = [
        joined(
            tag("td", tag("b", found.type), tag("br"), tag("span", friction_count(found), class_="soft")),
            tag(
                "td",
                shortened(one_line(found.example.description), _LONGEST),
                tag("br"),
                tag("span", f"{one_line(found.example.action)} (run {short(found.example.run_id)})", class_="soft"),
            ),
            _number(time(found.seconds) if found.seconds else ""),
            _number(money(found.cost_usd) if found.cost_usd else ""),
        )
        for found in groups
    ]
    return _table(name, ["", "", ">took", ">cost"], rows, len(groups))


def _days(report: Report) -> Markup:
    found = periods(report.days, _PERIODS)
    if not found:
        return Markup()
    days = found[0].days
    what = "Cost" if report.totals.cost_usd else "Tokens"
    name = f"{what} by day" if days == 1 else f"{what} by {days} days"
    return _section(name, in_both_widths(lambda width: columns(found, width)), "days in UTC")


def _tokens(report: Report) -> Markup:
    totals = report.totals
    kinds = [
        (totals.cache_read_tokens, "read from a cache"),
        (totals.cache_write_tokens, "written to a cache"),
        (totals.input_tokens, "other input"),
        (totals.output_tokens, "output"),
    ]
    if not totals.tokens.total:
        return Markup()
    legend = [
        tag(
            "span",
            swatch(place),
            f"{words} {amount(number)} ",
            tag("span", share(number, totals.tokens.total), class_="soft"),
        )
        for place, (number, words) in enumerate(kinds)
    ]
    drawn = stack([float(number) for number, _ in kinds])
    return _section("Tokens", joined(drawn, tag("div", *legend, class_="legend")))


def _groups(name: str, groups: Sequence[Part], report: Report) -> Markup:
    rows = [
        joined(
            tag("td", folder(group.name) or "unknown", class_="path"),
            *_cost(group, groups, report.totals.cost_usd),
            _number(time(getattr(group, "active_s", 0.0))),
            _number(f"{group.sessions:,}"),
        )
        for group in groups[:_ROWS]
    ]
    return _table(name, ["", "|", ">cost", ">", ">at work", ">sessions"], rows, len(groups))


def _models(report: Report) -> Markup:
    rows = [
        joined(
            tag("td", one_line(part.name) or "unknown", class_="path"),
            *_cost(part, report.models, report.totals.cost_usd),
            _number(amount(part.tokens.total - part.tokens.output)),
            _number(amount(part.tokens.output)),
        )
        for part in report.models[:_ROWS]
    ]
    return _table("Models", ["", "|", ">cost", ">", ">tokens in", ">out"], rows, len(report.models))


def _cost(part: Part, parts: Sequence[Part], whole: float) -> list[Markup]:
    is_priced = any(other.cost_usd for other in parts)
    drawn = bar(part.cost_usd, parts[0].cost_usd) if is_priced else bar(part.tokens.total, parts[0].tokens.total)
    return [
        tag("td", drawn, class_="bar"),
        _number(money(part.cost_usd, part.unknown)),
        tag("td", share(part.cost_usd, whole), class_="number soft"),
    ]


def _tools(report: Report) -> Markup:
    most = report.tools[0].calls if report.tools else 0
    rows = [
        joined(
            tag("td", one_line(use.tool) or "unnamed", class_="path"),
            tag("td", bar(use.calls, most), class_="bar"),
            _number(f"{use.calls:,}"),
            tag("td", f"{use.errors:,}" if use.errors else "", class_="number bad"),
            tag("td", share(use.errors, use.calls), class_="number bad"),
            _number(time(use.seconds) if use.timed else "?"),
        )
        for use in report.tools[:_ROWS]
    ]
    hint = "its time has yours in it, where it waited for permission"
    return _table("Tools", ["", "|", ">calls", ">errors", ">", ">time"], rows, len(report.tools), hint)


def _sessions(report: Report) -> Markup:
    found = report.dearest
    return _table("Dearest sessions", _SESSION, [_session(session) for session in found[:_ROWS]], len(found))


def _session(session: Summary) -> Markup:
    return joined(
        *_name(session),
        _number(money(session.cost_usd, len(session.unpriced))),
        _number(time(session.active_s)),
        tag("td", f"{session.tool_calls:,}", class_="number spare"),
        tag("td", f"{session.tool_errors:,}" if session.tool_errors else "", class_="number bad spare"),
        _goal(session),
    )


def _median(report: Report) -> Markup:
    if "cost_usd" not in report.medians:
        return Markup()
    far = {found.session.run_id for found in report.outliers if found.measure == "cost_usd"}
    priced = [session for session in report.dearest if session.cost_usd][:_MOST_SESSIONS]
    dots = [Dot(session.cost_usd, _dot_words(session), session.run_id in far) for session in priced]
    drawn = in_both_widths(lambda width: strip(dots, report.medians["cost_usd"], width))
    rows = [
        tag(
            "tr",
            *_name(found.session),
            tag("td", outlier_words(found), class_="fixed"),
            _number(beside_median(found)),
            _goal(found.session),
        )
        for found in report.outliers
    ]
    below = _wide(tag("table", *rows, class_="sessions")) if rows else tag("p", "No session stands out.", class_="soft")
    return _section("Against your median session", joined(drawn, below), median_words(report.medians))


def _dot_words(session: Summary) -> str:
    return f"{short(session.run_id)} {money(session.cost_usd)} {shortened(one_line(session.goal), _LONGEST)}"


def _stops(report: Report) -> Markup:
    found = report.stopped
    rows = [
        joined(*_name(session), tag("td", how_stopped(session), class_="fixed"), _goal(session))
        for session in found[:_ROWS]
    ]
    return _table("Where you stepped in", ["", "", "", _GOAL], rows, len(found))


def _files(report: Report) -> Markup:
    rows = [
        joined(
            tag("td", folder(file.path), class_="path"),
            _number(f"{file.times:,}×"),
            _number(count(file.sessions, "session")),
        )
        for file in report.reread[:_ROWS]
    ]
    return _table("Files read again and again", ["", ">read", ">in"], rows, len(report.reread))


def _all(report: Report) -> Markup:
    found = report.sessions
    if len(found) <= _ROWS:
        return Markup()
    rows = [tag("tr", _session(session)) for session in found[:_MOST_SESSIONS]]
    name = (
        "All sessions" if len(found) <= _MOST_SESSIONS else f"The newest {_MOST_SESSIONS:,} sessions of {len(found):,}"
    )
    inside = _wide(tag("table", _header(_SESSION), *rows, class_="sessions"))
    return tag("section", tag("details", tag("summary", name), inside))


def _name(session: Summary) -> list[Markup]:
    return [
        tag("td", tag("code", short(session.run_id))),
        tag("td", session.started_at[:10] or "no date", class_="fixed soft"),
    ]


def _goal(session: Summary) -> Markup:
    words = shortened(one_line(session.goal), _LONGEST) or Path(one_line(session.project)).name
    return tag("td", tag("div", words), class_="words")


def _number(text: str) -> Markup:
    return tag("td", text, class_="number")


def _header(names: Sequence[str]) -> Markup:
    kinds = {">": "number", "|": "bar"}
    return tag("tr", *[tag("th", name.lstrip(">|"), class_=kinds.get(name[:1])) for name in names])


def _table(name: str, names: Sequence[str], rows: Sequence[Markup], of: int, hint: str = "") -> Markup:
    """Make a table with its heading; none where there is nothing in it."""
    if not rows:
        return Markup()
    more = f"{len(rows)} of {of:,}" if of > len(rows) else ""
    kind = "sessions" if names[-1] == _GOAL else None
    table = tag("table", _header(names), *[tag("tr", row) for row in rows], class_=kind)
    return _section(name, _wide(table), " · ".join(part for part in (more, hint) if part))


def _wide(table: Markup) -> Markup:
    return tag("div", table, class_="wide")


def _section(name: str, inside: Markup, hint: str = "") -> Markup:
    return tag("section", tag("h2", name, *([tag("small", hint)] if hint else [])), inside)
