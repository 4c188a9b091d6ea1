from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from trial import GARBAGE, Trial

from loopwright.run.runners.go import Go

CLAIMED = {
    "go test": "go test -json",
    "go test ./...": "go test -json ./...",
    "go test -v ./...": "go test -json -v ./...",
    "go test -json ./...": "go test -json ./...",
    "go test -run ^TestAdd$ -count=1 .": "go test -json -run ^TestAdd$ -count=1 .",
    "go test -C inner ./...": "go test -C inner -json ./...",
    "go test -C=inner ./...": "go test -C=inner -json ./...",
    "go test . -args -list -json": "go test -json . -args -list -json",
}
NOT_CLAIMED = [
    *("", "go", "go vet ./...", "go build", "go test -c", "go test -list .", "go test -n ./...", "gotestsum"),
    *("go run test", "npm test", "go test --help"),
]
SUMS = """package sums

import "testing"

func TestAdd(t *testing.T) {
\tt.Run("one and two", func(t *testing.T) {
\t\tif Add(1, 2) != 3 {
\t\t\tt.Fatal("no three")
\t\t}
\t})
}

func TestLater(t *testing.T) { t.Skip("later") }
"""
INNER = """package inner_test

import (
\t"fmt"
\tcheck "testing"
)

func TestHalfALine(t *check.T) { fmt.Print("half a line") }

func ExampleInner() {
\tfmt.Println("in")
\t// Output: in
}
"""


@pytest.fixture
def sums(go: Trial) -> Trial:
    """Give a module with two packages and tests of them."""
    go.write("sums_test.go", SUMS)
    go.write("inner/inner.go", "package inner\n")
    go.write("inner/inner_test.go", INNER)
    go.write("bare/bare.go", "package bare\n")
    return go


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, go: Trial, tmp_path: Path) -> None:
    """A run of tests by go is claimed, and gets `-json` where it has to be, through our listener."""
    argv = command.split()
    assert Go().claims(argv, go.root)
    equipped = list(Go().equip(argv, go.root, tmp_path).argv)
    assert (equipped[0], " ".join(equipped[5:])) == (sys.executable, CLAIMED[command])


@pytest.mark.parametrize("command", NOT_CLAIMED)
def test_not_claimed(command: str, tmp_path: Path) -> None:
    """What runs no tests of go is not claimed and not changed."""
    argv = command.split()
    assert not Go().claims(argv, tmp_path)
    assert list(Go().equip(argv, tmp_path, tmp_path).argv) == argv


def test_a_run(sums: Trial) -> None:
    """The tally has each test by its package and name, and where it is; a package without tests adds nothing."""
    ran = sums.run()
    own, inner = "example.com/sums.", "example.com/sums/inner."
    tests = {f"{own}TestAdd", f"{own}TestAdd/one_and_two", f"{inner}TestHalfALine", f"{inner}ExampleInner"}
    assert ran.told.named("passed") == tests
    assert ran.told.named("skipped") == {f"{own}TestLater"}
    assert ran.told.files[f"{own}TestAdd/one_and_two"] == "sums_test.go"
    assert ran.told.files[f"{inner}ExampleInner"] == "inner/inner_test.go"
    assert (ran.exit_code, ran.told.how, ran.told.trouble, len(ran.told.files)) == (0, "report", "", 5)
    assert "ok  \texample.com/sums\t" in ran.output
    assert "=== RUN" not in ran.output
    assert '"Action"' not in ran.output


def test_verbose(sums: Trial) -> None:
    """One who asked for it sees each test run."""
    assert "=== RUN   TestAdd\n" in sums.run("go", "test", "-v", ".").output


def test_failures(sums: Trial) -> None:
    """A test that fails has failed with the tests around it, and a package that does not build is trouble."""
    sums.write("sums.go", "package sums\n\nfunc Add(a, b int) int { return a - b }\n")
    sums.write("inner/inner.go", 'package inner\n\nvar wrong int = "text"\n')
    sums.write("bare/bare_test.go", "package bare\n\nfunc half(\n")
    ran = sums.run()
    assert ran.exit_code not in (0, None)
    assert ran.told.named("failed") == {"example.com/sums.TestAdd", "example.com/sums.TestAdd/one_and_two"}
    assert "example.com/sums/inner" in ran.told.trouble
    assert "example.com/sums/bare" in ran.told.trouble
    assert "no three" in ran.output
    assert "inner.go:3:17" in ran.output


def test_a_panic(sums: Trial) -> None:
    """A panic fails the test in which it happened, and its trace is shown."""
    sums.write("sums.go", 'package sums\n\nfunc Add(a, b int) int { panic("oh no") }\n')
    ran = sums.run("go", "test", ".")
    assert "example.com/sums.TestAdd/one_and_two" in ran.told.named("failed")
    assert "panic: oh no" in ran.output


def test_no_tests(go: Trial) -> None:
    """Without any test the tally is empty, and a package that is not there is trouble."""
    assert go.run().counts == (0, 0, 0, 0)
    assert go.run("go", "test", "./absent").told.trouble


