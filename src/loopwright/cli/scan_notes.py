"""A report -> what it does not know, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.cli.figures import amount, count, folder, one_line
from loopwright.ingest.report import Report

_MOST = 5
_LONGEST = 300
_PRICES = (
    "Costs are what the tokens come to at the providers' list prices, not what a subscription or a contract charges."
)


def notes_of(report: Report, troubles: Sequence[str] = (), others: int = 0, timeless: int = 0) -> list[str]:
    """Say what is missing from a report, or less certain than it looks."""
    notes = [_PRICES] if report.totals.cost_usd else []
    if report.unpriced:
        models = [
            f"{one_line(name) or 'unnamed'} ({amount(tokens)} tokens)" for name, tokens in report.unpriced.items()
        ]
        notes.append(f"No price is known for {_listed(models)}: that counts as $0.")
    if silent := [session for session in report.sessions if not session.tokens.total and session.is_understood]:
        notes.append(f"{count(len(silent), 'session')} told nothing of tokens, so nothing of cost.")
    if lost := report.not_understood:
        where = _listed([folder(session.path) for session in lost])
        notes.append(f"Nothing was understood of {count(len(lost), 'session')}: {where}")
    if report.totals.raw_lines:
        notes.append(f"Kept as it was, since nothing understood it: {count(report.totals.raw_lines, 'line')}.")
    if timeless:
        notes.append(f"{count(timeless, 'session')} told no time, and --since leaves them out.")
    if others:
        notes.append(f"{count(others, 'file')} held no session of an agent that is known.")
    notes += [f"Not read: {one_line(trouble)[:_LONGEST]}" for trouble in troubles[:_MOST]]
    if len(troubles) > _MOST:
        notes.append(f"And {len(troubles) - _MOST:,} more that were not read.")
    return notes


def text_notes(bared: int, with_text: int) -> list[str]:
    """Say what --no-content did with the text that earlier scans had stored."""
    notes = [f"The text that an earlier scan had stored of {count(bared, 'session')} was removed."] if bared else []
    if with_text:
        notes.append(
            f"The store still has the text of {count(with_text, 'session')}, of earlier scans and other files: "
            "`loopwright scan --no-content FILES` removes it where they are still there."
        )
    return notes


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return f"{', '.join(names[:_MOST])}{more}"


def fault_notes(faults: Mapping[str, str]) -> list[str]:
    """Name the detectors that went wrong, and what to do."""
    return [
        f"The detector `{name}` went wrong ({why}): leave it out with [signals.{name}] off = true."
        for name, why in sorted(faults.items())
    ]
