"""A command ends with exit code 0, within a time limit."""

from __future__ import annotations

import shlex
from dataclasses import KW_ONLY, dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from loopwright.errors import TaskError
from loopwright.ports import Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.command import CommandResult
from loopwright.records.criterion import Criterion
from loopwright.records.tally import Tally
from loopwright.text.excerpt import excerpt

_SHELL_WORDS = {"&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1", "2>"}
_SOURCES = (
    *(".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte", ".go", ".rs", ".rb", ".php", ".java"),
    *(".kt", ".kts", ".scala", ".groovy", ".cs", ".fs", ".swift", ".c", ".cc", ".cpp", ".h", ".hpp", ".ex", ".exs"),
    *(".erl", ".clj", ".hs", ".ml", ".lua", ".pl", ".r", ".jl", ".dart", ".sh", ".bash", ".bats", ".sql", ".feature"),
)


@dataclass(frozen=True)
class TestCriteria(Criterion):
    """A command that must end with 0. One that fails is run again, to tell a flaky one apart."""

    __test__: ClassVar[bool] = False  # or pytest would collect it for its name
    kind: ClassVar[str] = "test"
    primary: ClassVar[str] = "command"

    command: str
    _: KW_ONLY
    timeout_s: float = 600.0
    shell: bool = False
    """Give it to /bin/sh; otherwise it is split into words, and a `;` or `|` is a word like any other."""

    def __post_init__(self) -> None:
        if not self.timeout_s > 0:
            raise TaskError(f"`timeout_s` of `{self.command}` is {self.timeout_s}: it must be more than 0")
        if not self.command.strip() or "\0" in self.command:
            raise TaskError("a test has no command", 'say what to run, such as "pytest -q"')
        if not self.shell:
            _check_words(self.command)

    def evaluate(self, room: Room) -> Evidence:
        first = room.run(self.command, shell=self.shell, timeout_s=self.timeout_s)
        if first.missing:
            return self._missing(first)
        if first.foreign:
            return self._evidence(Verdict.UNVERIFIABLE, _wrong_code(first.foreign), first)
        trouble = self._trouble(first)
        if not trouble:
            return self._evidence(Verdict.PASS, "exited with 0", first)
        if first.timed_out or first.over_limit or first.exit_code is None:
            return self._evidence(Verdict.FAIL, trouble, first)
        second = room.run(self.command, shell=self.shell, timeout_s=self.timeout_s)
        if not self._trouble(second):
            text = f"flaky: {trouble}, and passed when it was run again at the same tree"
            return self._evidence(Verdict.PASS, text, second, first.output, flaky=True)
        return self._evidence(Verdict.FAIL, trouble, first)

    def tests(self) -> tuple[Criterion, ...]:
        return (self,)

    def _trouble(self, result: CommandResult) -> str:
        """Say why it has not passed; empty where it has. An exit code of 0 is not enough where tests are counted."""
        tally = result.tally
        if result.timed_out:
            return f"did not end within {self.timeout_s:g} s"
        if result.over_limit:
            return result.over_limit
        if result.exit_code is None:
            return "could not be run to its end"
        if result.exit_code:
            return f"exited with {result.exit_code}"
        if tally is None:
            owed = "exited with 0, but never reported the end of its tests"
            return owed if result.owes_report else result.shortfall
        if tally.named("failed") or tally.trouble:
            return f"exited with 0, though it failed: {tally.trouble or ', '.join(sorted(tally.named('failed'))[:3])}"
        if not tally.named("passed"):
            return f"exited with 0, and no test has passed ({_count(tally)})"
        return result.shortfall

    def own_files(self) -> tuple[str, ...]:
        named = (word.partition("::")[0] for word in _words(self.command, self.shell))
        return tuple(dict.fromkeys(str(PurePosixPath(word)) for word in named if _is_file(word)))

    def _missing(self, result: CommandResult) -> Evidence:
        program = shlex.split(self.command)[0]
        if "/" in program and not program.startswith("/"):
            return self._evidence(Verdict.FAIL, f"there is no `{program}` yet", result)
        return self._evidence(Verdict.UNVERIFIABLE, f"there is no program `{program}` on this machine", result)

    def _evidence(
        self, verdict: Verdict, text: str, result: CommandResult, output: str | None = None, flaky: bool = False
    ) -> Evidence:
        failed_output = result.output if output is None and verdict is not Verdict.PASS else output or ""
        parts = [text, self._shell_hint() if verdict is not Verdict.PASS else "", excerpt(failed_output)]
        return Evidence(
            verdict,
            "\n".join(part for part in parts if part),
            command=self.command,
            exit_code=result.exit_code,
            output_hash=result.output_hash,
            accounting=result.tally.how if result.tally else "exit_code",
            flaky=flaky,
            timed_out=result.timed_out,
        )

    def _shell_hint(self) -> str:
        # A word of its own both with and without quotation: a `|` in quotes is meant as an argument.
        words = set() if self.shell else set(shlex.split(self.command)).intersection(self.command.split())
        if not any(word in _SHELL_WORDS or word.endswith(";") for word in words):
            return ""
        return "the command is not run by a shell; set shell = true if it needs one"


def _wrong_code(file: str) -> str:
    return (
        f"the code under test would be your own checkout's (`{file}`), and not the agent's: install the project into a "
        '.venv in the repository, or set [checks] setup = "…" to a command that makes its environment'
    )


def _count(tally: Tally) -> str:
    counts = tally.counts
    return f"{counts.collected} found, {counts.skipped} skipped" if counts.collected else "none was found"


def _check_words(command: str) -> None:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TaskError(f"`{command}` can't be split into words: {error}", "close the quotation") from None
    if not words[0]:
        raise TaskError(f"`{command}` names no program", 'say what to run, such as "pytest -q"')


def _words(command: str, shell: bool) -> list[str]:
    if not shell:
        return shlex.split(command)
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:  # a here-document may hold any quotation mark
        return command.split()


def _is_file(word: str) -> bool:
    if not word or word.startswith(("-", "/", "@", "~")) or word.endswith("..."):
        return False
    if "://" in word or any(sign in "*?[=$|&;<>()" or sign.isspace() for sign in word):
        return False
    return "/" in word or word.endswith(_SOURCES)
