from __future__ import annotations

import json
from pathlib import Path

import pytest
from trial import GARBAGE, Trial

from loopwright.run.runners.vitest import Vitest

SCRIPTS = {
    "test": "vitest",
    "unit": "NODE_ENV=test vitest run --coverage",
    "node": "node node_modules/vitest/vitest.mjs run",
    "both": "tsc && vitest run",
    "writes": "vitest run --reporter=junit --outputFile=out.xml",
    "bench": "vitest bench",
    "other": "jest",
}
CLAIMED = [
    *("vitest", "vitest run", "vitest run src --coverage", "npx vitest", "npx --yes vitest run", "vitest watch"),
    *("node_modules/.bin/vitest run", "pnpm vitest run", "yarn vitest", "pnpm exec vitest", "npm test", "npm t"),
    *("npm run unit", "npm run node", "yarn test", "yarn unit", "pnpm test", "pnpm unit x", "vitest related src/a.ts"),
    *("node node_modules/vitest/vitest.mjs", "vitest --reporter=dot", "vitest run --outputFile=mine.json"),
]
NOT_CLAIMED = [
    *("", "jest", "vitest bench", "vitest list", "vitest init browser", "vitest --help", "vitest -v", "vite"),
    *("npm run both", "npm run writes", "npm run bench", "npm run other", "npm run absent", "yarn test -- --ci"),
    *("vitest --mergeReports", "npx vite"),
]
SUMS = """
import {
  describe, expect,
  it as check,
} from 'vitest'
import { add } from './sums';
describe('add', () => {
  check('adds', () => { expect(add(1, 2)).toBe(3); });
  check.each([1, 2])('adds %i', (number: number) => { expect(add(number, 0)).toBe(number); });
  check.skip('adds later', () => {});
  check.todo('subtracts');
  check('twice', () => {});
  check('twice', () => {});
});
"""


@pytest.fixture
def sums(vitest: Trial) -> Trial:
    """Give a project with a function and tests of it."""
    vitest.write("src/sums.ts", "export const add = (a: number, b: number): number => a + b;\n")
    vitest.write("src/sums.test.ts", SUMS)
    return vitest


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Give a tree with scripts of all sorts."""
    (tmp_path / "package.json").write_text(json.dumps({"scripts": SCRIPTS}))
    return tmp_path


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, scripts: Path) -> None:
    """A command that runs vitest, and only vitest, is claimed, and ends by itself with one JSON report."""
    argv = command.split()
    assert Vitest().claims(argv, scripts)
    equipped = list(Vitest().equip(argv, scripts, Path("/report")).argv)
    assert equipped[-2:] == ["--reporter=json", "--outputFile.json=/report/report.json"]
    assert "--run" in equipped
    assert "--outputFile=mine.json" not in equipped
    assert ("--reporter=default" in equipped) == ("--reporter=dot" not in argv)


@pytest.mark.parametrize("command", NOT_CLAIMED)
def test_not_claimed(command: str, scripts: Path) -> None:
    """A command that runs something else, or more than vitest, or no tests, is not claimed and not changed."""
    argv = command.split()
    assert not Vitest().claims(argv, scripts)
    assert list(Vitest().equip(argv, scripts, Path("/report")).argv) == argv


def test_a_run(sums: Trial) -> None:
    """The tally has each test by its file and titles; skips and todos are skipped; it does not wait for changes."""
    ran = sums.run()
    prefix = "src/sums.test.ts > add > "
    names = {"adds", "adds 1", "adds 2", "twice", "twice #2"}
    assert ran.told.named("passed") == {prefix + name for name in names}
    assert ran.told.named("skipped") == {prefix + "adds later", prefix + "subtracts"}
    assert set(ran.told.files.values()) == {"src/sums.test.ts"}
    assert (ran.exit_code, ran.told.how, ran.told.trouble, len(ran.told.files)) == (0, "report", "", 7)
    assert "5 passed | 1 skipped | 1 todo (7)" in ran.output
    assert "report" not in ran.output


def test_npm(sums: Trial) -> None:
    """A run by a script has the same tally, and the person sees the command without our options."""
    ran = sums.run("npm", "test", "--", "-t", "adds 1")
    assert ran.counts == (7, 1, 0, 6)
    assert "> vitest -t adds 1\n" in ran.output


@pytest.mark.parametrize(
    "line",
    [
        "> vitest --run --reporter=default --reporter=json --outputFile.json=/tmp/report.json\n",
        '> vitest "--run" "--reporter=default" "--reporter=json" "--outputFile.json=/tmp/report.json"\n',
        "> vitest --run --reporter=json --outputFile.json=/tmp/report.json\n",
        "> vitest\nJSON report written to /tmp/a b/report.json\n",
    ],
)
def test_shown(line: str) -> None:
    """Our options are not shown, however a package manager writes the command that it runs."""
    assert Vitest().shown(f"first\n{line}last\n") == "first\n> vitest\nlast\n"


def test_failures(sums: Trial) -> None:
    """A test that fails has failed, and a file that can't be read is trouble with its name."""
    sums.write("src/sums.ts", "export const add = (a: number, b: number): number => a - b;\n")
    sums.write("src/half.test.ts", "test('half', () => {")
    ran = sums.run()
    assert ran.exit_code == 1
    assert ran.told.named("failed") == {"src/sums.test.ts > add > adds"}
    assert "`src/half.test.ts`: " in ran.told.trouble


