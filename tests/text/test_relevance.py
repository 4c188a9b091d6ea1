from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.relevance import CHUNK_LINES, chunks_of, named_paths, outline, ranked, words_of

LOGIN = "def check_password(user, password):\n    return user.password_hash == hashed(password)\n"
MAIL = "def send_mail(address, subject):\n    smtp.send(address, subject)\n"


def test_names_are_taken_apart() -> None:
    """A name in any style has the same words; the commonest words say nothing."""
    assert (
        words_of("checkPassword")
        == words_of("check_password")
        == words_of("the CheckPassword")
        == ["check", "password"]
    )


def test_the_nearest_comes_first() -> None:
    """What has the question's words comes before what has not, and what has none of them is left out."""
    chunks = chunks_of("src/mail.py", MAIL) + chunks_of("src/login.py", LOGIN)
    assert [chunk.path for chunk in ranked("the login refuses a right password", chunks)] == ["src/login.py"]
    assert ranked("", chunks) == []


def test_a_file_is_cut_before_a_definition() -> None:
    """Parts are about as long as asked for, begin with a definition where one is near, and hold every line once."""
    body = "\n".join(f"def f{number}():\n    return {number}\n" for number in range(60))
    chunks = chunks_of("a.py", body)
    assert [line for chunk in chunks for line in chunk.lines] == body.splitlines()
    assert all(len(chunk.lines) <= CHUNK_LINES and chunk.lines[0].startswith("def") for chunk in chunks)
    assert chunks[1].first == len(chunks[0].lines) + 1


@given(st.text())
def test_no_line_is_lost(text: str) -> None:
    """Whatever a file holds, its parts hold all of it."""
    assert [line for chunk in chunks_of("x", text) for line in chunk.lines] == text.splitlines()


def test_an_outline_names_what_a_file_defines() -> None:
    """Only the outermost definitions, of several languages, and not too many."""
    text = "import x\nclass A:\n    def inner(self): ...\nexport function b() {\nfn c(x: i32) {\n"
    assert outline(text) == ["class A", "export function b()", "fn c(x: i32)"]
    assert len(outline("def f():\n" * 100, most=5)) == 5


def test_paths_that_are_named() -> None:
    """A path in full, or a file's name where only one file has it."""
    paths = ["src/login.py", "src/mail.py", "a/x.py", "b/x.py"]
    assert named_paths("Fix `src/login.py`, mail.py and x.py.", paths) == ["src/login.py", "src/mail.py"]
