"""Prompts, profiles and library entries as trees of versions: write, compare, put into use, roll back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from loopwright.errors import BusyError, UnknownName, UsageError
from loopwright.guard.guardrails import VERSION, depth_fault
from loopwright.guard.redact import Masker
from loopwright.guard.safety import entry_faults, profile_faults, prompt_faults
from loopwright.records.identity import new_id, timestamp
from loopwright.records.version import COMMANDS, Author, Kind, Release, Version, content_hash
from loopwright.release.entries import entry_of, split_title
from loopwright.release.first_entries import entry_names, entry_template
from loopwright.release.first_prompts import profile_names, prompt_names, prompt_template
from loopwright.release.profiles import parameters, profile_content

TEMPLATE = "it ships with Loopwright"


class VersionStore(Protocol):
    """Where versions are written and read back."""

    def names(self, kind: Kind) -> Sequence[str]: ...

    def history(self, kind: Kind, name: str) -> Sequence[Version]: ...

    def releases(self, kind: Kind, name: str) -> Sequence[Release]: ...

    def current(self, kind: Kind, name: str) -> tuple[Release, Version] | None: ...

    def rolled_back(self) -> Sequence[tuple[Release, Release]]: ...

    def add(self, version: Version) -> Version: ...

    def begin(self, version: Version, release: Release) -> None: ...

    def put_in_use(self, release: Release, seen: str) -> None: ...


class Elsewhere(Protocol):
    """The registry in which a team's prompts live besides the store."""

    def faults(self, versions: Versions, version: Version) -> list[str]: ...

    def reach(self, versions: Versions, release: Release) -> None: ...


