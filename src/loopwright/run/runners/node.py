"""A command -> the run of a Node tool in it: called directly, by a launcher, or by a script of package.json."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from loopwright.run.runners.package import script, workspace

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_LAUNCHERS = (
    *(("npm", "exec", "--"), ("pnpm", "exec"), ("pnpm", "run"), ("pnpm",), ("yarn", "run"), ("yarn", "exec")),
    *(("yarn",), ("npx",)),
)
_LAUNCHER_FLAGS = {"--yes", "-y", "--no-install", "--no", "-s", "--silent", "--"}
_NODE_VALUES = {"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file"}
_FOLDER_OPTIONS = {"npm": ("--prefix",), "yarn": ("--cwd",), "pnpm": ("-C", "--dir")}
_WORKSPACE_OPTIONS = ("-w", "--workspace")
_QUIET = ("-s", "--silent", "--if-present")
_TEST_WORDS = {"npm": ("test", "t", "tst"), "pnpm": ("test", "t", "tst"), "yarn": ("test",)}
_RUN_WORDS = ("run", "run-script")


@dataclass(frozen=True)
class Invocation:
    """A run of a tool, told from the command that starts it."""

    before: tuple[str, ...]
    """The command up to the tool's arguments."""
    words: tuple[str, ...]
    """The arguments that the command gives to the tool."""
    fixed: tuple[str, ...] = ()
    """Those that a script gives to it: they come first, and can't be changed."""

    @property
    def options(self) -> set[str]:
        """The names of all options, those of the script too."""
        return {word.partition("=")[0] for word in (*self.fixed, *self.words) if word.startswith("-")}

    def with_options(self, added: Sequence[str], dropped: Sequence[str] = ()) -> list[str]:
        """Give the command with options added, and without some; the latter each take a value, after `=` or a space."""
        words = _without(self.words, dropped)
        at = words.index("--") if "--" in words else len(words)
        return [*self.before, *words[:at], *added, *words[at:]]


@dataclass(frozen=True)
class _Call:
    """A package manager asked to run a script."""

    folder: Path
    script: str
    before: tuple[str, ...]
    words: tuple[str, ...]


def invocation(argv: Sequence[str], root: Path, tool: str) -> Invocation | None:
    """Find the run of a tool in a command; None where it is not, or not only, a run of that tool."""
    words = tuple(argv)
    call = _call(words, root)
    text = script(call.folder, call.script) if call else None
    if call and text is not None:  # one of that name goes before a program of that name
        said = _simple_command(text)
        start = _start(said, tool)
        return Invocation(call.before, call.words, said[start:]) if start and "--" not in said else None
    start = None if words[:1] and _ASSIGNMENT.match(words[0]) else _start(words, tool)
    return Invocation(words[:start], words[start:]) if start else None


def _start(words: Sequence[str], tool: str) -> int | None:
    """Where the tool's own arguments begin; None where the words do not start the tool."""
    at = _past_launcher(words, _past_environment(words))
    return at + 1 if at < len(words) and _is_tool(words[at], tool) else None


def _past_environment(words: Sequence[str]) -> int:
    at = 1 if words[:1] and words[0] in ("env", "cross-env") else 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    return at


def _past_launcher(words: Sequence[str], at: int) -> int:
    if tuple(words[at : at + 1]) == ("node",):
        return _past_flags(words, at + 1)
    launcher = next((start for start in _LAUNCHERS if tuple(words[at : at + len(start)]) == start), None)
    at += len(launcher or ())
    while launcher and at < len(words) and words[at] in _LAUNCHER_FLAGS:
        at += 1
    return at


def _past_flags(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _NODE_VALUES else 1
    return at


def _is_tool(word: str, tool: str) -> bool:
    path = PurePosixPath(word)
    if "/" in word:
        is_script = "node_modules" in path.parts and path.name in (f"{tool}.js", f"{tool}.mjs")
        return is_script or (path.name == tool and path.parent.name in ("bin", ".bin"))
    return word == tool or word.startswith(f"{tool}@")


def _simple_command(text: str) -> tuple[str, ...]:
    """Split a script into words; empty where it is more than one plain command."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = tuple(lexer)
    except ValueError:
        return ()
    is_more = "\n" in text or "`" in text or "$(" in text
    return () if is_more or any(word and not word.strip("();<>|&") for word in words) else words


def _call(words: tuple[str, ...], root: Path) -> _Call | None:
    manager = words[0] if words else ""
    if manager == "npm":
        return _npm_call(words, root)
    return _plain_call(words, root) if manager in ("yarn", "pnpm") else None


def _npm_call(words: tuple[str, ...], root: Path) -> _Call | None:
    """Npm reads all words up to `--` and hands on only those that are no options, and what is behind it."""
    end = words.index("--") if "--" in words else len(words)
    options = _options(words[1:end], "npm", root)
    if options is None:
        return None
    folder, rest = options
    name = _script_name("npm", rest)
    return _Call(folder, name, (*words[:end], "--"), words[end + 1 :]) if name else None


def _plain_call(words: tuple[str, ...], root: Path) -> _Call | None:
    """Yarn and pnpm hand on all that is behind the script's name; what they do with `--` depends on the version."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _FOLDER_OPTIONS[words[0]] else 1
    options = _options(words[1:at], words[0], root)
    if options is None or options[1] or "--" in words:
        return None
    folder = options[0]
    if words[0] == "yarn" and words[at : at + 1] == ("workspace",) and len(words) > at + 1:
        folder, at = workspace(root, words[at + 1]), at + 2
    name = _script_name(words[0], words[at:]) or "".join(words[at : at + 1])
    if not name:
        return None
    rest = words[at + (2 if words[at] in _RUN_WORDS else 1) :]
    # `pnpm test` knows only options of its own, `pnpm run test` hands all of them on.
    return _Call(folder, name, (*words[:at], "run", name), rest)


def _options(words: Sequence[str], manager: str, root: Path) -> tuple[Path, list[str]] | None:
    """Read a manager's own options: the folder that it works in, and the words that are none; None for others."""
    folder, rest, left = root, list[str](), iter(words)
    for word in left:
        option, sign, value = word.partition("=")
        if option in _FOLDER_OPTIONS[manager]:
            folder = root / (value if sign else next(left, ""))
        elif manager == "npm" and option in _WORKSPACE_OPTIONS:
            folder = workspace(root, value if sign else next(left, ""))
        elif not word.startswith("-"):
            rest.append(word)
        elif word not in _QUIET:
            return None
    return folder, rest


def _script_name(manager: str, words: Sequence[str]) -> str:
    if words and words[0] in _TEST_WORDS[manager]:
        return "test"
    return words[1] if len(words) > 1 and words[0] in _RUN_WORDS else ""


def _without(words: Sequence[str], dropped: Sequence[str]) -> list[str]:
    kept, left = list[str](), iter(words)
    for word in left:
        option, sign, _ = word.partition("=")
        if option not in dropped:
            kept.append(word)
        elif not sign:
            next(left, "")
    return kept
