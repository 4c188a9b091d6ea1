"""Metrics as Prometheus reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from loopwright.http.prometheus import KINDS, MOST, OTHERS, Exposition, escaped
from loopwright.records.outcome import By, Sums

LINE = re.compile(r'[a-z_]+\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\} -?[\d.e+]+')


SUMS = Sums(4, 3, 2, 1, 1, 0, 1000, 0.25, 60.0, 12, 1, 80.0)


def sums(*names: str) -> list[tuple[list[str], Sums]]:
    return [([name] * len(KINDS), SUMS) for name in names]


def lines(*names: str) -> list[str]:
    return Exposition(lambda kinds: sums(*names), lambda: {"error_loop": 7}).text().splitlines()


def test_numbers_of_groups() -> None:
    """Each group of each kind has its sums, whatever the other kinds say; of coverage the average is told."""
    told = [(["codex", *["x"] * 5], SUMS), (["codex", *["y"] * 5], SUMS._replace(covered=3, coverage=120.0))]
    text = Exposition(lambda kinds: told, lambda: {"timeout": 2}).text()
    assert 'loopwright_runs{by="agent",name="codex"} 8\n' in text
    assert 'loopwright_runs{by="model",name="x"} 4\n' in text
    assert 'loopwright_cost_usd{by="agent",name="codex"} 0.5\n' in text
    assert 'loopwright_seconds{by="agent",name="codex"} 120\n' in text
    assert 'loopwright_lines_added{by="agent",name="codex"} 24\n' in text
    assert 'loopwright_coverage_percent{by="agent",name="codex"} 50\n' in text
    assert 'loopwright_signals{type="timeout"} 2\n' in text


def test_coverage_that_nobody_knows_is_left_out() -> None:
    """A group of which no run told its coverage has no line for it."""
    told = [(["codex"] * len(KINDS), SUMS._replace(covered=0, coverage=0.0))]
    assert "loopwright_coverage_percent{" not in Exposition(lambda kinds: told, dict).text()


def test_every_line_is_of_the_format() -> None:
    """Whatever groups are called, each line is a comment or a sample with its value."""
    for line in lines('a"b\\c\nd\r', "", "名前", "x" * 1000):
        assert line.startswith(("# HELP loopwright_", "# TYPE loopwright_")) or LINE.fullmatch(line), line


def test_the_number_of_series_is_bounded() -> None:
    """However many groups there are, the largest stay and the rest is one."""
    found = [line for line in lines(*(f"p{number}" for number in range(500))) if line.startswith("loopwright_runs{")]
    assert len(found) == len(KINDS) * (MOST + 1)
    assert f'loopwright_runs{{by="agent",name="{OTHERS}"}} {4 * (500 - MOST)}' in found
    named = lines(OTHERS, *(f"p{number}" for number in range(500)))
    assert f'loopwright_runs{{by="agent",name="{OTHERS}"}} {4 * (501 - MOST + 1)}' in named


def test_it_is_made_at_most_every_ten_seconds() -> None:
    """Who asks often gets the same text, and the store is left alone."""
    asked: list[Sequence[By]] = []
    moments = iter([0.0, 9.0, 11.0, 11.0])

    def read(kinds: Sequence[By]) -> list[tuple[list[str], Sums]]:
        asked.append(kinds)
        return []

    told = Exposition(read, dict, lambda: next(moments))
    for wanted in (1, 1, 2):
        told.text()
        assert len(asked) == wanted


@pytest.mark.parametrize(("words", "wanted"), [('"', '\\"'), ("\\", "\\\\"), ("a\nb", "a\\nb"), ("é", "é")])
def test_labels_are_escaped(words: str, wanted: str) -> None:
    """Quotes, backslashes and line feeds can't end a value."""
    assert escaped(words) == wanted
