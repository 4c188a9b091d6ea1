"""All rules together."""

from __future__ import annotations

from pathlib import Path

from loopwright import diagnose
from loopwright.diagnose.findings import RULES, look, ranked
from loopwright.records.finding import Change, Finding, Sighting

from .samples import cases, signal, window


def sighting(key: str, sessions: int, waste: float = 0.0, change: Change = "new", certainty: float = 0.8) -> Sighting:
    finding = Finding(key, "cost", "r", key, key, sessions, 10, certainty, waste_usd=waste)
    return Sighting(finding, "2026", change)


def test_every_rule_of_the_folder_looks() -> None:
    """One file is one rule, and none is forgotten."""
    files = (Path(diagnose.__file__).parent / "rules").glob("[a-z]*.py")
    assert sorted(rule.__name__ for rule in RULES) == sorted(file.stem for file in files)  # type: ignore[attr-defined]


def test_nothing_is_found_where_nothing_is() -> None:
    """No session, no finding; and of sessions that went well none stands."""
    assert look(window([])) == []
    assert [one.finding.key for one in look(window(cases(40))) if one.stands and one.finding.certainty > 0.3] == []


def test_each_key_is_looked_at_once() -> None:
    """Two rules never give the same key, whatever is in the window, and every key begins with its rule."""
    signals = [signal(f"{kind}-{number}", name) for kind in ("bug_fix", "docs") for number in range(4) for name in "ab"]
    looked = look(window([*cases(6), *cases(6, "docs")], signals=signals))
    keys = [one.finding.key for one in looked]
    assert len(keys) == len(set(keys))
    assert all(one.finding.key.startswith(f"{one.finding.rule}/") for one in looked)


def test_what_matters_most_comes_first() -> None:
    """How often, how costly, how sure; what is gone comes last."""
    given = [
        sighting("gone", 0, change="gone"),
        sighting("seldom", 1),
        sighting("unsure", 5, certainty=0.1),
        sighting("dear", 1, waste=9.0),
        sighting("often", 5),
    ]
    assert [one.finding.key for one in ranked(given)] == ["dear", "often", "seldom", "unsure", "gone"]
