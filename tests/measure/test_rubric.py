"""Rubrics: what is read, what is refused by name, what is called loose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopwright.errors import TaskError, UnknownName, UsageError
from loopwright.measure.rubric import find_rubric, read_rubric, ready_names, rubric_of
from loopwright.records.rubric import Rubric
from loopwright.registry import kinds

HEAD = 'name = "mine"\nversion = 2\n[[items]]\nname = "one"\n'
QUESTION = 'question = "Is it there?"\n'


def rubric(items: str) -> Rubric:
    return rubric_of(HEAD + items, "mine.toml", kinds)


@pytest.mark.parametrize("name", ["bug_fix", "feature", "refactor", "tests", "docs", "other"])
def test_a_ready_one_is_sound(name: str) -> None:
    """Each that ships can be read, is not loose, and has checks as well as questions."""
    found = find_rubric(name, [], kinds)
    assert (found.name, found.loose) == (name, ())
    assert any(item.question for item in found.items) and any(not item.question for item in found.items)
    assert name in ready_names()


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ("", "nothing observable decides `one`"),
        ("weight = 2", "nothing observable decides `one`"),
        ('question = "Is it of good quality?"', "nothing observable decides `one`: its answers have no anchors"),
        (QUESTION + 'anchors = { 10 = "it is there" }', "fewer than two different answers"),
        (QUESTION + 'anchors = { 0 = "good", 10 = "Good." }', "two of its anchors say the same"),
        (QUESTION + 'anchors = { 0 = "not there", 10 = "" }', "does not say what the answer `10` means"),
        (QUESTION + 'anchors = { low = "a", high = "b" }', "an anchor at `low`"),
        (QUESTION + 'anchors = { 0 = "a", 5.0 = "b" }', "does not say what the answer `5` means"),
        ('anchors = { 0 = "a", 5 = "b" }\ncheck = "criteria"', "has anchors and no question"),
        ('number = "iterations"', "compared with nothing"),
        ('number = "iterations"\nleast = 0', "`one` always holds: `iterations` is 1 or more, wanted: at least 0"),
        ('number = "iterations"\nleast = 1', "`one` always holds"),
        ('number = "iterations"\nmost = 0', "`one` never holds"),
        ('number = "prompts"\nleast = 2.1\nmost = 2.9', "`one` never holds"),
        ('pattern = "."', "the pattern of `one` matches anything: `.`"),
        ('pattern = "(?s).+"', "matches anything"),
        ('pattern = "(?!)"\nabsent = true', "the pattern of `one` matches nothing: `(?!)`"),
        ("pattern = '[^\\s\\S]'", "matches nothing"),
        ('check = "criteria"\n[[items]]\nname = " "\ncheck = "criteria"', "an item has an empty name"),
        ('question = "?"\nanchors = { 0 = "a line", 10 = "two lines" }', "`one` asks nothing"),
        (QUESTION + 'anchors = { 0 = "-", 10 = "it is there" }', "does not say what the answer `0` means"),
        ('number = "tokens"\nmost = inf', "`one` always holds"),
        ('number = "tool_error_share"\nmost = 1', "`tool_error_share` is 0 to 1, wanted: at most 1"),
        ('number = "tool_error_share"\nleast = 1.5', "`one` never holds"),
        ('number = "iterations"\nmost = -1', "`one` never holds"),
        (
            'number = "iterations"\nleast = 3\nmost = 2',
            "never holds: `iterations` is 1 or more, wanted: at least 3 and",
        ),
        ('number = "iterations"\nmost = nan', "`one` never holds"),
        ('number = "iterations"\nleast = inf', "`one` never holds"),
        ('pattern = ""', "the pattern of `one` is empty"),
        ('pattern = "x*"', "the pattern of `one` matches anything: `x*`"),
        ('pattern = "TODO|"\nabsent = true', "the pattern of `one` matches anything: `TODO|`"),
        ('pattern = "x"\nmost = 3', "`one` has a bound and no number"),
        (QUESTION + 'anchors = { 0 = "a line", 4 = "two lines" }', "`least` of `one` is 5: no answer would do"),
        (QUESTION + 'least = 0\nanchors = { 0 = "a line", 10 = "two lines" }', "any answer would do"),
        ('check = "criteria"\nweight = inf', "the weight of `one` is inf"),
        ('check = "quality"', "has the check `quality`"),
        ('pattern = "("', "is not a regular expression"),
        ('pattern = "x"\ncheck = "criteria"', "is decided by check and pattern"),
        ('check = "criteria"\nweight = 0', "the weight of `one` is 0"),
        ('check = "criteria"\n[[items]]\nname = "one"\ncheck = "criteria"', "two items are called `one`"),
        ('check = "criteria"\ncolour = 3', "there is no field `colour` here"),
        ('criterion = { test = "" }', "a test has no command"),
    ],
)
def test_what_nothing_decides_is_refused_by_name(items: str, words: str) -> None:
    """An item that nothing observable decides, and whatever else is wrong, is named with the file and a reason."""
    with pytest.raises(TaskError, match=f"mine\\.toml`.*{re.escape(words)}") as raised:
        rubric(items)
    assert raised.value.hint or "regular" in words or "no command" in words or "same" in words


def test_a_number_that_is_none_is_unknown() -> None:
    """A number that no record has gets the nearest name."""
    with pytest.raises(UsageError, match="there is no number `iteration`") as raised:
        rubric('number = "iteration"\nmost = 1')
    assert "did you mean `iterations`?" in raised.value.hint


@pytest.mark.parametrize(
    "items",
    [
        *('pattern = "^$"', r"pattern = '\A\s*\Z'", r"pattern = '\w'", 'number = "tool_error_share"\nmost = 0'),
        *('number = "iterations"\nleast = 2', 'number = "prompts"\nleast = 0\nmost = 0'),
        'number = "cost_usd"\nleast = 2.1\nmost = 2.9',
    ],
)
def test_what_can_hold_and_can_not_is_taken(items: str) -> None:
    """A bound, or a pattern, that some work meets and some does not is one."""
    assert rubric(items).items[0].name == "one"


def test_a_loose_one_is_named_as_such() -> None:
    """One that has only questions, and anchors that are opinions, are said to be loose; they are not refused."""
    found = rubric(QUESTION + 'anchors = { 0 = "bad", 5 = "ok", 10 = "very good quality" }')
    assert len(found.loose) == 2
    assert "only questions" in found.loose[0] and "`one` are opinions (0, 5, 10)" in found.loose[1]
    assert rubric('check = "criteria"').loose == ()


def test_its_hash_is_of_what_it_says() -> None:
    """White space and order do not matter; a weight, a word or a version do."""
    one = rubric('pattern = "x"\nweight = 2')
    assert one.hash == rubric('weight  =  2\n\npattern = "x"').hash
    assert one.hash != rubric('pattern = "x"\nweight = 3').hash
    assert one.hash != rubric_of(HEAD.replace("2", "3") + 'pattern = "x"\nweight = 2', "", kinds).hash


def test_the_projects_own_goes_before_a_ready_one(tmp_path: Path) -> None:
    """A file of that name in the project's folder is taken; a file is read as such; another name is unknown."""
    (tmp_path / "docs.toml").write_text(HEAD + 'check = "criteria"')
    assert find_rubric("docs", [tmp_path], kinds).name == "mine"
    assert find_rubric(str(tmp_path / "docs.toml"), [], kinds).name == "mine"
    assert find_rubric("tests", [tmp_path], kinds).name == "tests"
    with pytest.raises(UnknownName, match="there is no rubric `doc`"):
        find_rubric("doc", [tmp_path], kinds)
    with pytest.raises(TaskError, match="can't be read"):
        read_rubric(tmp_path / "none.toml", kinds)
