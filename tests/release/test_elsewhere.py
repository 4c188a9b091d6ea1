"""The store and a registry beside it: edits are noticed, deploys and rollbacks reach it, and nothing parts unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from loopwright.errors import BusyError, RegistryError, UsageError
from loopwright.guard.redact import Masker
from loopwright.records.registry import Remote
from loopwright.registry import kinds
from loopwright.release.elsewhere import Elsewhere
from loopwright.release.first_prompts import prompt_template
from loopwright.release.items import Item, deploy
from loopwright.release.versions import Versions
from loopwright.store import open_store

NAME, THERE = "worker/bug_fix", "team.worker+bug_fix"


@dataclass
class Shelf:
    """A registry in memory, which can be out of reach."""

    texts: dict[str, str] = field(default_factory=dict)
    writes: list[tuple[str, str]] = field(default_factory=list)
    closed: str = ""
    """What can't be done now: `read`, `write`."""
    keeps: bool = True
    """Whether what is written is what is said afterwards."""
    next_edit: str = ""
    """What a human there writes right after the next look."""
    meanwhile: Callable[[], object] | None = None
    """What happens here while the next write is on its way."""
    joint: str = "+"
    room: bool = True

    def names(self, prefix: str) -> Sequence[str]:
        self._open("read")
        return [name for name in self.texts if name.startswith(prefix)]

    def takes(self, name: str) -> bool:
        return self.room

    def read(self, name: str) -> Remote | None:
        self._open("read")
        found = Remote(self.texts[name], "version 7") if name in self.texts else None
        if self.next_edit:
            self.texts[name], self.next_edit = self.next_edit, ""
        return found

    def write(self, name: str, text: str, note: str) -> None:
        self._open("write")
        if self.meanwhile:
            act, self.meanwhile = self.meanwhile, None
            act()
        self.writes.append((name, note))
        if self.keeps:
            self.texts[name] = text

    def _open(self, what: str) -> None:
        if what in self.closed.split():
            raise RegistryError("it is closed", "wait")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf({THERE: prompt_template(NAME).replace("\n", "\r\n").rstrip()})


@pytest.fixture
def versions(tmp_path: Path, shelf: Shelf) -> Iterator[Versions]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield Versions(store.versions, Masker({}), Elsewhere("shelf", shelf, "team."))


def elsewhere(versions: Versions) -> Elsewhere:
    assert isinstance(versions.elsewhere, Elsewhere)
    return versions.elsewhere


def edited(words: str, name: str = NAME) -> str:
    return f"{prompt_template(name)}\n{words}\n"


def used(versions: Versions, name: str = NAME) -> int:
    return versions.get("prompt", name).number


def test_a_deploy_and_a_rollback_reach_it(versions: Versions, shelf: Shelf) -> None:
    """What is in use here is said there, with the version and the reason; other ends of lines are no edit."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    versions.put_in_use(version, "me", "kindness")
    assert shelf.texts[THERE] == version.content
    versions.roll_back("prompt", NAME, "me", "too kind")
    assert shelf.texts[THERE] == prompt_template(NAME)
    assert shelf.writes == [(THERE, f"{NAME}@2: kindness"), (THERE, f"{NAME}@1: too kind")]


def test_an_edit_made_there_stops_a_deploy(versions: Versions, shelf: Shelf) -> None:
    """It is brought in as a version of the author `registry`, once; both ways on are said, and each works."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    shelf.texts[THERE] = edited("Be quick.")
    for _ in range(2):
        with pytest.raises(UsageError, match="an edit was made there") as refused:
            versions.put_in_use(version, "me", "kindness")
    assert f"deploy {NAME}@3" in refused.value.message
    assert f"sync {NAME} --ours" in refused.value.message
    there = versions.get("prompt", NAME, 3)
    assert (there.author, there.depth, there.reason) == ("registry", 0, "edited in shelf, version 7")
    assert (len(versions.history("prompt", NAME)), used(versions), shelf.writes) == (3, 1, [])
    versions.put_in_use(there, "me", "theirs is better")
    assert (used(versions), shelf.writes) == (3, [])
    versions.put_in_use(version, "me", "no, kindness")
    assert shelf.texts[THERE] == version.content


