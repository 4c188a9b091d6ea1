"""One part of a command -> whether the hooks of the repository are passed over, or taken away."""

from __future__ import annotations

import re

from loopwright.text.commands import Part

_WITH_HOOKS = frozenset({"commit", "push", "merge", "rebase", "am", "cherry-pick"})
_NO_VERIFY = re.compile(r"^(?:--no-verify|-[a-ln-z]*n[a-z]*)$")
"""`-n` says so for a commit, also among other letters; after an `m` comes the message."""
_SWITCHES = ("HUSKY=0", "HUSKY_SKIP_HOOKS=", "LEFTHOOK=0", "PRE_COMMIT_ALLOW_NO_CONFIG=")
_SETTING = "core.hookspath"
_MANAGERS = frozenset({"pre-commit", "husky", "lefthook"})
_PLACE = re.compile(r"(?:^|/)(?:\.git/hooks|\.husky)(?:/[\w*-]*)?$")
"""All hooks, or one: a name with a dot is a sample or a copy, which git does not run."""
_HOOKS = re.compile(r"hook|husky", re.IGNORECASE)
_NOWHERE = re.compile(r"^/(?:dev|tmp|var)/|\bno[-_]?hook|empty|disabled|nonexist", re.IGNORECASE)
_NOT_RUN = re.compile(r"^(?:[ugoa]*-[rw]*x|0?[0246]{3})$")


def passes_over(part: Part) -> str:
    """Say how a part passes over hooks; empty where it does not."""
    if part.program == "git":
        return _git(part)
    if part.program == "export" and any(word.startswith(_SWITCHES) for word in part.words):
        return "the hooks of the repository are switched off"
    if _takes_away(part) or (part.program in _MANAGERS and part.verb == "uninstall"):
        return "the hooks of the repository are taken away"
    return ""


def _git(part: Part) -> str:
    if part.verb == "config":
        return "git config leads away from the hooks of the repository" if _leads_away(part.words) else ""
    if part.verb not in _WITH_HOOKS:
        return ""
    off = any(setting.startswith((*_SWITCHES, "SKIP=")) or _SETTING in setting.lower() for setting in part.settings)
    given = [word.partition("=")[2] for word in part.words if word.lower().startswith(f"{_SETTING}=")]
    told = "--no-verify" in part.words or (part.verb == "commit" and any(map(_NO_VERIFY.match, part.words)))
    return (
        f"git {part.verb} passes over the hooks of the repository" if off or told or any(map(_is_away, given)) else ""
    )


def _leads_away(words: tuple[str, ...]) -> bool:
    """Say whether a setting of git's is taken back, or set to a folder that has no hooks."""
    at = next((at for at, word in enumerate(words) if word.lower() == _SETTING), 0)
    if not at:
        return False
    return "--unset" in words or "unset" in words or (len(words) > at + 1 and _is_away(words[at + 1]))


def _is_away(folder: str) -> bool:
    return not _HOOKS.search(folder) or bool(_NOWHERE.search(folder))


def _takes_away(part: Part) -> bool:
    named = [word for word in part.words[1:] if _PLACE.search(word)]
    if not named:
        return False
    if part.program == "chmod":
        return any(map(_NOT_RUN.match, part.words[1:]))
    return part.program in ("rm", "unlink") or (part.program == "mv" and bool(_PLACE.search(part.words[-2])))
