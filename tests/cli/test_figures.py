from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.cli.figures import (
    amount,
    bar,
    count,
    cut_left,
    cut_middle,
    folder,
    money,
    one_line,
    share,
    shortened,
    sparkline,
    time,
    wrapped,
)


@pytest.mark.parametrize(
    ("dollars", "unpriced", "written"),
    [
        (0, 0, "$0.00"),
        (0.001, 0, "<$0.01"),
        (0.005, 0, "$0.01"),
        (1.239, 0, "$1.24"),
        (999.994, 0, "$999.99"),
        (12345.6, 0, "$12,346"),
        (0, 5, "?"),
        (1.5, 5, "$1.50+"),
    ],
)
def test_money(dollars: float, unpriced: int, written: str) -> None:
    """Money has cents until they do not matter, and says where there is more that nobody knows."""
    assert money(dollars, unpriced) == written


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "0"),
        (999, "999"),
        (999.9, "1.0k"),
        (12_345, "12.3k"),
        (99_990, "100k"),
        (999_999, "1.0M"),
        (4_100_000_000, "4.1G"),
        (10**15, "1000000G"),
    ],
)
def test_amount(number: float, written: str) -> None:
    """A count has three digits and a unit."""
    assert amount(number) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0 s"),
        (0.2, "<1 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (3599, "1 h 00"),
        (3700, "1 h 02"),
        (360_000, "100 h"),
        (36_000_000, "10,000 h"),
    ],
)
def test_time(seconds: float, written: str) -> None:
    """A time is written in the unit that people would use, and never has 60 minutes."""
    assert time(seconds) == written


def test_count_and_share() -> None:
    """One is one; a part that is small is not nothing."""
    assert (count(1, "session"), count(2000, "session")) == ("1 session", "2,000 sessions")
    assert (share(1, 3), share(1, 1000), share(0, 3), share(1, 0)) == ("33%", "<1%", "", "")


def test_bars() -> None:
    """A bar is as long as its part; what is there at all is seen, and nothing is longer than the whole."""
    assert [bar(part, 8, 4) for part in (0, 1, 4, 8, 99)] == ["", "╸", "━━", "━━━━", "━━━━"]
    assert bar(1e-9, 1, 4) == "╸"
    assert bar(1, 0, 4) == ""


def test_sparkline() -> None:
    """The highest value is a full block, none a dot."""
    assert sparkline([0, 1, 4, 8]) == "·▂▅█"
    assert sparkline([]) == ""
    assert sparkline([0.0]) == "·"


def test_paths(own_home: Path) -> None:
    """The user's home is `~`, and a path that is too long keeps its end."""
    assert folder(f"{own_home}/code/shop") == "~/code/shop"
    assert folder(f"{own_home}ish/x") == f"{own_home}ish/x"
    assert cut_left("/home/ada/code/shop", 12) == "…/code/shop"
    assert cut_left("a" * 20, 5) == "…aaaa"
    assert cut_left("/home/ada", 9) == "/home/ada"


def test_words_of_others_stay_on_their_line() -> None:
    """Line breaks, colours and marks that turn the text around do not reach the terminal."""
    assert one_line("a\n b\x1b[31mc\u202ed\x00") == "a bc�d�"
    assert (shortened("abc def", 5), shortened("abc", 5)) == ("abc…", "abc")


@pytest.mark.parametrize("width", range(3, 12))
def test_names_are_cut_in_the_middle(width: int) -> None:
    """Both ends stay, in as much room as there is; what fits is left alone."""
    found = cut_middle("abcdefghijklmnop", width)
    assert len(found) == width
    assert found.startswith("a") and found.endswith("p") and "…" in found
    assert cut_middle("abc", width) == "abc"


def test_wrapped() -> None:
    """Words are broken into lines that fit and hang under the first; nothing steers the terminal."""
    assert wrapped("one two\x1b[31m three", 12, "- ", "  ").splitlines() == ["- one two three"]
    lines = wrapped("word " * 30, 40, "  ").splitlines()
    assert max(map(len, lines)) <= 40
    assert [line[:4].isspace() for line in lines] == [False, *[True] * (len(lines) - 1)]
