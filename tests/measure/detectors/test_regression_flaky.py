"""regression: a test that passes again without a change is flaky, also where that is seen only afterwards."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.regression import Regression
from loopwright.measure.watch import Watch
from measure.detectors.test_regression import (
    GO_GREEN,
    GO_RED,
    GREEN,
    RED,
    V_GREEN,
    V_RED,
    Make,
    edit,
    pytest_v,
    ran,
    row,
    verdict,
)
from measure.stretches import Stretch

ONE, LOOP = "1 failed, 8 passed in 0.1s", "for i in 1 2 3; do pytest -q; done"
F_RED = ran("pytest -q", f"FAILED tests/test_a.py::test_f\n{ONE}", 1)
G_RED = ran("pytest -q", f"FAILED tests/test_a.py::test_g\n{ONE}", 1)
V_TEXT = pytest_v(test_x="FAILED", test_y="PASSED")
MORE_RED = ran("pytest -q", "4 failed, 5 passed in 0.1s", 1)

BROKEN: dict[str, Make] = {
    "more than what was flaky": row(GREEN, RED, GREEN, edit(), MORE_RED),
    "another than what was flaky": row(GREEN, F_RED, GREEN, edit(), G_RED),
    "more, after what was seen to be flaky afterwards": row(GREEN, edit(), RED, GREEN, edit(), MORE_RED),
    "a text and code": row(GREEN, edit("/repo/README.md"), edit(), RED),
    "a text and code, by the shell": row(GREEN, ran("sed -i s/a/b/ README.md && sed -i s/a/b/ src/a.py", ""), RED),
    "what is installed": row(GREEN, edit("/repo/requirements.txt"), RED),
    "what is built": row(GREEN, edit("/repo/CMakeLists.txt"), RED),
    "a text that a test reads": row(GREEN, edit("/repo/README.md"), ran("pytest -q", f"E README.md is old\n{ONE}", 1)),
    "a loop over other tests": row(V_GREEN, edit(), ran("for t in a b; do pytest -v $t; done", V_TEXT, 1)),
    "in a container": row(
        ran("docker compose run web pytest -q", "9 passed in 0.1s"),
        edit(),
        ran("docker compose run web pytest -q", ONE, 1),
    ),
}

FLAKY: dict[str, Make] = {
    "flaky: no change between": row(V_GREEN, V_RED),
    "flaky before, so not believed later": row(V_GREEN, V_RED, V_GREEN, edit(), V_RED),
    "flaky the other way round": row(V_RED, V_GREEN, edit(), V_RED),
    "flaky, seen only after its first failure": row(V_GREEN, edit(), V_RED, V_GREEN),
    "flaky, after looking at files": row(V_GREEN, edit(), V_RED, ran("cat src/a.py", "x"), V_GREEN),
    "flaky, at the second run": row(V_GREEN, edit(), V_RED, V_RED, V_GREEN),
    "flaky, seen afterwards and not believed later": row(V_GREEN, edit(), V_RED, V_GREEN, edit(), V_RED),
    "a command that is flaky, seen afterwards": row(GREEN, edit(), RED, GREEN),
    "a command that is flaky, seen by another": row(GREEN, edit(), RED, ran("pytest", "9 passed in 0.1s"), edit(), RED),
    "the test that failed passes alone": row(
        GREEN,
        edit(),
        ran("pytest -q", "FAILED tests/test_a.py::test_x\n1 failed, 8 passed in 0.1s", 1),
        ran("pytest -q tests/test_a.py::test_x", "1 passed in 0.1s"),
    ),
    "the same command, which names nothing now": row(V_GREEN, edit(), V_RED, ran("pytest -q", "2 passed in 0.1s")),
    "Go runs it again": row(
        GO_GREEN, edit("/repo/a/a.go"), GO_RED, ran("go test -run TestA ./a", "ok  \tshop/a\t0.1s")
    ),
    "a criterion that is flaky, seen afterwards": row(
        verdict("pass", "t1"), verdict("fail", "t2"), verdict("pass", "t2")
    ),
    "a command that is flaky": row(GREEN, RED, GREEN, edit(), RED),
    "the same test by name, with options that name no passes": row(GREEN, F_RED, GREEN, edit(), F_RED),
    "only the README was changed": row(GREEN, edit("/repo/README.md"), RED),
    "only a text was changed": row(V_GREEN, edit("/repo/docs/guide.rst"), V_RED),
    "only the licence was changed": row(V_GREEN, edit("/repo/LICENSE"), V_RED),
    "a text, by the shell": row(GREEN, ran("echo x >> CHANGELOG.md", ""), RED),
    "a text, in place": row(GREEN, ran("sed -i 's/a/b/' README.md", ""), RED),
    "shown by a loop": row(GREEN, edit(), ran(LOOP, f"9 passed in 0.1s\n{ONE}\n9 passed in 0.1s", 1)),
    "shown by a loop, then once more": row(GREEN, edit(), ran(LOOP, f"9 passed in 0.1s\n{ONE}", 1), RED),
    "in a container, and not here": row(GREEN, edit(), ran("docker compose run web pytest -q", ONE, 1)),
    "a criterion of the same tree is flaky": row(verdict("pass", "t1"), verdict("fail", "t1")),
}


@pytest.mark.parametrize("why", FLAKY)
def test_flaky(why: str) -> None:
    """What fails and passes with no change between is no regression."""
    assert FLAKY[why](Stretch()).found(Regression()) == []


@pytest.mark.parametrize("why", BROKEN)
def test_broken(why: str) -> None:
    """What a flaky test, or a change of texts, does not explain is one."""
    assert BROKEN[why](Stretch()).found(Regression())


def test_it_is_told_when_it_is_sure() -> None:
    """It is held back until the next change, for as long as it may be flaky; a fix is no sign of that."""
    stretch = row(V_GREEN, edit(), V_RED, V_RED)(Stretch())
    watch = Watch("run", {"regression": Regression()})
    assert watch.see(stretch.events) == []
    more = row(edit(), V_GREEN)(stretch).events[8:]
    assert [signal.events for signal in watch.see(more)] == [(2, 6)]
    assert watch.end() == []


def test_other_tests_pass_meanwhile() -> None:
    """Tests that pass say nothing of another one, and a fix that was an edit says that it had been broken."""
    others = ran("pytest -q tests/test_b.py", "30 passed in 0.1s")
    without = ran("pytest -q --deselect tests/test_a.py::test_x", "8 passed in 0.1s")
    assert len(row(GREEN, edit(), RED, others)(Stretch()).found(Regression())) == 1
    assert len(row(V_GREEN, edit(), V_RED, without)(Stretch()).found(Regression())) == 1
    assert len(row(V_GREEN, edit(), V_RED, edit(), V_GREEN)(Stretch()).found(Regression())) == 1
    trees = row(verdict("pass", "t1"), verdict("fail", "t2"), verdict("pass", "t3"))(Stretch())
    assert [signal.events for signal in trees.found(Regression())] == [(1, 2)]