@pytest.mark.parametrize(
    "code",
    [
        'import "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return 0 }\n',
        'import "os"\n\nfunc Add(a, b int) int { os.Exit(0); return 0 }\n',
        'import "syscall"\n\nfunc Add(a, b int) int { syscall.Exit(0); return 0 }\n',
    ],
    ids=["at the start", "in a test", "past go's own check"],
)
def test_exit(sums: Trial, code: str) -> None:
    """Product code that ends the process with 0 is no pass, whatever go says."""
    sums.write("sums.go", f"package sums\n\n{code}")
    ran = sums.run()
    assert not ran.is_clean
    assert "example.com/sums.TestAdd" not in ran.told.named("passed")


def test_a_main_that_runs_nothing(sums: Trial) -> None:
    """A TestMain that leaves without running the tests is no pass."""
    sums.write(
        "main_test.go",
        'package sums\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n',
    )
    assert "`example.com/sums` broke off" in sums.run().told.trouble


def test_much_output(go: Trial) -> None:
    """Nothing is lost of the report when most of the output is cut."""
    loop = '\tfor i := 0; i < 5000; i++ {\n\t\tt.Run(fmt.Sprint(i), func(t *testing.T) { t.Log("much to say") })\n\t}\n'
    go.write(
        "a_test.go", f'package sums\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestAll(t *testing.T) {{\n{loop}}}\n'
    )
    ran = go.run("go", "test", "-v", ".", keep=2000)
    assert "bytes cut" in ran.output
    assert ran.counts == (5001, 5001, 0, 0)
    assert ran.is_clean


@pytest.mark.parametrize("seed", [1, 2])
def test_sabotage(sums: Trial, seed: int) -> None:
    """A failing test is put at the end of a real test file, with the name by which that imports `testing`."""
    before = {name: sums.read(name) for name in ("sums_test.go", "inner/inner_test.go")}
    sabotage = sums.assert_sabotage_is_seen(seed)
    assert sums.read(sabotage.file).startswith(before[sabotage.file])


@pytest.mark.parametrize(
    ("imports", "kind"),
    [
        ('import . "testing"', "T"),
        ('import ("testing"; _ "os")', "testing.T"),
        ('import (\n\t_ "os"\n\n\tt "testing"\n)', "t.T"),
    ],
)
def test_sabotage_uses_the_files_own_word(go: Trial, imports: str, kind: str) -> None:
    """However a file imports `testing`, the new test compiles; a name in the middle of the command still chooses it."""
    go.write("a_test.go", f"package sums\n\n{imports}\n\nfunc TestFine(t *{kind}) {{}}\n")
    go.command = ["go", "test", "-run", "Fine", "."]
    go.assert_sabotage_is_seen()


def test_sabotage_beside_a_patched_assertion(sums: Trial) -> None:
    """The test fails although the project's own assertion says yes to everything."""
    sums.write("assert.go", "package sums\n\nfunc Equal(a, b int) bool { return true }\n")
    sums.write("sums.go", "package sums\n\nfunc Add(a, b int) int { return 99 }\n")
    sums.write("sums_test.go", SUMS.replace("Add(1, 2) != 3", "!Equal(Add(1, 2), 3)"))
    sums.assert_sabotage_is_seen()


def test_no_sabotage(go: Trial, tmp_path: Path) -> None:
    """Where only examples passed, and where the file is a link to somewhere else, nothing is changed."""
    go.write("a_test.go", 'package sums\n\nimport "fmt"\n\nfunc ExampleAdd() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n')
    assert go.sabotaged() is None
    tally = go.run().told
    (go.root / "a_test.go").rename(tmp_path / "outside_test.go")
    (go.root / "a_test.go").symlink_to(tmp_path / "outside_test.go")
    assert go.sabotaged(tally=tally) is None


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage(content: bytes, tmp_path: Path) -> None:
    """A report that our listener did not write is no report."""
    assert Trial(Go(), tmp_path, {}, []).read_report(content) is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        '{"Package": 1}',
        '{"Package": "p", "Action": []}',
        '{"Package": "p", "Test": {}, "Action": "pass"}',
    ],
)
def test_strange_events(line: str, tmp_path: Path) -> None:
    """An event that go does not send is no test that passed."""
    tally = Trial(Go(), tmp_path, {}, []).read_report(json.dumps({"exit_code": 1, "lines": [line]}).encode())
    assert tally is not None
    assert not tally.outcomes
    assert tally.trouble


def test_a_failed_build_of_later_versions(tmp_path: Path) -> None:
    """Since 1.24 go tells of a failed build by events of its own: that is trouble too."""
    events = [
        {"ImportPath": "a.b/c", "Action": "build-output", "Output": "# a.b/c\n"},
        {"ImportPath": "a.b/c", "Action": "build-fail"},
        {"Action": "start", "Package": "a.b/c"},
        {"Action": "output", "Package": "a.b/c", "Output": "FAIL\ta.b/c [build failed]\n"},
        {"Action": "fail", "Package": "a.b/c", "Elapsed": 0, "FailedBuild": "a.b/c"},
    ]
    report = {"exit_code": 1, "lines": [json.dumps(event) for event in events]}
    tally = Trial(Go(), tmp_path, {}, []).read_report(json.dumps(report).encode())
    assert tally is not None
    assert tally.trouble == "`a.b/c` failed outside of its tests"
