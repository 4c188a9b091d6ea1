from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial import GARBAGE, Trial

from loopwright.run.runners.cargo import Cargo

CLAIMED = {
    "cargo test": "cargo test",
    "cargo t --workspace": "cargo t --workspace",
    "cargo +stable test --lib": "cargo +stable test --lib",
    "cargo test -q": "cargo test",
    "cargo test -v -- --nocapture --test-threads=1 adds": "cargo test -- --test-threads=1 adds",
    "cargo test -- --format terse adds": "cargo test -- adds",
    "cargo test -- --format=terse": "cargo test --",
}
NOT_CLAIMED = [
    *("", "cargo", "cargo build", "cargo +stable build", "cargo test --no-run", "cargo test -- --list"),
    *("cargo nextest run", "cargo bench", "go test", "cargo test --help"),
]
UNIT = """
pub mod inner;

/// Adds.
///
/// ```
/// assert_eq!(sums_lib::add(1, 2), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    #![allow(unused_imports)]
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
        println!("test other ... ok");
    }

    #[test]
    #[should_panic]
    fn panics() {
        panic!();
    }

    #[test]
    #[ignore = "slow"]
    fn takes_long() {}
}
"""
INNER = "#[cfg(test)]\nmod tests {\n    #[test] fn is_deep() {}\n}\n"
OUTER = "#[test]\nfn works() {\n    assert_eq!(sums_lib::add(1, 2), 3);\n}\n"
LEAVES = "pub fn add(_: i32, _: i32) -> i32 {\n    std::process::exit(0)\n}\n"


@pytest.fixture
def sums(cargo: Trial) -> Trial:
    """Give a crate with tests in it, beside it and in its documentation."""
    cargo.write("src/lib.rs", UNIT)
    cargo.write("src/inner.rs", INNER)
    cargo.write("tests/outer.rs", OUTER)
    return cargo


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, cargo: Trial, tmp_path: Path) -> None:
    """A run of tests by cargo is claimed, and goes through our listener without what would hide the tests' names."""
    argv = command.split()
    assert Cargo().claims(argv, cargo.root)
    equipped = list(Cargo().equip(argv, cargo.root, tmp_path).argv)
    assert (equipped[0], " ".join(equipped[5:])) == (sys.executable, CLAIMED[command])


@pytest.mark.parametrize("command", NOT_CLAIMED)
def test_not_claimed(command: str, tmp_path: Path) -> None:
    """What runs no tests of cargo is not claimed and not changed."""
    argv = command.split()
    assert not Cargo().claims(argv, tmp_path)
    assert list(Cargo().equip(argv, tmp_path, tmp_path).argv) == argv


def test_a_run(sums: Trial) -> None:
    """The tally has each test by its crate, file and name, and where it is; ignored ones are skipped."""
    ran = sums.run("cargo", "test", "-q")
    unit = "sums_lib src/lib.rs "
    assert ran.told.outcomes == {
        f"{unit}inner::tests::is_deep": "passed",
        f"{unit}tests::adds": "passed",
        f"{unit}tests::panics": "passed",
        f"{unit}tests::takes_long": "skipped",
        "outer tests/outer.rs works": "passed",
        "sums_lib doc src/lib.rs - add (line 6)": "passed",
    }
    assert ran.told.files == {
        f"{unit}inner::tests::is_deep": "src/inner.rs",
        f"{unit}tests::adds": "src/lib.rs",
        f"{unit}tests::panics": "src/lib.rs",
        f"{unit}tests::takes_long": "src/lib.rs",
        "outer tests/outer.rs works": "tests/outer.rs",
    }
    assert (ran.exit_code, ran.told.how, ran.told.trouble) == (0, "summary", "")
    assert "test tests::adds ... ok" in ran.output


def test_failures(sums: Trial) -> None:
    """A test that fails has failed; what it printed is not taken for tests."""
    result = "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"
    said = f'println!("{result}");\n        println!("test another ... ok");\n        assert_eq!(add'
    sums.write("src/lib.rs", UNIT.replace("    a + b", "    a - b").replace("assert_eq!(add", said))
    ran = sums.run("cargo", "test", "--no-fail-fast")
    assert ran.exit_code == 101
    assert ran.told.named("failed") == {
        "sums_lib src/lib.rs tests::adds",
        "outer tests/outer.rs works",
        "sums_lib doc src/lib.rs - add (line 6)",
    }
    assert not ran.told.trouble
    assert ran.told.counts.collected == 6


def test_a_file_that_does_not_compile(sums: Trial) -> None:
    """Where something does not compile there is trouble, and no test."""
    sums.write("tests/outer.rs", "#[test]\nfn half() {\n")
    ran = sums.run()
    assert (ran.exit_code, ran.counts) == (101, (0, 0, 0, 0))
    assert "error: could not compile" in ran.told.trouble


def test_no_tests(cargo: Trial) -> None:
    """Without any test the tally is empty, and a crate that is not there is trouble."""
    assert cargo.run().counts == (0, 0, 0, 0)
    assert cargo.run("cargo", "test", "-p", "absent").told.trouble


@pytest.mark.parametrize("options", [[], ["--", "--test-threads=1"]])
def test_exit(sums: Trial, options: list[str]) -> None:
    """Product code that ends the process with 0 is no pass, whatever cargo says."""
    sums.write("src/lib.rs", LEAVES)
    ran = sums.run(*sums.command, *options)
    assert ran.exit_code == 0
    assert ran.tally is None