def test_an_edit_made_at_the_same_moment(versions: Versions, shelf: Shelf) -> None:
    """Between the look and the write it is noticed as well: it stays there, is brought in, and the ways on are said."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    shelf.next_edit = edited("Be quick.")
    with pytest.raises(RegistryError, match=f"it says `{NAME}@3`") as told:
        versions.put_in_use(version, "me", "kindness")
    assert f"sync {NAME} --ours" in told.value.hint
    assert (shelf.texts[THERE], shelf.writes, used(versions)) == (edited("Be quick."), [], 2)
    elsewhere(versions).sync(versions, ours=True)
    assert shelf.texts[THERE] == version.content


def test_an_edit_is_written_over_only_on_a_word(versions: Versions, shelf: Shelf) -> None:
    """`sync` leaves an edit alone, and says so; with `ours` it is written over, and kept here."""
    shelf.texts[THERE] = edited("Be quick.")
    (item,) = elsewhere(versions).sync(versions)
    assert (item.done, "an edit was made there" in item.words) == (False, True)
    assert shelf.texts[THERE] == edited("Be quick.")
    assert elsewhere(versions).sync(versions, ours=True) == [Item(NAME, 1, True, "written")]
    assert shelf.texts[THERE] == prompt_template(NAME)
    assert versions.get("prompt", NAME, 2).content == edited("Be quick.")


def test_out_of_reach_nothing_is_changed(versions: Versions, shelf: Shelf) -> None:
    """A deploy is refused before anything changes, here or there."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    shelf.closed = "read write"
    with pytest.raises(UsageError, match="shelf can't be asked: it is closed"):
        versions.put_in_use(version, "me", "kindness")
    assert used(versions) == 1


@pytest.mark.parametrize(("closed", "keeps"), [("write", True), ("", False)])
def test_a_write_that_fails_is_noticed_and_mended(versions: Versions, shelf: Shelf, closed: str, keeps: bool) -> None:
    """It is told at once and before the next deploy, which is refused; `sync` mends it, and then all goes on."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    shelf.closed, shelf.keeps = closed, keeps
    with pytest.raises(RegistryError, match=f"`{NAME}@2` is in use here, and shelf does not say so yet") as failed:
        versions.put_in_use(version, "me", "kindness")
    assert "loopwright prompts sync" in failed.value.hint
    assert used(versions) == 2
    shelf.closed, shelf.keeps = "", True
    more = versions.write("prompt", NAME, edited("Be kinder."), "more")
    with pytest.raises(UsageError, match=f"says `{NAME}@1`, and `{NAME}@2` is in use here: it is behind"):
        versions.put_in_use(more, "me", "more")
    assert elsewhere(versions).sync(versions) == [Item(NAME, 2, True, "written")]
    assert elsewhere(versions).sync(versions) == [Item(NAME, 2, True, "the same")]
    versions.put_in_use(more, "me", "more")
    assert shelf.texts[THERE] == more.content


def test_a_rollback_is_done_here_whatever_is_there(versions: Versions, shelf: Shelf) -> None:
    """Out of reach, it counts here and is told; an edit made there is kept as a version and written over."""
    versions.put_in_use(versions.write("prompt", NAME, edited("Be kind."), "x"), "me", "x")
    shelf.closed = "read write"
    with pytest.raises(RegistryError, match=f"`{NAME}@1` is in use here"):
        versions.roll_back("prompt", NAME, "watch", "worse")
    assert used(versions) == 1
    shelf.closed, shelf.texts[THERE] = "", edited("Be quick.")
    versions.roll_back("prompt", NAME, "me", "after all", to=2)
    assert shelf.texts[THERE] == edited("Be kind.")
    assert versions.get("prompt", NAME, 3).content == edited("Be quick.")


def test_what_it_has_no_place_for_stays_here(versions: Versions, shelf: Shelf) -> None:
    """A prompt without markers in a file is in use here alone; where there is a place, it is filled."""
    shelf.texts.clear()
    shelf.room = False
    versions.put_in_use(versions.write("prompt", NAME, edited("Be kind."), "x"), "me", "x")
    assert shelf.writes == []
    (item,) = elsewhere(versions).sync(versions, [NAME])
    assert (item.done, THERE in item.words) == (False, True)
    shelf.room = True
    assert elsewhere(versions).sync(versions, [NAME]) == [Item(NAME, 2, True, "written")]
    assert shelf.texts[THERE] == edited("Be kind.")


def test_a_team_brings_its_prompts(versions: Versions, shelf: Shelf) -> None:
    """All with the prefix are imported and used; what is not safe, or can't be read, is left out with its reason."""
    long = prompt_template("worker/docs") + "Mind the glossary, always. " * 200
    shelf.texts |= {"team.worker+docs": long, "worker+feature": "x", "team.worker+nothing": "x"}
    shelf.texts |= {"team.planner+docs": "Too short.", "team.critic+docs": "x" * 300_000}
    items = {item.name: item for item in elsewhere(versions).take_in(versions, "me")}
    assert set(items) == {NAME, "worker/docs", "planner/docs", "critic/docs"}
    assert items[NAME] == Item(NAME, 1, True, "in use already")
    assert items["worker/docs"] == Item("worker/docs", 2, True, "in use")
    assert versions.get("prompt", "worker/docs").author == "registry"
    assert "200 are needed" in items["planner/docs"].words
    assert "300000 characters" in items["critic/docs"].words
    assert (used(versions, "planner/docs"), shelf.writes) == (1, [])


