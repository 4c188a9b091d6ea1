"""A shell command -> its parts, what they do, and how it reads without what is around it. It is never run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from loopwright.text.fingerprint import normalise
from loopwright.text.started_by import started

WITHHELD = "…"
"""What stands for a command where no content is kept."""
_LONGEST = 2_000
_MOST_PARTS = 40
_KEPT = 256
"""More than one detector asks for the newest commands, and agents give the same again and again."""
# Each expression reads a text once: none can begin again in the middle of what it has just read in vain.
_TOKEN = re.compile(
    r"(?P<quoted>'[^']*'|\"(?:[^\"\\]|\\.)*\")|(?P<into>(?:\d|&)?>>?(?:&[\d-])?)|(?P<end>&&|\|\||;|\n|\|&?|&)"
    r"|(?P<space>[ \t]+|\\\n)|(?P<word>(?:[^\s'\"\\;|&<>]|\\.)+)|(?P<other>.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"\d+")
_ASSIGNMENT = re.compile(r"\w+=")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_AROUND = frozenset({"sudo", "time", "nice", "nohup", "env", "command", "exec", "stdbuf", "xvfb-run"}) | {
    *("do", "then", "else", "elif", "if", "!")
}
ECHOES = frozenset({"echo", "printf"})
"""They print what they are given."""
_SILENT = ECHOES | frozenset(
    {
        *("", "cd", "pushd", "popd", "pwd", "true", "set", "export", "source", ".", "sleep", ":"),
        *("for", "done", "fi", "break", "continue", "exit"),
    }
)
"""What stands around the action and is none itself."""
_LOOKING = frozenset(
    {
        *("cat", "head", "tail", "less", "more", "nl", "ls", "find", "fd", "grep", "egrep", "rg", "ag", "tree", "wc"),
        *("awk", "cut", "sort", "uniq", "tr", "jq", "yq", "diff", "stat", "file", "which", "type", "du", "df", "bat"),
        *("test", "[", "[[", "column", "xxd", "od", "date", "whoami", "ps", "env", "printenv", "basename", "dirname"),
        *("realpath", "readlink", "strings", "tac", "rev", "comm", "sha256sum", "md5sum", "hexdump", "xargs", "gh"),
    }
)
_GIT_LOOKS = frozenset(
    {
        *("log", "show", "diff", "status", "branch", "grep", "blame", "ls-files", "ls-remote", "rev-parse", "remote"),
        *("describe", "cat-file", "config", "reflog", "shortlog", "check-ignore", "merge-base", "rev-list", "ls-tree"),
    }
)
_PAGES = re.compile(r"(?:page|offset|skip|start|cursor|after|from|id|index|number|item)\b.?$", re.IGNORECASE)
_PAGE_WORD = re.compile(
    r"(?:page|offset|skip|start|cursor|after|from)[^=:]{0,10}[=:]|(?:id|index|number|item)=|://", re.IGNORECASE
)
"""A number there says which page or item is meant: the next one is no second try."""
_INPUT = re.compile(r"(?:^|/)[A-Za-z_.-]*(?:\d{1,3}[A-Za-z_.-]+){1,3}$")
"""A file's name with a number: the next one is another case, unless it is the script itself, or what is written."""
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,5}$")
_RUNNING = frozenset({"python", "python3", "node", "ruby", "perl", "php", "deno", "bun", "tsx", "ts-node", *_SHELLS})
_WRITING = frozenset({"-o", "--output", "--out", "--log-file", "--outfile", "--junitxml"})
_FETCHING = frozenset({"curl", "wget", "http", "gh", "glab"})
_AMOUNTS = re.compile(
    r"timeout|limit|max|min|retr|wait|delay|seconds|_ms$|lines|count|size|depth|tokens", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command of several."""

    words: tuple[str, ...]
    """Without their quotes."""
    after: str = ""
    """What joins it to the one before: `&&`, `|`, `;`."""
    into: tuple[str, ...] = ()
    """The files that its output goes to; no devices."""
    settings: tuple[str, ...] = ()
    """Variables that are set for it."""
    within: tuple[str, ...] = ()
    """The container or machine that it runs in, where it is not this one."""

    program: str = field(default="", init=False)

    def __post_init__(self) -> None:
        if self.words:
            object.__setattr__(self, "program", self.words[0].rpartition("/")[2])

    @property
    def is_piped(self) -> bool:
        """Whether it gets what the one before it prints."""
        return self.after in ("|", "|&")

    @property
    def verb(self) -> str:
        """The first word after the program that is no option."""
        is_value = False
        for word in self.words[1:]:
            if not is_value and not word.startswith("-"):
                return word
            is_value = not is_value and word in ("-C", "-c", "--prefix", "--cwd", "--dir", "--filter")
        return ""


@lru_cache(_KEPT)
def parts_of(command: str) -> tuple[Part, ...]:
    """Take a command apart; of one that is very long, only its beginning, and never what it hands in as a text."""
    text = command[:_LONGEST]
    begins = text.find("<<")
    if begins >= 0 and not text.startswith("<<<", begins):
        line_end = text.find("\n", begins)
        text = text if line_end < 0 else text[:line_end] + _after_document(text, begins, line_end)
    found: list[Part] = []
    for part in map(_unwrapped, _split(text)):
        if inner := _wrapped(part):
            found += [replace(one, within=(*part.within, *one.within)) for one in parts_of(inner)]
        else:
            found.append(part)
    return tuple(found[:_MOST_PARTS])


def _wrapped(part: Part) -> str:
    """Give the command that a shell is started with: it is shorter, so this comes to an end."""
    is_shell = len(part.words) > 2 and part.program in _SHELLS and part.words[1] in ("-c", "-lc")
    return part.words[2] if is_shell else ""


def _after_document(text: str, begins: int, line_end: int) -> str:
    mark = text[begins + 2 : line_end].lstrip("-").split(maxsplit=1)
    end = text.find(f"\n{mark[0].strip(chr(39) + chr(34))}", line_end) if mark else -1
    return "" if end < 0 else text[text.find("\n", end + 1) :] if text.find("\n", end + 1) > 0 else ""


def _split(text: str) -> list[Part]:
    found: list[Part] = []
    words: list[str] = []
    into: list[str] = []
    word, joined, redirected = "", "", False

    def end_word() -> None:
        nonlocal word, redirected
        if word:
            if not redirected or not word.startswith("/dev/"):
                (into if redirected else words).append(word)
            word, redirected = "", False

    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "quoted":
            word += value[1:-1] or " "
        elif kind in ("word", "other"):
            word += value
        else:
            end_word()
        if kind == "into":
            redirected = not value[-1].isdigit() and value[-1] != "-"
        elif kind == "end":
            found.append(Part(tuple(words), joined, tuple(into)))
            words, into, joined, redirected = [], [], value, False
    end_word()
    return [part for part in [*found, Part(tuple(words), joined, tuple(into))] if part.words]


def _unwrapped(part: Part) -> Part:
    """Leave off what a command is only started by: variables, `sudo`, `timeout 60`, `docker exec web`."""
    words, settings, within = list(part.words), [], part.within
    while words:
        if _ASSIGNMENT.match(words[0]):
            settings.append(words.pop(0))
        elif words[0] in _AROUND:
            words.pop(0)
        elif words[0] in ("timeout", "gtimeout"):
            words = [word for word in words[1:3] if not word[:1].isdigit() and word[:1] != "-"] + words[3:]
        elif inner := started(words):
            words, within = list(inner[0]), (*within, *inner[1])
            words = ["sh", "-c", *words] if len(words) == 1 and " " in words[0].strip() else words
        else:
            break
    return Part(tuple(words), part.after, part.into, tuple(settings), within)


@lru_cache(_KEPT)
def actions_of(command: str) -> tuple[Part, ...]:
    """Give the parts that do something: not `cd`, `echo` or `sleep`, nor what only filters another one's output."""
    parts = parts_of(command)
    return tuple(part for part in parts if part.program not in _SILENT and not (part.is_piped and is_look(part)))


def is_look(part: Part) -> bool:
    """Say whether a part only looks: at files, or at what comes through a pipe."""
    if part.program == "sed":
        return not any(word.startswith(("-i", "--in-place")) for word in part.words[1:3])
    if part.program == "git":
        return part.verb in _GIT_LOOKS or (part.verb == "stash" and "list" in part.words)
    return part.program in _LOOKING or part.program == "tee"


@lru_cache(_KEPT)
def is_looking(command: str) -> bool:
    """Say whether a command looks at things and does nothing else."""
    return all(is_look(part) for part in actions_of(command))


@lru_cache(_KEPT)
def like(command: str) -> str:
    """Write a command so that it is the same when the same is tried again.

    Folders, numbers, quotes, and what is done with the output do not count; which page or item is meant does.
    """
    told = [" ".join([*part.within, *part.settings, part.program, *_arguments(part)]) for part in actions_of(command)]
    return " && ".join(told) or normalise(command[:_LONGEST])


def like_given(given: Mapping[str, Any]) -> str:
    """Write what a tool was given in the same way; of numbers, only amounts do not count."""
    told = [(str(name), str(given[name])[:_LONGEST]) for name in sorted(given, key=str)[:_MOST_PARTS]]
    return " ".join(f"{name}={_argument(value) if _AMOUNTS.search(name) else _in_short(value)}" for name, value in told)


def _arguments(part: Part) -> list[str]:
    found, before, script = [], "", part.program in _RUNNING
    for word in part.words[1:]:
        is_plain = word.isalpha()  # most are
        given = not is_plain and not script and before not in _WRITING and _is_input(word)
        script = script and word.startswith("-")
        paged = not is_plain and (_PAGES.search(before) or _PAGE_WORD.search(word))
        fetched = "/" in word and part.program in _FETCHING
        found.append(word if is_plain or paged or fetched else _in_short(word) if given else _argument(word))
        before = word
    return found


def _is_input(word: str) -> bool:
    return _EXTENSION.search(word) is not None and _INPUT.search(word[-100:]) is not None


def _argument(word: str) -> str:
    return _NUMBER.sub("#", _in_short(word))


def _in_short(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2] if "/" in word and " " not in word and "://" not in word else word


def place_of(command: str) -> str:
    """Name the folder that a command goes to first, and the container or machine; empty where it stays."""
    folder = ""
    for part in parts_of(command):
        if part.program in ("cd", "pushd") and len(part.words) > 1:
            folder = folder or part.words[1].rstrip("/")
        elif part.program not in _SILENT:
            return " ".join([*part.within, folder]).strip()
    return folder
