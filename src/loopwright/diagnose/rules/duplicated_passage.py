"""Passages of prompts that say what was said before, or what agents read beside them: tokens for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from loopwright.diagnose.grouping import chosen, dearest
from loopwright.records.budget import Usage
from loopwright.records.finding import Finding
from loopwright.records.window import Looked, Prompt, Window
from loopwright.text.duplicates import Passage, duplicates
from loopwright.text.prices import dollars
from loopwright.text.tokens import tokens_in

NAME = "duplicated_passage"
LEAST_TOKENS = 20
_SHOWN, _QUOTED = 3, 100


def duplicated_passage(window: Window) -> Iterator[Looked]:
    """Look at each prompt that was told, and at the files beside them."""
    for prompt in window.prompts:
        yield _looked(prompt, window, window.beside, f"prompt {prompt.name}")
    ours = [case.run_id for case in window.cases if not case.source]  # others may be of any repository
    for name, text in window.beside.items():
        yield _looked(Prompt(name, text, ours), window, {}, f"file {name}")


def _looked(prompt: Prompt, window: Window, beside: Mapping[str, str], target: str) -> Looked:
    found = duplicates(prompt.text, beside)
    tokens, cases = sum(one.tokens for one in found), chosen(window.cases, set(prompt.runs))
    attempts = {case.run_id: max(1, case.iterations) for case in cases}
    spent = [dollars(case.model, Usage(tokens * attempts[case.run_id])) or 0.0 for case in cases] if tokens else []
    stands = tokens >= LEAST_TOKENS
    finding = Finding(
        key=f"{NAME}/{prompt.name}",
        goal="cost",
        rule=NAME,
        title=f"`{prompt.name}` says the same more than once",
        detail=f"about {tokens:,} of {tokens_in(prompt.text):,} tokens say again what was said{_quoted(found)}",
        sessions=len(cases) if stands else 0,
        of=len(cases),
        certainty=0.9,
        target=target,
        waste_usd=round(sum(spent), 6),
        waste_tokens=tokens * sum(attempts.values()),
        runs=dearest(cases) if stands else (),
    )
    return Looked(finding, stands)


def _quoted(found: list[Passage]) -> str:
    largest = sorted(found, key=lambda one: -one.tokens)[:_SHOWN]
    parts = [f"`{' '.join(one.text.split())[:_QUOTED]}` ({one.tokens} tokens, as {one.like})" for one in largest]
    return f": {'; '.join(parts)}" if parts else ""
