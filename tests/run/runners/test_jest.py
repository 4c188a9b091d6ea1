from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from trial import GARBAGE, Trial

from loopwright.run.runners.jest import Jest

SCRIPTS = {
    "test": "jest",
    "unit": "NODE_ENV=test jest --coverage",
    "cross": "cross-env NODE_ENV=test jest",
    "node": "node --experimental-vm-modules node_modules/.bin/jest",
    "bin": "node -r dotenv/config node_modules/jest/bin/jest.js",
    "npx": "npx jest --ci",
    "quoted": "jest --testPathPattern='a b'",
    "both": "jest && eslint .",
    "piped": "jest | tee log",
    "after": "tsc; jest",
    "lint": "eslint .",
    "writes": "jest --json --outputFile=mine.json",
    "watch": "jest --watch",
    "passes": "jest -- one",
    "open": "jest 'x",
    "list": "jest --listTests",
    "other": "vitest",
    "number": 1,
}
CLAIMED = [
    *("jest", "jest src --coverage", "npx jest", "npx --yes jest -t x", "npx --no-install jest", "npx -y jest@29"),
    *("node_modules/.bin/jest", "./node_modules/.bin/jest --ci", "pnpm jest", "yarn jest x", "pnpm exec jest"),
    *("yarn run jest", "npm exec -- jest", "env CI=1 jest", "node node_modules/jest/bin/jest.js"),
    *("npm test", "npm t", "npm run test", "npm run unit", "npm run cross", "npm run node", "npm run bin"),
    *(
        "npm run npx",
        "npm run quoted",
        "npm test -- --ci",
        "npm test x -- --ci",
        "npm --silent test",
        "npm run -s unit",
    ),
    *("yarn test", "yarn unit", "yarn run unit --ci", "pnpm test", "pnpm t", "pnpm run unit", "pnpm unit --ci"),
    *("npm test --prefix packages/inner", "npm --prefix=packages/inner test", "npm test -w packages/inner"),
    *("npm test --workspace inner-package", "npm run test --workspace=inner-package", "yarn --cwd packages/inner test"),
    *("yarn workspace inner-package test", "pnpm -C packages/inner test", "jest --watchAll=false", "jest --json"),
]
NOT_CLAIMED = [
    *("", "vitest", "pytest", "jest --watch", "jest --help", "jest --listTests", "npx eslint jest", "node jest.js"),
    *("node scripts/jest.js", "scripts/jest", "echo jest", "npm run both", "npm run piped", "npm run after"),
    *("npm run lint", "npm run writes", "npm run watch", "npm run passes", "npm run open", "npm run list"),
    *("npm run other", "npm run number", "npm run", "npm", "npm install", "npm run absent", "npm test --workspaces"),
    *("npm test -w absent", "npm test --prefix absent", "yarn test -- --ci", "yarn", "pnpm install", "CI=1 jest"),
    *("pnpm --filter inner-package test", "npm --loglevel silent test", "yarn run", "env", "npx"),
]
SUMS = """
const { add } = require('./sums');
describe('add', () => {
  test('adds', () => { expect(add(1, 2)).toBe(3); });
  test.each([1, 2])('adds %i', (number) => { expect(add(number, 0)).toBe(number); });
  test.skip('adds later', () => {});
  test.todo('subtracts');
  test('twice', () => {});
  test('twice', () => {});
});
"""


@pytest.fixture
def sums(jest: Trial) -> Trial:
    """Give a project with a function and tests of it."""
    jest.write("src/sums.js", "exports.add = (a, b) => a + b;\n")
    jest.write("src/sums.test.js", SUMS)
    return jest


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Give a tree with scripts of all sorts, and a workspace."""
    (tmp_path / "packages" / "inner").mkdir(parents=True)
    inner = {"name": "inner-package", "scripts": {"test": "jest --ci"}}
    (tmp_path / "packages" / "inner" / "package.json").write_text(json.dumps(inner))
    (tmp_path / "package.json").write_text(json.dumps({"scripts": SCRIPTS, "workspaces": ["packages/*"]}))
    return tmp_path


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, scripts: Path) -> None:
    """A command that runs jest, and only jest, is claimed, and has the report's options where jest gets them."""
    argv = command.split()
    assert Jest().claims(argv, scripts)
    equipped = list(Jest().equip(argv, scripts, Path("/report")).argv)
    assert equipped[-1] == "--outputFile=/report/report.json"
    assert equipped.count("--json") == 1
    assert ("--" in equipped) == (argv[0] == "npm")