def test_an_import_as_drafts(versions: Versions, shelf: Shelf) -> None:
    """They are written down once, and nothing is put into use."""
    shelf.texts[THERE] = edited("Be quick.")
    for _ in range(2):
        (item,) = elsewhere(versions).take_in(versions, "me", draft=True)
        assert item == Item(NAME, 2, True, "written down, and not in use")
    assert (used(versions), len(versions.history("prompt", NAME))) == (1, 2)


def test_profiles_are_nobody_elses(versions: Versions, shelf: Shelf) -> None:
    """A profile is put into use and rolled back while the registry is out of reach."""
    shelf.closed = "read write"
    versions.put_in_use(versions.write("profile", NAME, '{"model": "x"}', "x"), "me", "x")
    assert versions.roll_back("profile", NAME, "me", "back").number == 1


def test_a_rollback_while_a_write_is_on_its_way(versions: Versions, shelf: Shelf) -> None:
    """A deploy whose text arrives late does not leave it there: at the end the registry says what is in use."""
    version = versions.write("prompt", NAME, edited("Be kind."), "kindness")
    shelf.meanwhile = lambda: versions.roll_back("prompt", NAME, "me", "no")
    versions.put_in_use(version, "me", "kindness")
    assert (used(versions), shelf.texts[THERE]) == (1, prompt_template(NAME))
    assert shelf.writes == [(THERE, f"{NAME}@2: kindness"), (THERE, f"{NAME}@1: no")]


def test_two_at_once_leave_both_the_same(versions: Versions, shelf: Shelf) -> None:
    """Whoever loses in the store does not write to the registry."""
    made = [versions.write("prompt", NAME, edited(f"Be kind {number}."), "x", parent=1) for number in range(6)]

    def put(number: int) -> None:
        with suppress(BusyError, UsageError):
            versions.put_in_use(made[number], "me", "x")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(put, range(6)))
    assert shelf.texts[THERE] == versions.get("prompt", NAME).content
    assert len(shelf.writes) == len(versions.store.releases("prompt", NAME)) - 1


def test_of_several_each_that_is_safe_is_deployed(versions: Versions, shelf: Shelf) -> None:
    """One that fails is left out with its reason, and the others go on."""
    good = versions.write("prompt", NAME, edited("Be kind."), "x")
    other = versions.write("prompt", "worker/docs", edited("Be kind.", "worker/docs"), "x")
    versions.write("prompt", "planner/docs", "short", "x")
    wanted = [(NAME, 2), ("planner/docs", 2), ("worker/docs", 2), ("worker/docs", 9), ("nobody/docs", 1)]
    done = deploy(versions, wanted, "me", "all")
    assert [item.done for item in done] == [True, False, True, False, False]
    assert "200 are needed" in done[1].words
    assert shelf.texts == {THERE: good.content, "team.worker+docs": other.content}


def test_without_a_registry_nothing_is_asked(versions: Versions, shelf: Shelf) -> None:
    """The store alone is a registry, too."""
    alone = replace(versions, elsewhere=None)
    alone.put_in_use(alone.write("prompt", NAME, edited("Be kind."), "x"), "me", "x")
    assert (used(alone), shelf.writes) == (2, [])
