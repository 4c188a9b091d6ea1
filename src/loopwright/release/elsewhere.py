"""The store and a registry beside it: an edit made there is brought in, and what is put into use here reaches it.

The store decides: its transaction, which two can't make at once, comes before the registry is written. What is left
where that write fails is a registry that is behind. It is seen whenever the two are held against each other: before the
next deploy, which is refused, and by `loopwright prompts sync`, which mends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.errors import RegistryError, UnknownName
from loopwright.ports import PromptRegistry
from loopwright.records.registry import Remote
from loopwright.records.version import Release, Version
from loopwright.release.first_prompts import prompt_names
from loopwright.release.items import Item, each
from loopwright.release.versions import Versions

_LONGEST, _LONGEST_NOTE = 200_000, 200
_TURNS = 10
_OURS = ("files",)
"""Where each name is meant for us, because its marker says so: one that we don't know is a slip."""


@dataclass(frozen=True)
class Elsewhere:
    """A registry, as the versions see it."""

    kind: str
    registry: PromptRegistry
    prefix: str = ""

    @property
    def example(self) -> str:
        """Name a prompt as it would be called there."""
        return self._spelled("worker/bug_fix")

    def faults(self, versions: Versions, version: Version) -> list[str]:
        """Say why the registry stands against putting a version into use; an edit made there is brought in."""
        _, used = versions.in_use("prompt", version.name)
        try:
            found = self.registry.read(self._spelled(version.name))
            if found is None or _same(found.text, used.content) or _same(found.text, version.content):
                return []
            there = self._brought_in(versions, version.name, found)
        except RegistryError as error:
            return [f"{self.kind} can't be asked: {error.message} ({error.hint})"]
        return [f"{self.kind} says `{there.title}`, and `{used.title}` is in use here: {_way_on(versions, there)}"]

    def reach(self, versions: Versions, release: Release) -> None:
        """Bring what was put into use here to the registry, as far as it has a place for it."""
        for _ in range(_TURNS):
            version = versions.get("prompt", release.name, release.number)
            try:
                self._put(versions, version, release.reason, over=bool(release.undoes))
            except RegistryError as error:
                words = f"`{version.title}` is in use here, and {self.kind} does not say so yet: {error.message}"
                raise RegistryError(words, f"mend that ({error.hint}), then: loopwright prompts sync") from None
            now = versions.in_use("prompt", release.name)[0]
            if now.id == release.id:
                return
            release = now  # somebody else has put another one into use before ours was written there

    def take_in(self, versions: Versions, by: str, *, draft: bool = False) -> list[Item]:
        """Bring in all prompts of the registry, and put them into use, as far as they are safe."""

        def take(name: str) -> Item:
            found = self.registry.read(self._spelled(name))
            if found is None:
                return Item(name, None, False, f"{self.kind} has none in use")
            version = self._brought_in(versions, name, found)
            if version.number == versions.get("prompt", name).number:
                return Item(name, version.number, True, "in use already")
            if draft:
                return Item(name, version.number, True, "written down, and not in use")
            versions.put_in_use(version, by, f"imported from {self.kind}, {found.mark}")
            return Item(name, version.number, True, "in use")

        return [*each(self._names(), take), *self._slips()]

    def sync(self, versions: Versions, names: Sequence[str] = (), *, ours: bool = False) -> list[Item]:
        """Make the registry say what is in use here; an edit made there is written over only with `ours`."""

        def mend(name: str) -> Item:
            release, used = versions.in_use("prompt", name)
            found = self.registry.read(self._spelled(name))
            if found is not None and _same(found.text, used.content):
                return Item(name, used.number, True, "the same")
            if found is None and not self.registry.takes(self._spelled(name)):
                return Item(name, used.number, False, f"{self.kind} has no place for `{self._spelled(name)}`")
            there = self._brought_in(versions, name, found) if found else None
            if there and not ours and not _was_in_use(versions, there):
                words = f"{self.kind} says `{there.title}`: {_way_on(versions, there)}"
                return Item(name, used.number, False, words)
            self._put(versions, used, release.reason, over=True)
            return Item(name, used.number, True, "written")

        return [*each(names or self._names(), mend), *([] if names else self._slips())]

    def _put(self, versions: Versions, version: Version, note: str, *, over: bool) -> None:
        """Write a version there; `over` an edit, too, which is then kept here."""
        name = self._spelled(version.name)
        found = self.registry.read(name)
        if found is None and not self.registry.takes(name):
            return
        if found is not None and _same(found.text, version.content):
            return
        there = self._brought_in(versions, version.name, found) if found else None
        if there and not over and not _was_in_use(versions, there):  # it was made just now, after the look before
            raise RegistryError(f"it says `{there.title}`", _way_on(versions, there))
        self.registry.write(name, version.content, f"{version.title}: {' '.join(note.split())}"[:_LONGEST_NOTE])
        after = self.registry.read(name)
        if after is None or not _same(after.text, version.content):
            raise RegistryError(f"`{name}` was written, and says something else", "look there who else writes")

    def _brought_in(self, versions: Versions, name: str, found: Remote) -> Version:
        """Give the version that says what the registry does; a new one where nothing has said so yet."""
        if len(found.text) > _LONGEST:
            raise RegistryError(f"`{name}` has {len(found.text)} characters there", f"at most {_LONGEST} are possible")
        for known in reversed(versions.history("prompt", name)):
            if _same(known.content, found.text):
                return known
        reason = f"edited in {self.kind}, {found.mark}"
        return versions.write("prompt", name, _plain(found.text), reason, author="registry", rebase=True)

    def _names(self) -> list[str]:
        """Name the prompts of ours that the registry has."""
        spelled = {self._spelled(name): name for name in prompt_names()}
        return [spelled[name] for name in self.registry.names(self.prefix) if name in spelled]

    def _slips(self) -> list[Item]:
        """Name what is meant for us there, and is no prompt of ours."""
        known = [self._spelled(name) for name in prompt_names()]
        strange = [name for name in self.registry.names(self.prefix) if name not in known] if self.kind in _OURS else []

        def refuse(name: str) -> Item:
            raise UnknownName("prompt", name, known, "see: loopwright prompts list")

        return each(strange, refuse)

    def _spelled(self, name: str) -> str:
        return self.prefix + name.replace("/", self.registry.joint)


def _way_on(versions: Versions, there: Version) -> str:
    if _was_in_use(versions, there):
        return "it is behind; loopwright prompts sync"
    take, leave = f"loopwright prompts deploy {there.title}", f"loopwright prompts sync {there.name} --ours"
    return f"an edit was made there; take it over with {take}, or write over it with {leave}"


def _was_in_use(versions: Versions, version: Version) -> bool:
    return any(release.number == version.number for release in versions.store.releases("prompt", version.name))


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    """Give a text as every registry can have it: other ends of lines, and what is around it, are nobody's edit."""
    return text.replace("\r\n", "\n").strip() + "\n"
