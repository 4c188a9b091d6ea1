"""A post-mortem -> Markdown, in which a diagnosis is called a hypothesis and the words of others are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from loopwright.export.report import escaped
from loopwright.records.postmortem import HORIZONS, Candidate, PostMortem

_CLASSES = {
    "preventable": "preventable",
    "systemic": "systemic (it comes again and again)",
    "one_off": "a one-off, as far as the record goes",
}
_WITHIN = re.compile(r"(?<=\w)\\_(?=\w)")
"""In the middle of a word, it means nothing to Markdown."""


def postmortem_page(written: PostMortem) -> str:
    """Write it."""
    return "\n".join(_lines(written)) + "\n"


def _lines(written: PostMortem) -> Iterable[str]:
    yield from (f"# Post-mortem. {_line(written.title)}", "")
    yield f"Significant because: {', '.join(name.replace('_', ' ') for name in written.triggers)}."
    yield f"Class: {_CLASSES[written.failure_class]}; {_line(written.because)}."
    yield from ("", "## Timeline", "")
    for one in written.timeline:
        yield f"- {one.at[:19].replace('T', ' ')}: {_line(one.what)} ({_line(one.where)})"
    yield from ("", "## Candidate causes", "")
    yield "Hypotheses, read from the record by rules. A probability ranks them; it was not measured."
    for number, candidate in enumerate(written.candidates, 1):
        yield from _candidate(number, candidate)
    if not written.candidates:
        yield from ("", "No rule recognises what it was.")
    yield from ("", f"Something else: {written.unexplained:.0%}.", "", "## Remediations")
    for horizon, words in HORIZONS.items():
        its = [one for one in written.remediations if one.horizon == horizon]
        if its:
            yield from ("", f"### {horizon.replace('_', ' ').capitalize()} ({words})", "")
        for remedy in its:
            target = f" Applied to: {_line(remedy.target)}." if remedy.target else ""
            yield f"- {_line(remedy.text)} (against {_line(remedy.against)}).{target}"
    yield from ("", "## Links", "", f"- `loopwright graph {written.run_id[-8:]}`: causes and remedies")
    yield from (f"- `loopwright graph {one[:8]}`: one failed criterion" for one in written.failures)
    yield from ("", f"Written {written.at[:19].replace('T', ' ')} UTC.")


def _candidate(number: int, candidate: Candidate) -> Iterable[str]:
    one = candidate.hypothesis
    by = f"rule {one.by}" if not one.by.startswith("model ") else one.by
    yield from ("", f"{number}. **{_line(one.name)}**, probability {candidate.probability:.0%} ({_line(by)})")
    yield from (f"   - {_line(words)}" for words in candidate.evidence)


def _line(words: str) -> str:
    return _WITHIN.sub("_", " ".join(escaped(words).split()))