@dataclass(frozen=True)
class Versions:
    """All versions of prompts, profiles and library entries."""

    store: VersionStore
    masker: Masker
    elsewhere: Elsewhere | None = None

    def in_use(self, kind: Kind, name: str) -> tuple[Release, Version]:
        """Give what is in use; of what nobody has changed yet, the first version."""
        found = self.store.current(kind, name)
        if found is None:
            self._begin(kind, name)
            found = self.store.current(kind, name)
            assert found is not None
        return found

    def get(self, kind: Kind, name: str, number: int | None = None) -> Version:
        """Give a version; the one in use where no number is given."""
        _, used = self.in_use(kind, name)
        if number is None or number == used.number:
            return used
        found = {version.number: version for version in self.store.history(kind, name)}
        if number not in found:
            raise UnknownName("version", str(number), map(str, found), of=f"`{name}`")
        return found[number]

    def history(self, kind: Kind, name: str) -> Sequence[Version]:
        """Give all versions, the oldest first."""
        self.in_use(kind, name)
        return self.store.history(kind, name)

    def write(
        self,
        kind: Kind,
        name: str,
        content: str,
        reason: str,
        *,
        author: Author = "human",
        parent: int | None = None,
        rebase: bool = False,
    ) -> Version:
        """Write a version down, as a child of the one in use or of another; it is not in use yet.

        `rebase` is a human's word for the whole of it: its depth begins anew.
        """
        before = self.get(kind, name, parent)
        if content_hash(content) == before.hash:
            raise UsageError(f"`{before.title}` says just that", "there is nothing to do")
        if rebase and author not in ("human", "registry"):
            raise UsageError("only a human can stand for the whole of a version", "leave --rebase out")
        depth = 0 if rebase else before.depth + 1
        if fault := depth_fault(depth):
            hint = "a human reads all of it and stands for it: loopwright prompts set … --rebase"
            raise UsageError(f"the version of `{name}` is refused: {fault}", hint)
        return self.store.add(new_version(kind, name, content, before.number, depth, author, reason))

    def begin(self, version: Version, by: str) -> Version:
        """Write the first version of something new and put it into use; give what is in use then."""
        self.store.begin(version, new_release(version, None, by, version.reason))
        return self.in_use(version.kind, version.name)[1]

    def faults(self, version: Version) -> list[str]:
        """Say why a version is not put into use; nothing where it may be."""
        _, used = self.in_use(version.kind, version.name)
        if version.kind == "prompt":
            first = used.author == "template" and version.author == "registry"
            apart = self.elsewhere.faults(self, version) if self.elsewhere else []
            return [*prompt_faults(used.content, version.content, self.masker, first=first), *apart]
        if version.kind == "entry":
            return entry_faults(used.content, version.content, self.masker)
        before, after = parameters(used.content), parameters(version.content)
        return [*profile_faults(before, after), *self._library_faults(before, after)]

    def _library_faults(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """Look at the entries that would be told in addition: each may be told only once a human has let it."""
        found = []
        for title in after.get("library", ()):
            if title in before.get("library", ()):
                continue
            version = self.get("entry", *split_title(title))
            status = entry_of(version.name, version.content).status
            found += [f"the entry `{title}` is {status}"] * (status != "active")
            found += [f"the entry `{title}`: {fault}" for fault in entry_faults("", version.content, self.masker)]
        return found

    def put_in_use(self, version: Version, by: str, reason: str) -> Release:
        """Put a version into use, once it is safe; two who do so at once are told apart."""
        release, used = self.in_use(version.kind, version.name)
        if used.number == version.number:
            raise UsageError(f"`{version.title}` is in use already", "there is nothing to do")
        if faults := self.faults(version):
            hint = f"it is written down as `{version.title}`; mend that, and set or deploy it again"
            raise UsageError(f"`{version.title}` is not put into use: {'; '.join(faults)}", hint)
        made = new_release(version, used.number, by, reason)
        self.store.put_in_use(made, release.id)
        self.reach(made)
        return made

    def roll_back(self, kind: Kind, name: str, by: str, reason: str, to: int | None = None, seen: str = "") -> Release:
        """Put into use what was before, or a version by its number; `seen` is the release that is meant."""
        release, _ = self.in_use(kind, name)
        if seen not in ("", release.id):
            raise BusyError(
                f"another version of `{name}` is in use by now", f"see: loopwright {COMMANDS[kind]} log {name}"
            )
        number = release.previous if to is None else to
        if number is None:
            raise UsageError(f"nothing was in use before `{name}@{release.number}`", "name a version with --to")
        if number == release.number:
            raise UsageError(f"`{name}@{number}` is in use already", "there is nothing to do")
        version, past = self.get(kind, name, number), self.store.releases(kind, name)
        before = next((one.previous for one in reversed(past) if one.number == number and not one.undoes), None)
        made = new_release(version, before, by, reason, undoes=release.id)
        self.store.put_in_use(made, release.id)
        self.reach(made)
        return made

    def reach(self, release: Release) -> None:
        """Bring what is in use to the registry; RegistryError where that can't be done, and it is in use here alone."""
        if self.elsewhere and release.kind == "prompt":
            self.elsewhere.reach(self, release)

    def _begin(self, kind: Kind, name: str) -> None:
        known = _NAMES[kind]()
        if name not in known:
            raise UnknownName(kind, name, {*known, *self.store.names(kind)})
        content = _FIRST[kind](name)
        version = new_version(kind, name, content, None, 0, "template", TEMPLATE)
        self.store.begin(version, new_release(version, None, "template", TEMPLATE))


_NAMES: Mapping[Kind, Callable[[], Sequence[str]]] = {
    "prompt": prompt_names,
    "profile": profile_names,
    "entry": entry_names,
}
_FIRST: Mapping[Kind, Callable[[str], str]] = {
    "prompt": prompt_template,
    "profile": lambda name: profile_content({}),
    "entry": entry_template,
}
"""What each begins with."""


def new_version(
    kind: Kind, name: str, content: str, parent: int | None, depth: int, author: Author, reason: str
) -> Version:
    """Make one; the store gives it its number."""
    return Version(new_id(), kind, name, 1, content, parent, depth, author, reason, timestamp())


def new_release(
    version: Version, previous: int | None, by: str, reason: str, experiment: str = "", undoes: str = ""
) -> Release:
    """Make one, under the guardrails of today."""
    kind, name, number = version.kind, version.name, version.number
    return Release(new_id(), kind, name, number, previous, timestamp(), by, reason, experiment, undoes, VERSION)
