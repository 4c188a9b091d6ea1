"""What test runners, compilers and linters print -> how each tells what passed and what failed. One row for each."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """How one runner is recognised and read. A group `passed` or `failed` of `counts` is added up over all matches."""

    name: str
    hints: tuple[str, ...]
    """It prints one of these: a text without them is not looked at any further."""
    counts: str = ""
    failed: str = ""
    """Matches where something failed."""
    passed: str = ""
    """Matches where all is well, if nothing failed."""
    failed_names: str = ""
    passed_names: str = ""
    broken: str = ""
    """Matches where it did not come to running a test."""
    is_test: bool = True


REPORTS = (
    Report(
        "pytest",
        (" passed", " failed", " error", "no tests ran"),
        counts=r"\b(?P<passed>\d+) passed\b|\b(?P<failed>\d+) (?:failed|errors?)\b(?= ?[,=]| in )",
        failed=r"^(?:=+ )?(?:[^\n]{0,80}\b)?[1-9]\d* (?:failed|errors?)\b[^\n]{0,120} in [\d.]+s\b",
        passed=r"\b\d+ passed\b[^\n]{0,120} in [\d.]+s\b",
        failed_names=r"^FAILED ([^\s:]{1,300}::[^\s\[]{1,300}(?:\[[^\n]{0,200}?\])?)(?= - |\s|$)"
        r"|^([^\s:]{1,300}::\S{1,300}) FAILED",
        passed_names=r"^([^\s:]{1,300}::\S{1,300}) PASSED",
        broken=r"^(?:=+ )?\d+ errors? in [\d.]+s\b|errors? during collection|^ERROR: (?:file or directory )?not found"
        r"|no tests ran",
    ),
    Report(
        "unittest",
        ("\nRan ",),
        counts=r"^Ran (?P<total>\d+) tests? in |^FAILED \((?P<more>[^)\n]{0,80})\)",
        failed=r"^FAILED \(",
        passed=r"^OK\b",
        failed_names=r"^(?:FAIL|ERROR): (\w+ \([\w.]+\))",
        passed_names=r"^(\w+ \([\w.]+\))[^\n]{0,200} \.\.\. ok$",
        broken=r"^ERROR: \w+ \(unittest\.loader\._FailedTest",
    ),
    Report(
        "jest",
        ("Tests: ",),
        counts=r"^Tests: +(?:(?P<failed>\d+) failed, )?(?:\d+ skipped, )?(?:\d+ todo, )?(?:(?P<passed>\d+) passed)?",
        failed=r"^Tests: +[1-9]\d* failed|^Test Suites: +[1-9]\d* failed",
        passed=r"^Tests: [^\n]{0,60}\d+ passed",
        failed_names=r"^ *● ([^\n]{1,200}? › [^\n]{1,200})$",
        passed_names=r"^ +✓ ([^\n(]{1,200}?)(?: \(\d+ m?s\))?$",
        broken=r"Test suite failed to run",
    ),
    Report(
        "vitest",
        (" Tests ", " Test Files "),
        counts=r"^ *Tests +(?:(?P<failed>\d+) failed)?(?: \| )?(?:(?P<passed>\d+) passed)?",
        failed=r"^ *(?:Tests|Test Files) +[1-9]\d* failed",
        passed=r"^ *Tests +\d+ passed",
        failed_names=r"^ *FAIL +(\S+ > [^\n]{1,300})$",
        broken=r"Failed Suites [1-9]|^ *FAIL +\S+ \[ \S+ \]$|^ *Tests +no tests",
    ),
    Report(
        "mocha",
        (" passing (",),
        counts=r"^ +(?P<passed>\d+) passing \(|^ +(?P<failed>\d+) failing$",
        failed=r"^ +[1-9]\d* failing$",
        passed=r"^ +\d+ passing \(",
        failed_names=r"^ {2,}\d+\) ([^\n:]{1,200})$",
        passed_names=r"^ +[✓✔] ([^\n(]{1,200}?)(?: \(\d+ms\))?$",
    ),
    Report(
        "bun",
        ("\nRan ",),
        counts=r"^ *(?P<passed>\d+) pass$|^ *(?P<failed>\d+) fail$",
        failed=r"^ *[1-9]\d* fail$|^ *[1-9]\d* errors?$",
        passed=r"^ *\d+ pass$",
        failed_names=r"^\(fail\) ([^\n]{1,300}?)(?: \[[\d.]+ms\])?$",
        passed_names=r"^\(pass\) ([^\n]{1,300}?)(?: \[[\d.]+ms\])?$",
    ),
    Report(
        "node",
        ("# pass ", "# fail ", "ℹ pass ", "ℹ fail "),
        counts=r"^(?:#|ℹ) pass (?P<passed>\d+)$|^(?:#|ℹ) fail (?P<failed>\d+)$",
        failed=r"^(?:#|ℹ) fail [1-9]",
        passed=r"^(?:#|ℹ) pass \d+$",
        failed_names=r"^ *not ok \d+ - ([^\n#]{1,200})|^ *✖ ([^\n(]{1,200}?) \([\d.]+ms\)",
        passed_names=r"^ *ok \d+ - ([^\n#]{1,200})|^ *✔ ([^\n(]{1,200}?) \([\d.]+ms\)",
    ),
    Report(
        "go",
        ("ok  ", "FAIL", "PASS"),
        counts=r"^ *--- (?:(?P<each_failed>FAIL)|(?P<each_passed>PASS)): ",
        failed=r"^FAIL\b|^ *--- FAIL: |^panic: ",
        passed=r"^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))|^PASS$",
        failed_names=r"^ *--- FAIL: (\S+)",
        passed_names=r"^ *--- PASS: (\S+)",
        broken=r"\[(?:build|setup) failed\]|^# \S+ \[\S+\.test\]$",
    ),
    Report(
        "cargo",
        ("test result: ",),
        counts=r"^test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed;",
        failed=r"^test result: FAILED",
        passed=r"^test result: ok",
        failed_names=r"^test (\S+)(?: - [^\n]{0,40})? \.\.\. FAILED",
        passed_names=r"^test (\S+)(?: - [^\n]{0,40})? \.\.\. ok",
    ),
    Report(
        "nextest",
        ("Summary [",),
        counts=r"^ *Summary \[[^\n]{0,80}?: (?P<passed>\d+) passed(?:[^\n]{0,30}?, (?P<failed>\d+) failed)?",
        failed=r"^ *FAIL \[",
        passed=r"^ *Summary \[",
        failed_names=r"^ *FAIL \[[^\]\n]{0,20}\] +(\S[^\n]{0,200})$",
        passed_names=r"^ *PASS \[[^\]\n]{0,20}\] +(\S[^\n]{0,200})$",
    ),
    Report(
        "maven",
        ("] BUILD ", "] Tests run:"),
        counts=r"^\[\w+\] Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<failed2>\d+)[^\n]{0,60}\d$",
        failed=r"^\[INFO\] BUILD FAILURE|^\[ERROR\] Tests run: ",
        passed=r"^\[INFO\] BUILD SUCCESS",
        failed_names=r"^\[ERROR\] +(\w[\w.]+\.\w+):\d+",
        broken=r"COMPILATION ERROR|Failed to execute goal [^\n]{0,80}compil",
    ),
    Report(
        "gradle",
        ("BUILD SUCCESSFUL", "BUILD FAILED"),
        counts=r"^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed",
        failed=r"^BUILD FAILED",
        passed=r"^BUILD SUCCESSFUL",
        failed_names=r"^(\S+ > [^\n]{1,200}?) FAILED$",
        passed_names=r"^(\S+ > [^\n]{1,200}?) PASSED$",
        broken=r"Execution failed for task '[^'\n]{0,80}:compile",
    ),
    Report(
        "rspec",
        (" example",),
        counts=r"^(?P<total>\d+) examples?, (?P<failed>\d+) failures?",
        failed=r"^\d+ examples?, [1-9]\d* failures?",
        passed=r"^\d+ examples?, 0 failures",
        failed_names=r"^rspec (\S+)",
        broken=r"errors? occurred outside of examples",
    ),
    Report(
        "phpunit",
        ("OK (", "Assertions: "),
        counts=r"^OK \((?P<passed>\d+) tests?|^Tests: (?P<total>\d+),[^\n]{0,60}?Failures: (?P<failed>\d+)",
        failed=r"^(?:FAILURES|ERRORS)!|^Tests: [^\n]{0,80}(?:Failures|Errors): [1-9]",
        passed=r"^OK \(",
        failed_names=r"^\d+\) (\S+::\S+)",
    ),
    Report(
        "dotnet",
        ("Passed!", "Failed!"),
        counts=r"Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+)",
        failed=r"^ *Failed! ",
        passed=r"^ *Passed! ",
        failed_names=r"^ +Failed (\S+) \[",
        passed_names=r"^ +Passed (\S+) \[",
    ),
    Report(
        "ctest",
        ("% tests passed",),
        counts=r"tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)",
        failed=r"^\d+% tests passed, [1-9]",
        passed=r"^100% tests passed",
        failed_names=r"^\t *\d+ - (\S+) \(",
    ),
    Report(
        "exunit",
        (" failure",),
        counts=r"(?P<total>\d+) tests?, (?P<failed>\d+) failures?",
        failed=r", [1-9]\d* failures?",
        passed=r", 0 failures",
    ),
    # What builds and lints comes last: a runner that failed is told by more than one.
    Report("tsc", ("error TS",), failed=r"\berror TS\d", is_test=False),
    Report("eslint", ("✖ ",), failed=r"✖ \d+ problems? \([1-9]\d* errors?", passed=r"\(0 errors", is_test=False),
    Report("golangci", (" issues",), failed=r"^[1-9]\d* issues:", passed=r"^0 issues\.", is_test=False),
    Report(
        "linter",
        ("All checks passed!", "Found "),
        failed=r"^Found [1-9]\d* errors?(?: \(|\.|$)",
        passed=r"^All checks",
        is_test=False,
    ),
    Report(
        "mypy",
        ("Success: no issues", " errors in ", " error in "),
        failed=r"^Found [1-9]\d* errors? in ",
        passed=r"^Success: no issues",
        is_test=False,
    ),
    Report("rustc", ("could not compile", "error[E"), failed=r"^error: could not compile|^error\[E\d", is_test=False),
    Report(
        "make",
        ("make: ***", "make[", "ninja: "),
        failed=r"^(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\*|build stopped)",
        is_test=False,
    ),
    Report(
        "npm",
        ("npm ERR!", "npm error", "ELIFECYCLE", "ERR_PNPM"),
        failed=r"^npm (?:ERR!|error) |ELIFECYCLE|ERR_PNPM_",
        is_test=False,
    ),
    Report(
        "task",
        ("ERROR task failed", "error: Recipe", "Failed to run"),
        failed=r"ERROR task failed|^error: Recipe `|^task: Failed to run",
        is_test=False,
    ),
    Report("gobuild", (".go:",), failed=r"^(?:\./)?\S+\.go:\d+:\d+: ", is_test=False),
    Report(
        "cc",
        (": error", "fatal error"),
        failed=r"^\S+\.(?:c|cc|cpp|h|hpp|swift|kt|java):\d+(?::\d+)?: (?:fatal )?error",
        is_test=False,
    ),
    Report(
        "prettier",
        ("Code style issues", "All matched files"),
        failed=r"issues found",
        passed=r"All matched",
        is_test=False,
    ),
)
COMPILED = {
    (report.name, field): re.compile(expression, re.MULTILINE)
    for report in REPORTS
    for field in ("counts", "failed", "passed", "failed_names", "passed_names", "broken")
    if (expression := getattr(report, field))
}
