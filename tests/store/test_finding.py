"""People find a run by what they can remember of its id."""

from __future__ import annotations

import pytest

from loopwright.errors import UnknownName, UsageError
from loopwright.store import Store

from .samples import make_run, make_step

OLD = "01900000-aaaa-7000-8000-00000000beef"
MIDDLE = "01900000-bbbb-7000-8000-00000000cafe"
NEW = "01911111-cccc-7000-8000-00000190cafe"


@pytest.fixture
def filled(store: Store) -> Store:
    for day, run_id in enumerate((MIDDLE, NEW, OLD)):
        run = make_run(id=run_id, goal=f"Goal of {run_id[-4:]}", started_at=f"2026-01-0{3 - day}T00:00:00.000Z")
        store.add_run(run, make_step(run))
    return store


@pytest.mark.parametrize("name", [OLD, OLD.upper(), f" {OLD} ", "01900000-aaaa", "beef", "0000beef"])
def test_a_run_is_found_by_its_id_or_a_part_of_it(filled: Store, name: str) -> None:
    """The whole id, a beginning or an end that is only its own, in any case, give the run."""
    assert filled.find(name) == OLD


@pytest.mark.parametrize("name", ["12e3", "12E3d", "12e3dfc"])
def test_the_beginning_of_what_is_shown_is_enough(filled: Store, name: str) -> None:
    """Who sees the last eight digits may write the first of those."""
    run = make_run(id="01900000-dddd-7000-8000-000012e3dfc4")
    filled.add_run(run, make_step(run))
    assert filled.find(name) == run.id


def test_last_is_the_run_that_began_last(filled: Store) -> None:
    """`last` is the newest by its time of start, whatever its id."""
    assert filled.find("last") == MIDDLE


def test_a_part_that_is_beginning_and_end_of_one_run_is_that_run(store: Store) -> None:
    """A run that matches twice is still one run."""
    run = make_run(id="cafe0000-cafe")
    store.add_run(run, make_step(run))
    assert store.find("cafe") == run.id


def test_an_id_that_begins_another_is_itself(store: Store) -> None:
    """An exact id wins over the longer ones that begin with it."""
    for run_id in ("abcdef", "abcdef-1"):
        run = make_run(id=run_id)
        store.add_run(run, make_step(run))
    assert store.find("abcdef") == "abcdef"


@pytest.mark.parametrize(
    ("name", "meant"), [("01900000", (OLD, MIDDLE)), ("cafe", (MIDDLE, NEW)), ("019000", (OLD, MIDDLE))]
)
def test_several_runs_are_listed_with_their_goals(filled: Store, name: str, meant: tuple[str, str]) -> None:
    """A part that several runs have is refused, with each of them and what it was for."""
    with pytest.raises(UsageError) as caught:
        filled.find(name)
    assert not isinstance(caught.value, UnknownName)
    assert f"`{name}` is 2 runs" in caught.value.message
    listed = [line.strip() for line in caught.value.hint.splitlines()[1:]]
    assert sorted(listed) == sorted(f"{run_id}  Goal of {run_id[-4:]}" for run_id in meant)


def test_a_long_list_of_candidates_is_cut(store: Store) -> None:
    """Hundreds of candidates do not fill the screen."""
    for number in range(300):
        run = make_run(id=f"01900000-{number:04d}")
        store.add_run(run, make_step(run))
    with pytest.raises(UsageError, match="`01900000` is more than 10 runs") as caught:
        store.find("01900000")
    assert len(caught.value.hint.splitlines()) == 11


@pytest.mark.parametrize("name", ["dead", "bee", "eef", "", "%beef", "____", "*", "aaaa-7000"])
def test_a_name_that_no_run_has_is_refused(filled: Store, name: str) -> None:
    """Unknown, too short, in the middle only, or with signs that mean something to SQL: there is no such run."""
    with pytest.raises(UnknownName) as caught:
        filled.find(name)
    assert f"there is no run `{name}`" in caught.value.message
    assert "loopwright runs" in caught.value.hint


def test_a_slip_of_the_finger_gets_a_guess(filled: Store) -> None:
    """A short id with one wrong digit names the one that was meant."""
    with pytest.raises(UnknownName, match="did you mean `0000beef`"):
        filled.find("0000beec")


@pytest.mark.parametrize(("name", "words"), [("last", "there is no run yet\nhint: start one"), ("beef", "none yet")])
def test_an_empty_store_says_that_it_is_empty(store: Store, name: str, words: str) -> None:
    """Where there is no run yet, nothing is found and it is said why."""
    with pytest.raises(UsageError, match=words):
        store.find(name)