def test_abort(sums: Trial) -> None:
    """A program of tests that crashes is trouble."""
    sums.write("src/lib.rs", LEAVES.replace("exit(0)", "abort()"))
    ran = sums.run()
    assert ran.exit_code == 101
    assert "`outer tests/outer.rs` broke off" in ran.told.trouble


def test_words_between(sums: Trial) -> None:
    """What tests print past the capture does not hide them; what looks like a test and is none does not add up."""
    say = '    use std::io::Write;\n    write!(std::io::stdout(), "{}").unwrap();\n    assert_eq!'
    sums.write("tests/outer.rs", OUTER.replace("    assert_eq!", say.replace("{}", "half a line")))
    options = ("cargo", "test", "--test", "outer", "--", "--test-threads=1")
    assert sums.run(*options).counts == (1, 1, 0, 0)
    sums.write("tests/outer.rs", OUTER.replace("    assert_eq!", say.replace("{}", "\\ntest more ... ok\\n")))
    assert "do not add up" in sums.run(*options).told.trouble


def test_much_output(cargo: Trial) -> None:
    """Nothing is lost of the report when most of the output is cut."""
    tests = "".join(f"#[test]\nfn has_a_rather_long_name_{number}() {{}}\n" for number in range(300))
    cargo.write("tests/many.rs", tests)
    ran = cargo.run("cargo", "test", "--test", "many", keep=1000)
    assert "bytes cut" in ran.output
    assert ran.counts == (300, 300, 0, 0)
    assert ran.is_clean


@pytest.mark.parametrize("seed", [0, 1])
def test_sabotage(sums: Trial, seed: int) -> None:
    """A failing test is put beside one that passed, into the same module, and nothing else fails."""
    sums.assert_sabotage_is_seen(seed)


@pytest.mark.parametrize("filter_word", ["works", "adds", "is_deep"])
def test_sabotage_is_chosen_by_a_filter(sums: Trial, filter_word: str) -> None:
    """A command that names the tests that it wants gets the new one too."""
    sums.command = ["cargo", "test", "--lib", "--test", "outer", filter_word]
    sums.assert_sabotage_is_seen()


def test_sabotage_beside_a_patched_assertion(sums: Trial) -> None:
    """The test fails although product code has an assertion of that name that says yes to everything."""
    macro = "#[macro_export]\nmacro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n"
    sums.write("src/lib.rs", macro + "pub fn add(_: i32, _: i32) -> i32 {\n    9\n}\n")
    sums.write("tests/outer.rs", "use sums_lib::assert_eq;\n\n" + OUTER)
    sums.assert_sabotage_is_seen()


def test_a_workspace(cargo: Trial) -> None:
    """Tests of the same name in the crates of a workspace are told apart, and each is found in its own crate."""
    cargo.write("Cargo.toml", '[workspace]\nmembers = ["one", "two"]\nresolver = "2"\n')
    for name in ("one", "two"):
        cargo.write(f"{name}/Cargo.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n')
        cargo.write(f"{name}/src/lib.rs", "#[test]\nfn is_fine() {}\n")
    cargo.command = ["cargo", "test", "--lib"]
    told = cargo.run().told
    assert told.files == {"one src/lib.rs is_fine": "one/src/lib.rs", "two src/lib.rs is_fine": "two/src/lib.rs"}
    cargo.assert_sabotage_is_seen()


@pytest.mark.parametrize(
    "text",
    [
        "#[test]\nfn is_fine() {}\nmod more {\n    #[test]\n    fn is_fine() {}\n}\n",
        "macro_rules! tests {\n    ($name:ident) => { #[test] fn $name() {} };\n}\ntests!(is_fine);\n",
        "#[cfg_attr(\n    all(),\n    test\n)]\nfn is_fine() {}\n",
    ],
    ids=["two of that name", "made by a macro", "attributes over several lines"],
)
def test_no_sabotage(cargo: Trial, text: str) -> None:
    """Where it is not clear where a test begins, nothing is changed."""
    cargo.write("tests/outer.rs", text)
    cargo.command = ["cargo", "test", "--test", "outer", "is_fine"]
    assert cargo.run().told.named("passed")
    assert cargo.sabotaged() is None
    assert cargo.read("tests/outer.rs") == text


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage(content: bytes, tmp_path: Path) -> None:
    """A report that our listener did not write is no report."""
    assert Trial(Cargo(), tmp_path, {}, []).read_report(content) is None


PIECES = st.sampled_from(
    [
        *("     Running tests/a.rs (target/debug/deps/a-0123456789abcdef)", "   Doc-tests a", "running 1 test"),
        *("running 2 tests", "test a ... ok", "test b ... FAILED", "test c ... ", "ok", "failures:", "error: no"),
        "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ]
)


@given(lines=st.lists(PIECES, max_size=12), exit_code=st.sampled_from([0, 101]))
def test_any_lines(lines: list[str], exit_code: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the lines are, nothing is raised, and all is well only where each program has its result."""
    trial = Trial(Cargo(), tmp_path_factory.mktemp("lines") / "project", {}, [])
    trial.root.mkdir()
    tally = trial.read_report(json.dumps({"exit_code": exit_code, "lines": lines}).encode())
    if tally is not None and not tally.trouble:
        programs = sum(line.startswith(("     R", "   D")) for line in lines)
        assert sum(line.startswith("test result") for line in lines) >= programs
