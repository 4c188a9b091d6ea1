"""context_thrashing: the same lines are read again and again, and reading that is only thorough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopwright.measure.detectors.context_thrashing import ContextThrashing
from loopwright.records.event import EventKind
from measure.stretches import Stretch

Make = Callable[[Stretch], Stretch]
LINES = "\n".join(f"line {number}" for number in range(1, 40))
SUMMARY = "This session is being continued from a previous conversation that ran out of context."


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


def read(tool: str = "Read", text: str = LINES, **given: Any) -> Make:
    """Let a tool of any agent read; a file of its own where none is named."""
    if not {"path", "filePath", "target_file", "absolute_path"} & set(given):
        given.setdefault("file_path", "/repo/src/a.py")
    return lambda stretch: stretch.call(tool, **given).result(text)


def shell(command: str, text: str = LINES, tool: str = "Bash") -> Make:
    return lambda stretch: stretch.call(tool, command=command).result(text, exit_code=0)


def edit(path: str = "/repo/src/a.py", tool: str = "Edit") -> Make:
    return lambda stretch: stretch.call(tool, file_path=path, old_string="a", new_string="b").result("edited")


def system(text: str = "", **data: Any) -> Make:
    return lambda stretch: stretch.add(EventKind.SYSTEM, text, data=data)


def patch(path: str) -> Make:
    text = f"*** Begin Patch\n*** Update File: {path}\n@@\n-x\n+y\n*** End Patch"
    return lambda stretch: stretch.call("apply_patch", input=text).result("Success")


THRASHING: dict[str, Make] = {
    "a whole file, three times": times(3, read()),
    "a range, three times": times(3, read(offset=100, limit=50)),
    "a range that is nearly the same": row(*(read(offset=100 + more, limit=50) for more in (0, 2, 4))),
    "OpenCode": times(3, read("read", filePath="/repo/a.ts", offset=0, limit=80)),
    "Gemini": times(3, read("read_file", absolute_path="/repo/a.ts")),
    "Gemini, by line numbers": times(3, read("read_file", file_path="a.ts", start_line=10, end_line=60)),
    "Copilot": times(3, read("view", path="/repo/a.ts", view_range=[10, 60])),
    "Cursor": times(3, read("read", path="/repo/a.ts")),
    "the editor that also views": times(3, lambda stretch: _viewed(stretch)),
    "cat": times(3, shell("cat src/a.py")),
    "sed, in Codex": times(3, shell("sed -n '1,80p' src/a.py", tool="exec_command")),
    "Codex, with words of the process around": row(
        *(
            shell("cat src/a.py", f"Chunk ID: {name}\nWall time: 0.1 seconds\nOutput:\n{LINES}", tool="exec_command")
            for name in ("2f4f86", "a0b1c2", "77de01")
        )
    ),
    "numbered lines through a pipe": times(3, shell("nl -ba src/a.py | sed -n '1,80p'", tool="exec_command")),
    "head": times(3, shell("head -n 60 src/a.py")),
    "a shell in a shell": times(3, shell("bash -lc \"sed -n '1,80p' src/a.py\"", tool="shell")),
    "a folder is gone to first": times(3, shell("cd /repo && cat src/a.py")),
    "now by the tool, now by the shell": row(read(), shell("cat src/a.py"), read()),
    "an edit of another file between": times(3, read(), edit("/repo/src/b.py")),
    "other files between": row(read(), read(file_path="/repo/b.py"), read(), read(file_path="/repo/c.py"), read()),
    "tests between": times(3, read(), shell("pytest -q", "9 passed in 0.1s")),
    "words and searches between": times(
        3,
        read(),
        lambda stretch: stretch.says("Let me look again."),
        lambda stretch: stretch.call("Grep", pattern="def login", path="/repo/src").result("a.py:3"),
    ),
    "the tool says that nothing has changed": row(
        read(), read(text="File unchanged since last read."), read(text="File unchanged since last read.")
    ),
    "another file is put back between": times(3, read(), shell("git checkout -- src/b.py", "")),
    "only looked at git between": times(3, read(), shell("git status && git stash list", "clean")),
    "a folder is made between": times(3, read(), shell("mkdir -p build && cp b.txt build", "")),
    "a subagent's own": times(3, read(parent="task-1")),
    "again after a summary, and again, and again": row(read(), system(subtype="compact_boundary"), times(3, read())),
    "two files in one command": times(3, shell("cat src/a.py src/b.py")),
    "an edit that failed between": times(
        3, read(), lambda stretch: stretch.call("Edit", file_path="/repo/src/a.py").result("not found", failed=True)
    ),
}

NONE: dict[str, Make] = {
    "twice is none": times(2, read()),
    "an edit between": times(4, read(), edit()),
    "a patch between": times(4, read(), patch("src/a.py")),
    "Gemini's replace between": times(4, read("read_file"), edit(tool="replace")),
    "a new file over it between": times(
        4, read(), lambda stretch: stretch.call("Write", file_path="/repo/src/a.py", content="x").result("written")
    ),
    "sed -i between": times(4, read(), shell("sed -i 's/a/b/' src/a.py", "")),
    "a redirection into it between": times(4, read(), shell("./make-it > src/a.py", "")),
    "a formatter that names it between": times(4, read(), shell("gofmt -w src/a.py", "")),
    "another branch between": times(4, read(), shell("git checkout main", "Switched to branch 'main'")),
    "put away between": times(4, read(), shell("git stash", "Saved working directory")),
    "pulled between": times(4, read(), shell("cd /repo && git pull --rebase origin main", "Updating")),
    "a merge with conflicts between": times(
        4, read(), lambda stretch: stretch.ran("git merge main", "CONFLICT (content)", exit_code=1)
    ),
    "a patch by git between": times(4, read(), shell("git apply fix.patch", "")),
    "a formatter of all between": times(4, read(), shell("npm run format", "")),
    "sed -i of all between": times(4, read(), shell("sed -i s/a/b/ src/*.py", "")),
    "a script that writes between": times(4, read(), shell("python3 - <<'EOF'\np.write_text('x')\nEOF", "")),
    "page after page": row(*(read(offset=first, limit=100) for first in (1, 101, 201, 301))),
    "page after page by sed": row(*(shell(f"sed -n '{first},{first + 79}p' a.py") for first in (1, 81, 161, 241))),
    "the whole, then parts of it": row(
        read(), read(offset=10, limit=20), read(offset=50, limit=20), read(offset=90, limit=9)
    ),
    "the end of a file, from line to line": row(*(read(offset=first) for first in (1, 30, 60, 90))),
    "three files of one name": row(*(read(file_path=f"/repo/{name}/index.ts") for name in ("a", "b", "c"))),
    "three other files": row(*(read(file_path=f"/repo/{name}.ts") for name in ("a", "b", "c"))),
    "a summary between": row(times(2, read()), system(subtype="compact_boundary"), times(2, read())),
    "Claude Code's summary in words": row(times(2, read()), system(SUMMARY, subtype="user"), times(2, read())),
    "Codex's compaction": row(times(2, shell("cat a.py")), system(subtype="compacted"), times(2, shell("cat a.py"))),
    "OpenCode's compaction": row(times(2, read("read")), system("compaction", subtype="compaction"), read("read")),
    "a conversation that is cleared": row(
        times(2, read()), system("<command-name>/clear</command-name>", subtype="user"), read()
    ),
    "each subagent once": row(*(read(parent=f"task-{number}") for number in (1, 2, 3))),
    "once here, once in each subagent": row(read(), read(parent="task-1"), read(parent="task-2")),
    "a human asks again": times(4, read(), lambda stretch: stretch.prompt("and now?")),
    "a log that grows": row(*(shell("tail -n 20 out.log", f"{LINES}\nstep {step}") for step in range(5))),
    "a file that somebody else changes": row(*(read(text=f"{LINES}\n{who}") for who in ("me", "you", "them"))),
    "reads that failed": times(
        4, lambda stretch: stretch.call("Read", file_path="/repo/a.py").result("File does not exist.", failed=True)
    ),
    "greps for other words": row(*(shell(f"grep -n {word} src/a.py", "3: x") for word in ("a", "b", "c", "d"))),
    "a file through a filter": times(4, shell("cat src/a.json | jq .name", '"x"')),
    "almost nothing": times(4, read(text="1.2.3")),
    "nothing is read": times(4, shell("ls -la src", LINES)),
    "an attempt each": lambda stretch: _attempts(stretch),
}


def _viewed(stretch: Stretch) -> Stretch:
    """Let a tool that edits only look; its `command` is none of a shell."""
    stretch.call("str_replace_based_edit_tool", path="/repo/a.py").result(LINES)
    stretch.events[-2].data = {"input": {"command": "view", "path": "/repo/a.py"}}
    return stretch


def _attempts(stretch: Stretch) -> Stretch:
    """Let a file be read once in each of four attempts."""
    for number in range(4):
        read()(stretch)
        for event in stretch.events[-2:]:
            event.attempt_id = f"attempt-{number}"
    return stretch


@pytest.mark.parametrize("why", THRASHING)
def test_thrashing(why: str) -> None:
    """The same lines, read three times with nothing changed between, are found."""
    found = THRASHING[why](Stretch()).found(ContextThrashing())
    assert found
    assert len(found[0].events) == 3


@pytest.mark.parametrize("why", NONE)
def test_no_thrashing(why: str) -> None:
    """Other lines, other files, lines that were changed or that are out of sight are none."""
    assert NONE[why](Stretch()).found(ContextThrashing()) == []


def test_settings() -> None:
    """How often, and how long what is read has to be, is set; the lines and the file are named."""
    stretch = times(3, read(offset=100, limit=50))(Stretch())
    assert stretch.found(ContextThrashing(times=4)) == []
    assert stretch.found(ContextThrashing(lines=40)) == []
    [signal] = stretch.found(ContextThrashing())
    assert signal.description == "lines 100 to 138 of /repo/src/a.py were read 3 times, with no edit between"
    assert [found.severity for found in times(7, read())(Stretch()).found(ContextThrashing())] == ["high"]
