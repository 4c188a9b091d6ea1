"""The library: entries in versions, who is told which, what waits for a human, what is retired."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loopwright.errors import UnknownName, UsageError
from loopwright.guard.commands import command_in
from loopwright.guard.safety import entry_faults
from loopwright.records.library import Entry
from loopwright.records.version import Author, Version
from loopwright.release.entries import content_of, entry_of, split_title
from loopwright.release.first_entries import entry_names
from loopwright.release.first_prompts import profile_names
from loopwright.release.profiles import LIBRARY, parameters, profile_content
from loopwright.release.telling import Telling, telling
from loopwright.release.versions import Versions, new_version

_WORKER = "worker/"
_SESSIONS = re.compile(r"\s*(?:runs?|sessions?|transcripts?|distilled)\b", re.IGNORECASE)
"""How the source of an entry begins that was made of what agents said and did."""


@dataclass(frozen=True)
class Library:
    """All entries."""

    versions: Versions
    tokens: int = 1500
    """So many one role is told at most."""

    def names(self) -> list[str]:
        """Name those that ship, and all others."""
        return sorted({*entry_names(), *self.versions.store.names("entry")})

    def get(self, name: str, number: int | None = None) -> tuple[Entry, Version]:
        """Give an entry as it is now, or as it was."""
        version = self.versions.get("entry", name, number)
        return entry_of(name, version.content), version

    def all(self) -> list[tuple[Entry, Version]]:
        """Give all entries as they are now."""
        return [self.get(name) for name in self.names()]

    def write(
        self, entry: Entry, reason: str, by: str, *, author: Author = "human", parent: int | None = None
    ) -> Version:
        """Write an entry down and make it the one that counts; a human's edit reaches whoever is told it.

        What holds commands, or came from transcripts, is quarantined until a human looks.
        """
        is_new = entry.name not in self.names()
        before = None if is_new else self.get(entry.name)[0]
        held = _held(before, entry, author)
        return self._put(
            dataclasses.replace(entry, status="quarantined") if held else entry, reason, by, author, parent
        )

    def why_held(self, entry: Entry) -> str:
        """Say why an entry waits for a human; nothing where it does not."""
        return (doubt(entry) or "a human has put it aside") if entry.status == "quarantined" else ""

    def accept(self, name: str, by: str) -> Version:
        """Let an entry be told: a human has looked at it."""
        entry, version = self.get(name)
        if entry.status == "active":
            raise UsageError(f"`{version.title}` does not wait for anybody", "there is nothing to do")
        return self._put(dataclasses.replace(entry, status="active"), "a human has looked at it", by)

    def retire(self, name: str, by: str, reason: str, author: Author = "human") -> Version:
        """Take an entry out of use, and out of what anybody is told."""
        entry, version = self.get(name)
        if entry.status == "retired":
            raise UsageError(f"`{version.title}` is retired already", "there is nothing to do")
        for profile, title in self.told_to(name).items():
            self._tell(profile, [one for one in self.titles(profile) if one != title], by, reason, author)
        return self._put(dataclasses.replace(entry, status="retired"), reason, by, author)

    def titles(self, profile: str) -> list[str]:
        """Give the entries that a profile is told, each as `name@number`."""
        return list(parameters(self.versions.get("profile", profile).content).get(LIBRARY, ()))

    def told_to(self, name: str) -> dict[str, str]:
        """Give the profiles that are told an entry, each with the version that it is told."""
        return only(name, self.told())

    def told(self) -> dict[str, list[str]]:
        """Give what each profile is told."""
        return {profile: self.titles(profile) for profile in _profiles()}

    def tell(self, name: str, profile: str, by: str, reason: str) -> Version:
        """Tell an entry to a role and task type, on a human's own word."""
        _check(profile)
        entry, version = self.get(name)
        if entry.applies_to and profile.removeprefix(_WORKER) not in entry.applies_to:
            raise UsageError(f"`{name}` is for {', '.join(entry.applies_to)}", f"change `applies_to` in {name}.md")
        others = [one for one in self.titles(profile) if split_title(one)[0] != name]
        titles = [*others, version.title]
        if left_out := self.telling(titles).left_out:
            words = f"{', '.join(left_out)} would not fit into {self.tokens:,} tokens"
            raise UsageError(words, "raise `tokens` in [library], or untell another entry")
        return self._tell(profile, titles, by, reason)

    def untell(self, name: str, profile: str, by: str, reason: str) -> Version:
        """Do not tell an entry any more."""
        _check(profile)
        kept = [one for one in self.titles(profile) if split_title(one)[0] != name]
        if kept == self.titles(profile):
            raise UsageError(f"`{profile}` is not told `{name}`", "see: loopwright library list")
        return self._tell(profile, kept, by, reason)

    def telling(self, titles: Sequence[str]) -> Telling:
        """Give what some entries come to, within the budget."""
        return telling(self.versions, titles, self.tokens)

    def _put(self, entry: Entry, reason: str, by: str, author: Author = "human", parent: int | None = None) -> Version:
        content = content_of(entry)
        draft = new_version("entry", entry.name, content, None, 0, author, reason)
        if entry.name not in self.names():
            self._see(draft, "")
            return self.versions.begin(draft, by)
        _, used = self.versions.in_use("entry", entry.name)
        self._see(draft, used.content)
        human = author == "human"
        made = self.versions.write("entry", entry.name, content, reason, author=author, parent=parent, rebase=human)
        self.versions.put_in_use(made, by, reason)
        if human and entry.status == "active":
            self._follow(made, by)
        return made

    def _see(self, draft: Version, before: str) -> None:
        """Refuse what is not safe before it is written down."""
        if faults := entry_faults(before, draft.content, self.versions.masker):
            raise UsageError(f"`{draft.name}` is not taken: {'; '.join(faults)}", "mend that in its file")

    def _follow(self, version: Version, by: str) -> None:
        """Tell who is told an entry what it says now."""
        for profile, old in self.told_to(version.name).items():
            if old != version.title:
                titles = [version.title if one == old else one for one in self.titles(profile)]
                self._tell(profile, titles, by, f"`{version.title}`: {version.reason}")

    def _tell(self, profile: str, titles: Sequence[str], by: str, reason: str, author: Author = "human") -> Version:
        set_to = parameters(self.versions.get("profile", profile).content)
        content = profile_content({**set_to, LIBRARY: list(titles)} if titles else _without(set_to))
        made = self.versions.write("profile", profile, content, reason, author=author)
        self.versions.put_in_use(made, by, reason)
        return made


def only(name: str, told: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Give who is told one entry, each with the version."""
    return {profile: one for profile, titles in told.items() for one in titles if split_title(one)[0] == name}


def doubt(entry: Entry) -> str:
    """Say why a human has to look at an entry before it is told; nothing where nobody has to."""
    if found := command_in(f"{entry.title}\n{entry.remedy}"):
        return f"it holds a command: {found}"
    return f"it was made of what agents said: {entry.source}" if _SESSIONS.match(entry.source) else ""


def _held(before: Entry | None, entry: Entry, author: Author) -> bool:
    """Say whether an entry has to wait: what a human let be told once, and says the same, does not wait again."""
    if entry.status != "active":
        return False
    if before and before.status == "active" and (before.title, before.remedy) == (entry.title, entry.remedy):
        return False
    return bool(doubt(entry)) or author not in ("human", "template")


def _without(set_to: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in set_to.items() if name != LIBRARY}


def _profiles() -> list[str]:
    return [name for name in profile_names() if name.startswith(_WORKER)]


def _check(profile: str) -> None:
    if profile not in _profiles():
        raise UnknownName("profile", profile, _profiles())
