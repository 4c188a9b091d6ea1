"""A change of a file -> whether it makes a test weaker: one that asks for less, or for something else."""

from __future__ import annotations

import re

from loopwright.text.changes import Change

_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]*\.py|[^/]*_test\.\w+|[^/]*\.(?:test|spec|cy)\.\w+|[^/]*_spec\.\w+|[^/]*Tests?\.(?:java"
    r"|cs|kt|php|swift))$"
)
_TEST_FOLDER = re.compile(r"(?:^|/)(?:tests?|__tests__|specs?|integration_tests?|e2e)/")
_CODE = re.compile(r"\.(?:py|[cm]?[jt]sx?|go|rs|rb|java|kt|cs|php|swift|c|cc|cpp|exs?|dart|scala|sh|vue|svelte)$")
_PROSE = re.compile(r"\.(?:md|mdx|rst|txt|adoc|log|lock)$|(?:^|/)(?:docs?|CHANGELOG)(?:/|$)", re.IGNORECASE)
_TEST = re.compile(
    r"^[ \t]*(?:async )?def test\w*\(|^[ \t]*(?:(?:it|test|describe)(?:\.\w+)*|xit|xtest|xdescribe|fit|fdescribe)\("
    r"|^func Test\w+\("
    r"|#\[(?:tokio::)?test\]|@Test\b|^[ \t]*(?:it|scenario) ['\"]|public function test\w+\(|\[(?:Fact|Test|Theory)\]",
    re.MULTILINE,
)
_ASSERT = re.compile(
    r"^[^\n#/]*(?:\bassert\w*\b[ (!.]|\bexpect\w*\(|\.should\b|\bt\.(?:Error|Fatal)f?\(|\brequire\.\w+\("
    r"|\bverify\w*\(|\bensure!\(|\braises\w*\(|\bwarns\(|\bfail\w*\(|\bt\.Fail)",
    re.MULTILINE,
)
_HOLLOW = re.compile(
    r"^[ \t]*(?:async )?def test\w*\([^\n]{0,200}?:[ \t]*\n?[ \t]*(?:pass|\.\.\.)[ \t]*$"
    r"|^[ \t]*(?:it|test)\([^\n{]{0,200}\{[ \t]*\}\)",
    re.MULTILINE,
)
"""A test that does nothing."""
_MANY = re.compile(r"parametri[sz]e|\.each\b|subTest|\bfor\b|t\.Run\(|rstest")
_EXPECTED = re.compile(r"\bwant(?:ed)?\b|\bexpected\b", re.IGNORECASE)


def is_test_file(path: str) -> bool:
    """Say whether a file, or a folder, holds tests."""
    path = path.replace("\\", "/").rstrip("/")
    in_tests = _TEST_FOLDER.search(path) and _CODE.search(path)
    return bool(in_tests or _TEST_FILE.search(path)) or bool(_TEST_FOLDER.fullmatch(f"/{path.rpartition('/')[2]}/"))


def is_product(path: str) -> bool:
    """Say whether a file is neither a test nor prose."""
    return not is_test_file(path) and not _PROSE.search(path.replace("\\", "/")) and "snap" not in path


def count_tests(text: str) -> int:
    """Count the tests that a text defines."""
    return len(_TEST.findall(text))


def count_asked(text: str) -> int:
    """Count the lines of a text that ask for something."""
    return len(_ASSERT.findall(text))


def asks_nothing(change: Change) -> bool:
    """Say whether a test lost all that it asks for, or went altogether; or was written anew and does nothing."""
    if not is_test_file(change.path) or change.is_deleted or count_asked(change.new):
        return False
    return count_asked(change.old) > 0 if change.is_edit else bool(change.is_whole and _HOLLOW.search(change.new))


def asks_less(change: Change) -> bool:
    """Say whether a file of tests that is there asks for less, and not because one test now stands for several."""
    if not change.is_edit or not is_test_file(change.path) or _MANY.search(change.new):
        return False
    fewer = count_asked(change.new) < count_asked(change.old)
    return fewer and count_tests(change.new) <= count_tests(change.old)


def expects_other(change: Change) -> bool:
    """Say whether a test now expects another value, and is otherwise the same."""
    if not change.is_edit or not is_test_file(change.path) or count_tests(change.new) != count_tests(change.old):
        return False
    old, new = change.old.splitlines(), change.new.splitlines()
    had, has = set(old), set(new)
    went, came = [line for line in old if line not in has], [line for line in new if line not in had]
    return 0 < len(came) <= len(went) <= 5 and all(map(_is_expectation, went)) and any(map(_is_expectation, came))


def _is_expectation(line: str) -> bool:
    return bool(_ASSERT.search(line) or _EXPECTED.search(line))