@pytest.mark.parametrize("command", NOT_CLAIMED)
def test_not_claimed(command: str, scripts: Path) -> None:
    """A command that runs something else, or more than jest, or never ends, is not claimed and not changed."""
    argv = command.split()
    assert not Jest().claims(argv, scripts)
    assert list(Jest().equip(argv, scripts, Path("/report")).argv) == argv


@pytest.mark.parametrize(
    "package", ["", "[]", "{", '{"scripts": []}', '{"scripts": {"test": null}}', '{"workspaces": 1}']
)
def test_no_scripts(package: str, tmp_path: Path) -> None:
    """A package.json that makes no sense has no scripts."""
    (tmp_path / "package.json").write_text(package)
    assert not Jest().claims(["npm", "test"], tmp_path)
    assert not Jest().claims(["npm", "test", "-w", "inner"], tmp_path)
    assert Jest().claims(["jest"], tmp_path)


def test_a_script_goes_before_a_program(tmp_path: Path) -> None:
    """Where there is a script with the tool's name, yarn and pnpm run the script."""
    (tmp_path / "package.json").write_text('{"scripts": {"jest": "eslint ."}}')
    assert not Jest().claims(["yarn", "jest"], tmp_path)
    assert Jest().claims(["npx", "jest"], tmp_path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("jest a -- b", "jest a --json --outputFile=/report/report.json -- b"),
        ("jest --outputFile=mine a", "jest a --json --outputFile=/report/report.json"),
        ("jest --outputFile mine a", "jest a --json --outputFile=/report/report.json"),
        ("jest --json", "jest --json --outputFile=/report/report.json"),
        ("npm test a", "npm test a -- --json --outputFile=/report/report.json"),
        ("npm t -- -t x", "npm t -- -t x --json --outputFile=/report/report.json"),
        ("pnpm test x", "pnpm run test x --json --outputFile=/report/report.json"),
        ("yarn unit x", "yarn run unit x --json --outputFile=/report/report.json"),
    ],
)
def test_equipped(command: str, expected: str, scripts: Path) -> None:
    """The report's options come before a `--` and in place of the command's own file."""
    assert list(Jest().equip(command.split(), scripts, Path("/report")).argv) == expected.split()


def test_a_run(sums: Trial) -> None:
    """The tally has each test by its file and titles; skips and todos are skipped."""
    ran = sums.run()
    prefix = "src/sums.test.js > add > "
    names = {"adds", "adds 1", "adds 2", "twice", "twice #2"}
    assert ran.told.named("passed") == {prefix + name for name in names}
    assert ran.told.named("skipped") == {prefix + "adds later", prefix + "subtracts"}
    assert set(ran.told.files.values()) == {"src/sums.test.js"}
    assert (ran.exit_code, ran.told.how, ran.told.trouble, len(ran.told.files)) == (0, "report", "", 7)
    assert "Tests:       1 skipped, 1 todo, 5 passed, 7 total" in ran.output
    assert "report" not in ran.output


def test_npm(sums: Trial) -> None:
    """A run by a script has the same tally, and the person sees the command without our options."""
    ran = sums.run("npm", "test", "--", "-t", "adds 1")
    assert ran.counts == (7, 1, 0, 6)
    assert "> jest -t adds 1\n" in ran.output


@pytest.mark.parametrize(
    "line",
    [
        "> jest -t x --json --outputFile=/tmp/ab/report.json\n",
        '> jest -t x "--json" "--outputFile=/tmp/ab/report.json"\n',
        "> jest -t x --outputFile=/tmp/ab/report.json\n",
        "> jest -t x\nTest results written to: ../a b/report.json\n",
    ],
)
def test_shown(line: str) -> None:
    """Our options are not shown, however a package manager writes the command that it runs."""
    assert Jest().shown(f"first\n{line}last\n") == "first\n> jest -t x\nlast\n"


def test_failures(sums: Trial) -> None:
    """A test that fails has failed, and a file that can't be read is trouble with its name and reason."""
    sums.write("src/sums.js", "exports.add = (a, b) => a - b;\n")
    sums.write("src/half.test.js", "test('half', () => {")
    ran = sums.run()
    assert ran.exit_code == 1
    assert ran.told.named("failed") == {"src/sums.test.js > add > adds"}
    assert "`src/half.test.js`: " in ran.told.trouble
    assert "SyntaxError" in ran.output


