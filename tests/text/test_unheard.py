"""Checks that can't fail any more; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.changes import Change
from loopwright.text.unheard import asks_for_less_coverage, unheard

_WORKFLOW = ".github/workflows/ci.yml"
_STEPS = "    steps:\n      - name: tell\n        run: ./notify.sh\n{}      - name: test\n        run: pytest -q\n{}"


@pytest.mark.parametrize(
    ("path", "old", "new", "line"),
    [
        (_WORKFLOW, "run: pytest", "run: pytest || true", "run: pytest || true"),
        (_WORKFLOW, "- run: npm run lint", "- run: npm run lint || exit 0", "- run: npm run lint || exit 0"),
        (_WORKFLOW, "run: npm test", "run: npm test\n        continue-on-error: true", "continue-on-error: true"),
        (_WORKFLOW, _STEPS.format("", ""), _STEPS.format("", "        if: false\n"), "if: false"),
        (
            _WORKFLOW,
            _STEPS.format("", ""),
            _STEPS.format("", "        continue-on-error: true\n"),
            "continue-on-error: true",
        ),
        (
            _WORKFLOW,
            "  lint:\n    steps:\n      - run: ruff check",
            "  lint:\n    if: ${{ false }}\n    steps:\n      - run: ruff check",
            "if: ${{ false }}",
        ),
        (
            ".gitlab-ci.yml",
            "test:\n  script:\n    - pytest",
            "test:\n  script:\n    - pytest\n  allow_failure: true",
            "allow_failure: true",
        ),
        ("package.json", '"test": "jest"', '"test": "exit 0"', '"test": "exit 0"'),
        ("package.json", '"lint": "eslint ."', '"lint": "echo skipped"', '"lint": "echo skipped"'),
        ("package.json", '"test": "jest"', '"test": "jest --passWithNoTests"', '"test": "jest --passWithNoTests"'),
        ("Makefile", "test:\n\tpytest", "test:\n\tpytest || :", "pytest || :"),
    ],
)
def test_a_check(path: str, old: str, new: str, line: str) -> None:
    """The line that makes a test, a lint or a build deaf is given; nothing where it was so before."""
    assert unheard(Change(path, old, new)) == line
    assert unheard(Change(path, new, new.replace("pytest", "pytest -x"))) == ""
    assert unheard(Change("notes.txt", old, new)) == ""


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (_WORKFLOW, "- run: pytest", "- run: docker rm -f db || true\n- run: pytest"),
        (_WORKFLOW, "run: pytest", "run: docker rm -f test-db || true; pytest"),
        (_WORKFLOW, "- run: pytest", "- run: pytest\n- run: ./notify.sh\n  continue-on-error: true"),
        (_WORKFLOW, _STEPS.format("", ""), _STEPS.format("        continue-on-error: true\n", "")),
        (_WORKFLOW, _STEPS.format("", ""), _STEPS.format("        if: false\n", "")),
        (_WORKFLOW, _STEPS.format("", ""), _STEPS.format("", "        if: github.ref == 'main'\n")),
        ("package.json", '"test": "echo \\"no test specified\\" && exit 1"', '"test": "exit 0"'),
        ("package.json", '"test": "jest"', '"test": "vitest run"'),
        ("Makefile", "clean:\n\trm x", "clean:\n\trm x || true\ntest:\n\tpytest"),
    ],
)
def test_no_check(path: str, old: str, new: str) -> None:
    """What is beside a check may fail, and a check may change."""
    assert unheard(Change(path, old, new)) == ""


def test_coverage() -> None:
    """A number that is lowered is told; one that is raised, new, or somebody else's is not."""
    assert asks_for_less_coverage(Change("pyproject.toml", "fail_under = 90", "fail_under = 70")) == "90 -> 70"
    assert asks_for_less_coverage(Change("tox.ini", "--cov-fail-under=90", "--cov-fail-under=85")) == "90 -> 85"
    assert asks_for_less_coverage(Change("pyproject.toml", "fail_under = 70", "fail_under = 90")) == ""
    assert asks_for_less_coverage(Change("pyproject.toml", "a = 1", "fail_under = 90")) == ""
    assert asks_for_less_coverage(Change("src/a.py", "fail_under = 90", "fail_under = 70")) == ""