@pytest.mark.parametrize("options", [[], ["--passWithNoTests"]])
def test_no_tests(vitest: Trial, options: list[str]) -> None:
    """Without any test there is no report, or one with no test in it."""
    ran = vitest.run(*vitest.command, *options)
    assert ran.tally is None or ran.tally.counts.collected == 0


@pytest.mark.parametrize("way", ["process.exit(0)", "process.reallyExit(0)"])
def test_exit(sums: Trial, way: str) -> None:
    """Product code that ends the process with 0 is no pass."""
    sums.write("src/sums.ts", f"export const add = () => {way};\n")
    ran = sums.run(*sums.command, "--pool=forks")
    assert not ran.is_clean
    assert ran.exit_code != 0


def test_sabotage(sums: Trial) -> None:
    """A failing test is put into a real test file with the file's own word for one, and nothing else fails."""
    before = sums.read("src/sums.test.ts")
    sums.assert_sabotage_is_seen()
    assert sums.read("src/sums.test.ts").startswith(f"{before}\n;check(")


def test_sabotage_beside_a_patched_expect(sums: Trial) -> None:
    """An `expect` that was made to say yes to everything is given away: the test that must fail does not."""
    sums.command = [*sums.command, "--globals"]
    patch = "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\n"
    sums.write("src/sums.ts", f"{patch}export const add = () => 'nonsense';\n")
    sums.write("src/sums.test.ts", SUMS.replace(" expect,", ""))
    with pytest.raises(AssertionError):
        sums.assert_sabotage_is_seen()


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("import * as v from 'vitest';\n", "v.test"),
        ("import { vi } from 'vitest';\n", "it"),
    ],
)
def test_sabotage_uses_the_files_own_word(vitest: Trial, head: str, call: str) -> None:
    """The new test is made with what the file has imported, or with the global that it uses."""
    vitest.command = [*vitest.command, "--globals"]
    vitest.write("a.test.ts", f"{head}{call}('is fine', () => {{}});\n")
    vitest.assert_sabotage_is_seen()
    assert f"\n;{call}(" in vitest.read("a.test.ts")


def test_projects(vitest: Trial) -> None:
    """A file that runs in two projects has its tests twice, and a failing one in it fails twice."""
    projects = "projects: [{ test: { name: 'one' } }, { test: { name: 'two' } }]"
    vitest.write("vitest.config.mjs", f"export default {{ test: {{ {projects} }} }};\n")
    vitest.write("a.test.ts", "import { test } from 'vitest';\ntest('is fine', () => {});\n")
    assert vitest.run().told.named("passed") == {"a.test.ts > is fine", "a.test.ts #2 > is fine"}
    assert len(vitest.assert_sabotage_is_seen().must_fail) == 2


def test_no_sabotage(vitest: Trial) -> None:
    """Tests inside of product code and a file that singles out a test are left alone."""
    vitest.write("only.test.ts", "import { test } from 'vitest';\ntest.only('is alone', () => {});\n")
    assert vitest.sabotaged() is None
    vitest.write(
        "only.test.ts", "const { test } = import.meta.vitest ?? await import('vitest');\ntest('a', () => {});\n"
    )
    assert vitest.sabotaged() is None


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage(content: bytes, tmp_path: Path) -> None:
    """A report that vitest did not write is no report."""
    assert Trial(Vitest(), tmp_path, {}, []).read_report(content) is None


def test_a_test_that_never_ended(tmp_path: Path) -> None:
    """A test that the report has as still to come was not run, and that is trouble."""
    test = {"title": "waits", "ancestorTitles": [], "status": "pending"}
    suite = {"name": str(tmp_path / "a.test.ts"), "status": "passed", "message": "", "assertionResults": [test]}
    tally = Trial(Vitest(), tmp_path, {}, []).read_report(
        json.dumps({"success": True, "testResults": [suite]}).encode()
    )
    assert tally is not None
    assert tally.named("unrun") == {"a.test.ts > waits"}
    assert "`a.test.ts` broke off" in tally.trouble