@pytest.mark.parametrize("options", [[], ["--passWithNoTests"]])
def test_no_tests(jest: Trial, options: list[str]) -> None:
    """Without any test there is no report, or one with no test in it."""
    ran = jest.run(*jest.command, *options)
    assert ran.tally is None or ran.tally.counts.collected == 0


@pytest.mark.parametrize("options", [["--runInBand"], ["--maxWorkers=2"]])
def test_exit(sums: Trial, options: list[str]) -> None:
    """Product code that ends the process with 0 is no pass."""
    sums.write("src/sums.js", "exports.add = () => process.exit(0);\n")
    sums.write("src/other.test.js", "test('other', () => {});")
    assert not sums.run(*sums.command, *options).is_clean


def test_sabotage(sums: Trial) -> None:
    """A failing test is put into a real test file, and nothing else fails."""
    sums.write("src/more.test.js", "it('is more', () => {}); // the end")
    before = {name: sums.read(name) for name in ("src/more.test.js", "src/sums.test.js")}
    sabotage = sums.assert_sabotage_is_seen()
    assert sums.read(sabotage.file).startswith(before[sabotage.file])


def test_sabotage_beside_a_patched_expect(sums: Trial) -> None:
    """An `expect` that was made to say yes to everything is given away: the test that must fail does not."""
    patch = "global.expect = () => new Proxy({}, { get: () => () => {} });\n"
    sums.write("src/sums.js", patch + "exports.add = () => 'nonsense';\n")
    with pytest.raises(AssertionError):
        sums.assert_sabotage_is_seen()


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("const { it: check, expect } = require('@jest/globals');\n", "check"),
        ("const globals = require('@jest/globals');\n", "globals.test"),
    ],
)
def test_sabotage_uses_the_files_own_word(jest: Trial, head: str, call: str) -> None:
    """The new test is made with what the file has imported, under the name that it has there."""
    jest.write("a.test.js", f"{head}{call}('is fine', () => {{}});\n")
    jest.assert_sabotage_is_seen()
    assert f"\n;{call}(" in jest.read("a.test.js")


def test_sabotage_is_chosen_by_a_filter(sums: Trial) -> None:
    """A command that names the tests that it wants gets the new one too."""
    sums.command = [*sums.command, "-t", "add adds$|add adds \\w"]
    sums.assert_sabotage_is_seen()


def test_no_sabotage(jest: Trial, tmp_path: Path) -> None:
    """A file that singles out a test, one that is a link to somewhere else, and one that is gone, are left alone."""
    jest.write("only.test.js", "test.only('is alone', () => {});\n")
    assert jest.sabotaged() is None
    (tmp_path / "outside.js").write_text("test('is outside', () => {});\n")
    jest.write("only.test.js", "test('is here', () => {});\n")
    tally = jest.run().told
    (jest.root / "only.test.js").unlink()
    assert jest.sabotaged(tally=tally) is None
    (jest.root / "only.test.js").symlink_to(tmp_path / "outside.js")
    assert jest.sabotaged(tally=tally) is None
    assert (tmp_path / "outside.js").read_text() == "test('is outside', () => {});\n"


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage(content: bytes, tmp_path: Path) -> None:
    """A report that jest did not write is no report."""
    assert Trial(Jest(), tmp_path, {}, []).read_report(content) is None


def test_no_report(tmp_path: Path) -> None:
    """Where the report should be there is nothing, a folder, a pipe, or a link: there is no report."""
    report = tmp_path / "report.json"
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is None
    report.mkdir()
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is None
    report.rmdir()
    os.mkfifo(report)
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is None
    report.unlink()
    (tmp_path / "real").write_text('{"success": true, "testResults": []}')
    report.symlink_to(tmp_path / "real")
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is None
    report.unlink()
    (tmp_path / "real").rename(report)
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is not None
    os.truncate(report, 60_000_000)
    assert Jest().tally(tmp_path, tmp_path, tmp_path) is None


def test_one_name_for_many_tests(tmp_path: Path) -> None:
    """A report in which all tests have one name is read in good time."""
    test = {"title": "a", "ancestorTitles": [], "status": "passed"}
    suite = {"name": "a.js", "status": "passed", "message": "", "assertionResults": [test] * 100_000}
    report = json.dumps({"success": True, "testResults": [suite]}).encode()
    began = time.monotonic()
    tally = Trial(Jest(), tmp_path, {}, []).read_report(report)
    assert tally is not None
    assert tally.counts.passed == 100_000
    assert time.monotonic() - began < 10
