"""Prompts between markers in files: the text is changed, and nothing else."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.errors import RegistryError
from loopwright.records.registry import RegistrySettings
from loopwright.release.registries.files import Files

NAME = "worker/bug_fix"
BEGIN, END = b"<!-- loopwright:worker/bug_fix -->", b"<!-- /loopwright -->"
AROUND = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="`~"), max_size=200).map(str.encode)
LINES = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t"), max_size=30))


def registry(root: Path) -> Files:
    return Files(RegistrySettings("files"), root, {})


@settings(deadline=None)
@given(AROUND, AROUND, LINES, st.sampled_from([b"\n", b"\r\n"]), st.booleans(), st.booleans())
def test_all_around_the_markers_is_untouched(
    before: bytes, after: bytes, lines: list[str], newline: bytes, bom: bool, last: bool
) -> None:
    """Whatever stands before and after, with whatever ends of lines, a BOM or no final newline, stays byte for byte."""
    text = "\n".join(lines).strip("\n")
    head = (b"\xef\xbb\xbf" if bom else b"") + (before + newline if before else b"") + BEGIN + newline
    tail = END + (b"" if last else newline + after)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "AGENTS.md"
        path.write_bytes(head + b"old" + newline + tail)
        registry(Path(folder)).write(NAME, text, "x")
        assert path.read_bytes() == head + text.encode().replace(b"\n", newline) + newline + tail
        found = registry(Path(folder)).read(NAME)
        assert (found.text.replace("\r\n", "\n").rstrip("\n") if found else "") == (text if text.strip() else "")
        assert list(Path(folder).iterdir()) == [path]


@settings(deadline=None)
@given(st.lists(st.sampled_from([BEGIN, END, b"<!-- loopwright:a/b -->", b"x", b"\xff", b"\r"]), max_size=8))
def test_any_order_of_markers_is_read_or_refused(lines: list[bytes]) -> None:
    """No file makes it fail in another way than with words, and a refused file is as it was."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "CLAUDE.md"
        path.write_bytes(b"\n".join(lines))
        try:
            registry(Path(folder)).write(NAME, "new", "x")
        except RegistryError as error:
            assert error.hint
            assert path.read_bytes() == b"\n".join(lines)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BEGIN + b"\nx\n", "has no end"),
        (b"x\n" + END + b"\n", "nothing has begun"),
        (BEGIN + b"\n" + BEGIN + b"\nx\n" + END, "begins before"),
        ((BEGIN + b"\nx\n" + END + b"\n") * 2, "2 times"),
        (BEGIN + b"\nx\n" + END + b"\n" + END, "nothing has begun"),
        (b"caf\xe9\n" + BEGIN + b"\nx\n" + END, "not UTF-8"),
        ((BEGIN + b"\nx\n" + END).decode().encode("utf-16"), "not UTF-8"),
        (b"y" * 2_000_000 + b"\n" + BEGIN + b"\nx\n" + END, "no file has the markers|larger"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    """Markers that don't fit, and files that could not be written as they were, are refused and left alone."""
    (tmp_path / "AGENTS.md").write_bytes(content)
    with pytest.raises(RegistryError, match=words) as failed:
        registry(tmp_path).write(NAME, "new", "x")
    assert failed.value.hint
    assert (tmp_path / "AGENTS.md").read_bytes() == content


def test_one_prompt_in_two_files_is_refused(tmp_path: Path) -> None:
    """Nobody could say which one counts; both are named."""
    for name in ("AGENTS.md", "docs/CLAUDE.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(BEGIN + b"\nx\n" + END)
    with pytest.raises(RegistryError, match=r"AGENTS.md, docs/CLAUDE.md"):
        registry(tmp_path).read(NAME)


def test_words_about_markers_are_none(tmp_path: Path) -> None:
    """A marker stands on a line of its own; in a sentence it is a word, and a file without one may be of any kind."""
    (tmp_path / "AGENTS.md").write_bytes(b"Use `" + BEGIN + b"` and " + END + b" here.\n")
    (tmp_path / "CLAUDE.md").write_bytes(b"caf\xe9")
    assert registry(tmp_path).names("") == []
    assert (registry(tmp_path).read(NAME), registry(tmp_path).takes(NAME)) == (None, False)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [(b"```", b"```"), (b"~~~", b"~~~"), (b"  ```markdown", b"  ```"), (b"````\n```", b"````"), (b"```\n~~~", b"```")],
)
def test_markers_in_code_are_none(tmp_path: Path, opening: bytes, closing: bytes) -> None:
    """A fenced block shows how markers are written; those after it count, and the block stays as it is."""
    shown = opening + b"\n" + BEGIN + b"\nan example\n" + END + b"\n" + closing + b"\n"
    (tmp_path / "AGENTS.md").write_bytes(shown)
    assert (registry(tmp_path).names(""), registry(tmp_path).takes(NAME)) == ([], False)
    (tmp_path / "AGENTS.md").write_bytes(shown + BEGIN + b"\nx\n" + END + b"\n" + shown)
    registry(tmp_path).write(NAME, "new", "x")
    assert (tmp_path / "AGENTS.md").read_bytes() == shown + BEGIN + b"\nnew\n" + END + b"\n" + shown


def test_a_prompt_with_an_open_fence_ends_at_its_marker(tmp_path: Path) -> None:
    """Whatever fences a prompt has, its own end is found, and so is what follows."""
    other = b"<!-- loopwright:worker/docs -->\ny\n" + END
    (tmp_path / "AGENTS.md").write_bytes(BEGIN + b"\nx\n" + END + b"\n" + other)
    registry(tmp_path).write(NAME, "```\nnever closed", "x")
    assert registry(tmp_path).names("") == [NAME, "worker/docs"]
    found = registry(tmp_path).read(NAME)
    assert found and found.text == "```\nnever closed\n"


def test_empty_markers_are_a_place(tmp_path: Path) -> None:
    """Nothing between them is nothing in use, and can be written; a text with a marker in it can't."""
    (tmp_path / "SKILL.md").write_bytes(BEGIN + b"\n\n" + END)
    assert (registry(tmp_path).read(NAME), registry(tmp_path).takes(NAME)) == (None, True)
    with pytest.raises(RegistryError, match="marker in it"):
        registry(tmp_path).write(NAME, "a\n<!-- /loopwright -->\nb", "x")


def test_a_file_anywhere_but_in_dependencies(tmp_path: Path) -> None:
    """Skills lie deep in the repository; what was installed is nobody's prompt."""
    for folder in (".claude/skills/fix", "node_modules/evil"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "SKILL.md").write_bytes(BEGIN + b"\nx\n" + END)
    found = registry(tmp_path).read(NAME)
    assert found and found.mark.startswith(".claude/skills/fix/SKILL.md")


def test_links_are_followed_only_within(tmp_path: Path) -> None:
    """A link to a file of the repository is that file, and stays a link; one that leads out is nothing."""
    root, outside = tmp_path / "repo", tmp_path / "outside.md"
    root.mkdir()
    outside.write_bytes(BEGIN + b"\nx\n" + END)
    (root / "SKILL.md").symlink_to(outside)
    (root / "loop").symlink_to(root)
    assert registry(root).names("") == []
    (root / "AGENTS.md").write_bytes(BEGIN + b"\nx\n" + END)
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    registry(root).write(NAME, "new", "x")
    assert (root / "CLAUDE.md").is_symlink()
    assert (root / "AGENTS.md").read_bytes() == BEGIN + b"\nnew\n" + END
    assert outside.read_bytes() == BEGIN + b"\nx\n" + END


def test_the_mode_stays(tmp_path: Path) -> None:
    """Who may read and write it is as before."""
    (tmp_path / "AGENTS.md").write_bytes(BEGIN + b"\nx\n" + END)
    (tmp_path / "AGENTS.md").chmod(0o640)
    registry(tmp_path).write(NAME, "new", "x")
    assert (tmp_path / "AGENTS.md").stat().st_mode & 0o777 == 0o640


def test_outside_of_a_repository() -> None:
    """There are no files that could hold prompts, and it says so."""
    with pytest.raises(RegistryError, match="no repository"):
        Files(RegistrySettings("files"), None, {}).names("")
