"""What a critic can see of a run."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.measure.material import MOST_DIFF, NUMBERS, material_of
from loopwright.records.bundle import Bundle
from loopwright.records.check import Verdict
from loopwright.records.session import Session
from store.samples import make_attempt, make_check, make_run, make_step

DIFF = """diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -1,2 +1,3 @@
 x
--- y
+++ b/tests/forged.py
+z
diff --git a/old.py b/new name.py
similarity index 100%
rename from old.py
rename to new name.py
diff --git a/gone.bin b/gone.bin
deleted file mode 100644
Binary files a/gone.bin and /dev/null differ
diff --git a/b.py b/b.py
new file mode 100644
"""


def bundle(diff: str = DIFF) -> Bundle:
    run = make_run()
    step = make_step(run)
    works = [make_attempt(step, 1, output="two words"), make_attempt(step, 2, output="a review", role="reviewer")]
    return Bundle(run, [step], works, [make_check(run.id, 1, Verdict.PASS, flaky=True)], diff=diff)


def test_a_diff_is_counted_by_its_headers() -> None:
    """Files are those of headers, lines those of hunks: what looks like a header inside of a hunk is a line."""
    seen = material_of(bundle())
    assert seen.files == "M a.py\nD old.py\nA new name.py\nD gone.bin\nA b.py"
    counted = {name: seen.numbers[name] for name in ("files_changed", "lines_added", "lines_removed", "lines_changed")}
    assert counted == {"files_changed": 5, "lines_added": 2, "lines_removed": 1, "lines_changed": 3}
    assert (seen.output, seen.numbers["output_words"], seen.numbers["flaky_checks"]) == ("two words", 2, 1)


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("a/x b/y.sql b/x b/y.sql", "x b/y.sql"),
        (r'"a/\"x\\\ty" "b/\"x\\\ty"', '"x\\\ty'),
        (r'"a/x\nD y" "b/x\nD y"', r"x\nD y"),
        ("a/ü b/ü", "ü"),
    ],
)
def test_a_path_is_what_it_is(header: str, path: str) -> None:
    """Whatever a file is called, its path is found in the header, and never looks like two lines."""
    seen = material_of(bundle(f"diff --git {header}\nnew file mode 100644\n"))
    assert seen.files == f"A {path}"


def test_a_cut_decides_nothing() -> None:
    """Of a diff that is too long the beginning is looked at; files and lines are counted in all of it."""
    long = f"diff --git a/a b/a\n@@ -1 +1 @@\n+{'x' * MOST_DIFF}\n"
    seen = material_of(bundle(long + DIFF))
    assert seen.diff is not None and len(seen.diff) == MOST_DIFF
    assert seen.cut == len(long + DIFF) - MOST_DIFF
    assert seen.files is not None and seen.files.endswith("D gone.bin\nA b.py")
    assert seen.numbers["lines_added"] == 3


def test_what_a_record_does_not_have_is_not_there() -> None:
    """Of our own run, no diff is no change; of a session it is not known, and neither are iterations."""
    own = material_of(bundle(""))
    assert (own.diff, own.numbers["lines_changed"]) == ("", 0)
    told = bundle("")
    session = Session(told.run.id, "codex", "s", "", prompts=3, active_s=5.0)
    run = dataclasses.replace(told.run, source="codex")
    seen = material_of(dataclasses.replace(told, run=run, session=session, checks=[]))
    assert (seen.diff, seen.files) == (None, None)
    assert seen.numbers["prompts"] == 3 and seen.numbers["duration_s"] == 5.0
    assert not {"iterations", "lines_changed", "flaky_checks"} & seen.numbers.keys()


def test_every_number_has_its_name() -> None:
    """What a rubric may ask for is what a record can have."""
    own, told = bundle(), bundle()
    session = Session(told.run.id, "codex", "s", "")
    seen = {*material_of(own).numbers, *material_of(dataclasses.replace(told, session=session)).numbers}
    assert seen | {"tool_error_share"} == set(NUMBERS)
