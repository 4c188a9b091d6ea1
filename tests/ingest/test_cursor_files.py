"""Cursor's files tell of which session they are."""

from __future__ import annotations

from pathlib import Path

from loopwright.ingest.cursor_files import bare, is_text, lines_in, session_of, without_copies

ID = "0b9f1c52-7d1e-4a55-9a3f-0d6c1f2e3a4b"


def _file(path: Path, text: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_an_id_is_the_session_wherever_it_lies(tmp_path: Path) -> None:
    """A copy elsewhere is the same session, and so are the subagents' files below it."""
    names = (f"{ID}.jsonl", f"a/{ID}/{ID}.jsonl", f"a/{ID}/subagents/s-1.jsonl")
    assert {session_of(_file(tmp_path / name)) for name in names} == {ID}


def test_another_name_counts_with_its_folder(tmp_path: Path) -> None:
    """`chat` may be anybody's; its own folder, and its subagents, belong to it."""
    names = ("a/chat.jsonl", "a/chat/chat.jsonl", "a/chat/subagents/s-1.jsonl", "b/chat.jsonl")
    one, two, three, other = (session_of(_file(tmp_path / name)) for name in names)
    assert one == two == three != other
    assert one.startswith("chat-")


def test_a_stream_says_its_session(tmp_path: Path) -> None:
    """Also behind what some versions put before every line."""
    assert session_of(_file(tmp_path / "a.jsonl", '{}\nstdout: {"session_id": "s"}')) == "s"


def test_a_transcript_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    """The larger one has grown; parts of a stream are all read, and subagents come last."""
    small, large = _file(tmp_path / "a" / f"{ID}.jsonl"), _file(tmp_path / "b" / f"{ID}.jsonl", "{}\n{}")
    below = _file(tmp_path / "a" / ID / "subagents" / "s-1.jsonl")
    assert without_copies([below, large, small]) == [large, below]
    streams = [_file(tmp_path / name / "out.jsonl", '{"session_id": "s"}') for name in ("c", "d")]
    assert without_copies(streams) == streams


def test_what_stands_before_a_line_is_taken_off() -> None:
    """A line without it stays as it is, and so does the word within a line."""
    assert bare(b' stdout: {"a": 1}') == b' {"a": 1}'
    assert list(lines_in(b'{"a": "stdout:"}\n  stdout:{"b": 2}')) == [{"a": "stdout:"}, {"b": 2}]


def test_text_is_known_by_who_speaks() -> None:
    """With any ends of lines, and a mark of the encoding before it."""
    text = b"user:\nHi\nassistant:\nHo\n"
    assert is_text(text)
    assert is_text(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert not is_text(b"user: Hi\nassistant: Ho\n")
