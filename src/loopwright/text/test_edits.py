"""A change of a file -> whether it makes a test weaker: one that is skipped, that asks for less, that is not heard."""

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
SETTINGS = re.compile(
    r"(?:^|/)(?:\.github/workflows/|\.circleci/|\.gitlab-ci|azure-pipelines|Jenkinsfile|package\.json$|Makefile$"
    r"|justfile$"
    r"|mise\.toml$|\.mise\.toml$|tox\.ini$|noxfile\.py$|Taskfile|\.pre-commit-config|\.husky/|lefthook"
    r"|bitbucket-pipelines)"
)
_SKIP = re.compile(
    r"@(?:pytest\.mark\.(?:skip\b(?!if)|xfail)|unittest\.skip\b(?!If|Unless)|unittest\.expectedFailure|Disabled"
    r"|Ignore)\b"
    r"|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\b(?:it|test|describe|context|suite)\.(?:skip|only|todo"
    r"|fixme)\b"
    r"|\b(?:xit|xdescribe|xtest|fit|fdescribe)\(|\bt\.Skip(?:Now|f)?\(|#\[ignore\b|\bmarkTestSkipped\(|\[Ignore\b"
    r"|\bSkip ?= ?\""
)
CONDITION = re.compile(
    r"skip_?if|skip_?unless|platform|os\.name|GOOS|windows|win32|darwin|linux|macos|testing\.Short|importorskip"
    r"|shutil\.which"
    r"|LookPath|environ|getenv|Getenv|process\.env|version_info|condition=|\bif\b|\bCI\b|docker|network|root",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"^\s*(?:async )?def test\w*\(|^\s*(?:(?:it|test|describe)(?:\.\w+)*|xit|xtest|xdescribe|fit|fdescribe)\("
    r"|^func Test\w+\("
    r"|#\[(?:tokio::)?test\]|@Test\b|^\s*(?:it|scenario) ['\"]|public function test\w+\(|\[(?:Fact|Test|Theory)\]",
    re.MULTILINE,
)
_ASSERT = re.compile(
    r"^[^\n#/]*(?:\bassert\w*\b[ (!.]|\bexpect\w*\(|\.should\b|\bt\.(?:Error|Fatal)f?\(|\brequire\.\w+\("
    r"|\bverify\w*\(|\bensure!\()",
    re.MULTILINE,
)
_EXPECTED = re.compile(r"\bwant(?:ed)?\b|\bexpected\b", re.IGNORECASE)
_UNHEARD = re.compile(
    r"\|\| ?(?:true|:|exit 0|echo)\b|; ?(?:true|exit 0)\b|continue-on-error: ?true|allow_failure: ?true"
    r"|--passWithNoTests\b"
)
_CHECKING = re.compile(
    r"\b(?:test|tests|pytest|jest|vitest|lint|check|build|tsc|mypy|ruff|eslint|cargo|go (?:test|vet)|tox)\b"
)


def is_test_file(path: str) -> bool:
    """Say whether a file, or a folder, holds tests."""
    path = path.replace("\\", "/").rstrip("/")
    in_tests = _TEST_FOLDER.search(path) and _CODE.search(path)
    return bool(in_tests or _TEST_FILE.search(path)) or bool(_TEST_FOLDER.fullmatch(f"/{path.rpartition('/')[2]}/"))


def is_product(path: str) -> bool:
    """Say whether a file is neither a test nor prose."""
    return not is_test_file(path) and not _PROSE.search(path.replace("\\", "/")) and "snap" not in path


def skipped(change: Change) -> str:
    """Give the line that lets an existing test be skipped, expected to fail, or be the only one; empty where none."""
    if not change.is_edit or not is_test_file(change.path) or count_tests(change.new) > count_tests(change.old):
        return ""
    had = set(change.old.splitlines())
    added = [line for line in change.new.splitlines() if line not in had]
    found = [line for line in added if _SKIP.search(line)]
    if not found or len(_SKIP.findall(change.new)) <= len(_SKIP.findall(change.old)):
        return ""
    return "" if any(CONDITION.search(line) for line in added) else found[0].strip()


def count_tests(text: str) -> int:
    """Count the tests that a text defines."""
    return len(_TEST.findall(text))


def asks_nothing(change: Change) -> bool:
    """Say whether a test lost all that it asks for, or went altogether."""
    had = len(_ASSERT.findall(change.old))
    return change.is_edit and is_test_file(change.path) and had > 0 and not _ASSERT.search(change.new)


def expects_other(change: Change) -> bool:
    """Say whether a test now expects another value, and is otherwise the same."""
    if not change.is_edit or not is_test_file(change.path) or count_tests(change.new) != count_tests(change.old):
        return False
    old, new = change.old.splitlines(), change.new.splitlines()
    went, came = [line for line in old if line not in set(new)], [line for line in new if line not in set(old)]
    return 0 < len(came) <= len(went) <= 5 and all(map(_is_expectation, went)) and any(map(_is_expectation, came))


def _is_expectation(line: str) -> bool:
    return bool(_ASSERT.search(line) or _EXPECTED.search(line))


def unheard(change: Change) -> str:
    """Give the line by which a check in a build's settings can't fail any more; empty where there is none."""
    if not change.is_edit or not SETTINGS.search(change.path.replace("\\", "/")):
        return ""
    had = set(change.old.splitlines())
    added = [line for line in change.new.splitlines() if line not in had and _UNHEARD.search(line)]
    if len(_UNHEARD.findall(change.new)) <= len(_UNHEARD.findall(change.old)):
        return ""
    return next(
        (line.strip() for line in added if _CHECKING.search(line) or (":" in line and _CHECKING.search(change.new))), ""
    )
