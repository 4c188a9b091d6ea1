"""error_loop: the same action fails again and again, and what only looks like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.records.event import EventKind
from measure.stretches import Stretch

Make = Callable[[Stretch], Stretch]
NO_RULE = "make: *** No rule to make target 'all'.  Stop."
PYTEST = "FAILED tests/test_a.py::test_x - assert 1 == 2\n=== 1 failed, 4 passed in 0.12s ==="
GO_FAIL = "--- FAIL: TestA (0.00s)\n    a_test.go:9: want 1\nFAIL\nFAIL\tshop/a\t0.1s\nFAIL"
NOT_THERE = "cat: notes.txt: No such file or directory"
NO_MATCH = "<tool_use_error>String to replace not found in file.</tool_use_error>"
NO_LINES = "apply_patch verification failed: Failed to find expected lines in /repo/a.py:"
GUESSES = ("<b>error</b>", "const cannot = 1\n  fail()", "x")


def fails(tool: str, command: str, text: str, exit_code: int | None = 1, **told: Any) -> Make:
    """Let a shell of any agent run a command in vain."""
    return lambda stretch: stretch.call(tool, command=command, **told).result(
        text, failed=bool(exit_code), exit_code=exit_code
    )


def row(*steps: Make) -> Make:
    """Put steps one after the other."""

    def play(stretch: Stretch) -> Stretch:
        for step in steps:
            stretch = step(stretch)
        return stretch

    return play


def times(count: int, *steps: Make) -> Make:
    """Let steps be taken again and again."""
    return row(*steps * count)


def edit_fails(tool: str, path: str, old: str, text: str = NO_MATCH) -> Make:
    return lambda stretch: stretch.call(tool, file_path=path, old_string=old, new_string="y").result(text, failed=True)


def edits(path: str = "src/a.py") -> Make:
    return lambda stretch: stretch.edit(path)


def reads(path: str = "src/a.py") -> Make:
    return lambda stretch: stretch.read(path)


def says(words: str = "Let me try that again.") -> Make:
    return lambda stretch: stretch.says(words)


def runs(command: str, text: str = "fine") -> Make:
    return lambda stretch: stretch.ran(command, text)


def calls(tool: str, text: str, **given: Any) -> Make:
    return lambda stretch: stretch.call(tool, **given).result(text, failed=True)


def guessed(tool: str, text: str, path: str = "/repo/a.tsx") -> Make:
    """Let texts of a file be guessed in vain; the tool repeats each in its words."""
    return row(*(edit_fails(tool, path, guess, text.format(guess)) for guess in GUESSES))


def patched(tool: str, name: str = "command", around: str = "{}") -> Make:
    """Let lines be guessed in patches that do not apply."""

    def play(stretch: Stretch) -> Stretch:
        for guess in GUESSES:
            lines = "\n".join(f"-{line}" for line in guess.splitlines())
            patch = f"*** Begin Patch\n*** Update File: a.py\n@@\n{lines}\n+y\n*** End Patch"
            stretch.call(tool, **{name: around.format(patch)}).result(f"{NO_LINES}\n{guess}", failed=True)
        return stretch

    return play


LOOPS: dict[str, Make] = {
    "three times the same": times(3, fails("Bash", "make all", NO_RULE, 2)),
    "Codex, with words of the process around": row(
        *(
            fails("exec_command", "make", f"Chunk ID: {name}\nProcess exited with code 2\nOutput:\n{NO_RULE}", 2)
            for name in ("2f4f86", "a0b1c2", "77de01")
        )
    ),
    "Gemini says success, and make says no": times(3, fails("run_shell_command", "make all", NO_RULE, None)),
    "OpenCode": times(3, fails("bash", "npm run build", "npm error Missing script: build")),
    "reading between the tries": times(3, fails("Bash", "make", NO_RULE, 2), reads()),
    "words between the tries": times(3, fails("Bash", "make", NO_RULE, 2), says()),
    "a look at files by the shell between": times(3, fails("Bash", "make", NO_RULE, 2), runs("ls -la src")),
    "a pipe hides the exit code": times(3, fails("Bash", "pytest -q | tail -5", PYTEST, 0)),
    "more and more is shown of the same failure": row(
        *(fails("Bash", f"pytest -q 2>&1 | tail -{count}", PYTEST, 0) for count in (5, 20, 80))
    ),
    "a folder is gone to first": row(
        fails("Bash", "make all", NO_RULE, 2),
        fails("Bash", "cd /repo && make all", NO_RULE, 2),
        fails("Bash", "cd /repo; make all 2>&1", NO_RULE, 2),
    ),
    "other quotes": row(
        fails("Bash", "go test -run 'TestA' ./a", GO_FAIL),
        fails("Bash", 'go test -run "TestA" ./a', GO_FAIL),
        fails("Bash", "go test -run TestA ./a", GO_FAIL),
    ),
    "other numbers": row(
        *(fails("Bash", f"kill -9 {pid}", f"kill: ({pid}) - No such process") for pid in (11, 12, 13))
    ),
    "a path in full and in short": row(
        fails("Bash", "cat notes.txt", NOT_THERE),
        fails("Bash", "cat ./notes.txt", NOT_THERE),
        fails("Bash", "cat /repo/notes.txt", "cat: /repo/notes.txt: No such file or directory"),
    ),
    "an edit whose text is guessed": row(*(edit_fails("Edit", "/repo/a.py", old) for old in ("a", "b", "c"))),
    "Gemini's replace": row(
        *(edit_fails("replace", "/repo/a.py", old, "Failed to edit, could not find the string") for old in "abc")
    ),
    "a patch that does not apply": times(
        3,
        calls(
            "apply_patch",
            "apply_patch verification failed: Failed to find expected lines in a.py",
            input="*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch",
        ),
    ),
    "Claude Code repeats the guess": guessed(
        "Edit", "<tool_use_error>String to replace not found in file.\nString: {}</tool_use_error>"
    ),
    "the guess in the same line": guessed("Edit", "String to replace not found in file: {}"),
    "the guess in the middle": guessed("Edit", "No replacement was performed, old_str `{}` did not appear in /repo/a"),
    "the guess comes first": guessed("replace_in_file", "The block:\n{}\n...does not match anything in the file."),
    "Gemini, with the guess": guessed("replace", "Failed to edit, 0 occurrences found for old_string ({}) in a.tsx."),
    "OpenCode's guesses": guessed("edit", "Error: oldString not found in content"),
    "Codex repeats the lines": patched("apply_patch", "input"),
    "Codex's patch by the shell": patched("shell", around="cd app && apply_patch <<'EOF'\n{}\nEOF"),
    "an edit that changes nothing of it": times(3, fails("Bash", "make", NO_RULE, 2), edits()),
    "a tool of a server": times(3, calls("mcp__tracker__get", "Error: 404 issue not found", issue="AB-1")),
    "two actions that fail in turns": times(
        3, fails("Bash", "make a", NO_RULE, 2), fails("Bash", "tsc", "error TS2307")
    ),
    "something else succeeds between": times(3, fails("Bash", "make", NO_RULE, 2), runs("git add -A")),
    "a web page that is not there": times(
        3, calls("WebFetch", "Request failed with status code 404", url="https://x.test/a")
    ),
    "a shell in a shell": times(
        3, fails("shell", "bash -lc 'cd app && cargo build'", "error: could not compile `app`", 101)
    ),
    "the same test after edits that change nothing": times(3, fails("Bash", "go test ./a", GO_FAIL), edits()),
    "a subagent's own": times(3, fails("Bash", "make", NO_RULE, 2, parent="task-1")),
    "a command that is denied again and again": times(
        3, calls("Bash", "Permission to use Bash has been denied.", command="rm x")
    ),
}

NONE: dict[str, Make] = {
    "two are none": times(2, fails("Bash", "make", NO_RULE, 2)),
    "a success between": row(
        times(2, fails("Bash", "make", NO_RULE, 2)), runs("make"), fails("Bash", "make", NO_RULE, 2)
    ),
    "three other errors": row(
        *(fails("Bash", "make", f"src/{name}.c:1:2: error: {word}") for name, word in ("aa", "bb", "cc"))
    ),
    "tests go red to green, one by one": row(
        *(
            row(fails("Bash", "pytest -q", f"=== {count} failed, {9 - count} passed in 0.1s ==="), edits())
            for count in (4, 3, 2, 1)
        )
    ),
    "another test fails after each edit": row(
        *(
            row(fails("Bash", "go test ./...", f"--- FAIL: {name} (0.0s)\nFAIL\nFAIL\tshop/a\t0.1s"), edits())
            for name in ("TestA", "TestB", "TestC")
        )
    ),
    "an edit changes the compiler's words": row(
        *(
            row(fails("Bash", "tsc", f"a.ts(1,2): error TS{code}: {word}"), edits())
            for code, word in ((1, "x"), (2, "y"), (3, "z"))
        )
    ),
    "guesses in three files": row(
        *(edit_fails("Edit", f"/repo/{name}.py", "x", f"{NO_MATCH}\nString: x") for name in ("aa", "bb", "cc"))
    ),
    "a guess was right between": row(
        *(row(edit_fails("Edit", "src/a.py", guess, f"{NO_MATCH}\nString: {guess}"), edits()) for guess in "abc")
    ),
    "an edit fails for other reasons": row(
        *(edit_fails("Edit", "a.py", "x", f"error: {why}") for why in ("not read yet", "changed since", "no match"))
    ),
    "searches that find nothing": times(4, fails("Bash", "rg -n needle src", "", 1)),
    "three files that are not there": row(
        *(calls("Read", "File does not exist.", file_path=f"/repo/{name}.md") for name in ("readme", "guide", "notes"))
    ),
    "three at the same time": lambda stretch: _together(stretch, 3),
    "called off with another one": times(
        3, calls("Read", "<tool_use_error>Sibling tool call errored</tool_use_error>", file_path="a")
    ),
    "a human speaks between": times(
        4, fails("Bash", "make", NO_RULE, 2), lambda stretch: stretch.prompt("I installed it, try again")
    ),
    "a human stopped it between": times(
        4, fails("Bash", "make", NO_RULE, 2), lambda stretch: stretch.add(EventKind.INTERRUPT, "stopped")
    ),
    "a day's work between": times(
        3, fails("Bash", "make", NO_RULE, 2), *(runs(f"./step-{name}") for name in "abcdefghijkl")
    ),
    "each subagent once": row(*(fails("Bash", "make", NO_RULE, 2, parent=f"task-{number}") for number in (1, 2, 3))),
    "a failure is only read about": times(3, runs("cat build.log", f"{PYTEST}\n{NO_RULE}")),
    "a log of another machine is read": times(3, runs("gh run view 7 --log-failed", GO_FAIL)),
    "a test is written anew with each try": row(
        *(
            fails("bash", f"cat > t.py <<'EOF'\n{word}\nEOF\npython t.py", f"NameError: name '{word}' is not defined")
            for word in ("aa", "bb", "cc")
        )
    ),
    "other arguments": row(
        *(fails("Bash", f"npm run {name}", "npm error Missing script") for name in ("lint", "build", "ci"))
    ),
    "another setting of the environment": row(
        *(fails("Bash", f"MODE={mode} make", NO_RULE, 2) for mode in ("dev", "ci", "release"))
    ),
}


def _together(stretch: Stretch, count: int) -> Stretch:
    """Let calls be made before the first of them has ended."""
    for _ in range(count):
        stretch.call("Bash", command="make")
    for _ in range(count):
        stretch.result(NO_RULE, failed=True, exit_code=2)
    return stretch


@pytest.mark.parametrize("why", LOOPS)
def test_a_loop(why: str) -> None:
    """What fails three times in a row in the same way is found, with its events."""
    found = LOOPS[why](Stretch()).found(ErrorLoop())
    assert found
    assert len(found[0].events) == 3


@pytest.mark.parametrize("why", NONE)
def test_no_loop(why: str) -> None:
    """What moves on, waits, or is tried for another reason is none."""
    assert NONE[why](Stretch()).found(ErrorLoop()) == []


def test_one_loop_is_one_signal_that_becomes_severe() -> None:
    """A loop that goes on is the same signal with more events, and severe from six tries on."""
    found = times(7, fails("Bash", "make", NO_RULE, 2))(Stretch()).found(ErrorLoop())
    assert [(signal.severity, len(signal.events)) for signal in found] == [("high", 7)]
    assert "failed 7 times in a row" in found[0].description
    assert found[0].seconds == 120


def test_settings() -> None:
    """How often, when it is severe and what may come between is set."""
    four = times(4, fails("Bash", "make", NO_RULE, 2), runs("./step"))(Stretch())
    assert four.found(ErrorLoop(times=5)) == []
    assert [signal.severity for signal in four.found(ErrorLoop(high=4))] == ["high"]
    assert four.found(ErrorLoop(between=0)) == []
